package tandem.client;

import java.util.List;
import java.util.function.ToLongFunction;
import tandem.wire.Address;

/// Waits for tickets, with a limit on how long somebody that is waited for may be silent.
public final class Waiting {

    private final Address self;
    private final Station station;
    private final long silenceNanos;
    private final ToLongFunction<Address> heardNanos;
    private long waitedNanos;

    /// @param heardNanos when somebody was last heard; 0 for never. Called during a turn
    public Waiting(Address self, Station station, long silenceNanos, ToLongFunction<Address> heardNanos) {
        this.self = self;
        this.station = station;
        this.silenceNanos = silenceNanos;
        this.heardNanos = heardNanos;
    }

    /// Returns when the ticket is done; throws [Overdue] if whom it waits for is silent for too long, and what it
    /// failed with if it came to nothing.
    public void await(Ticket ticket) {
        settle(ticket);
        ticket.check();
    }

    /// The same, whether it came to something or not.
    void settle(Ticket ticket) {
        if (!ticket.isDone()) {
            settle(List.of(ticket), silenceNanos / 30, () -> {});
        }
    }

    /// Returns when all are done, with something to do now and then meanwhile. One that is silent for too long is
    /// enough to throw, whichever it is; one that fails is enough once all are done.
    public void await(List<Ticket> tickets, long everyNanos, Runnable meanwhile) {
        settle(tickets, everyNanos, meanwhile);
        tickets.forEach(Ticket::check);
    }

    private void settle(List<Ticket> tickets, long everyNanos, Runnable meanwhile) {
        long start = station.nowNanos();
        for (Ticket ticket : tickets) {
            while (!station.await(ticket, station.nowNanos() + everyNanos)) {
                meanwhile.run();
                station.turn((now, _) -> {
                    tickets.forEach(one -> complain(one.awaited(), start, now));
                    return null;
                });
            }
        }
        waitedNanos += station.nowNanos() - start;
    }

    /// How long all waits took so far.
    public long waitedNanos() {
        return waitedNanos;
    }

    private void complain(Address silent, long startNanos, long nowNanos) {
        if (silent == null) {
            return;
        }
        long last = heardNanos.applyAsLong(silent);
        if (nowNanos - Math.max(last, startNanos) >= silenceNanos) {
            throw new Overdue(self + " has waited " + seconds(nowNanos - startNanos) + " for " + silent + ", "
                    + (last == 0 ? "never heard" : "last heard " + seconds(nowNanos - last) + " ago")
                    + "; see whether it is stopped or overloaded, or raise --silence");
        }
    }

    private static String seconds(long nanos) {
        return Math.round(nanos * 1e-9) + " s";
    }
}
