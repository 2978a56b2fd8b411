package tandem.topology;

import tandem.client.Station;
import tandem.client.Ticket;
import tandem.client.Waiting;
import tandem.wire.Address;
import tandem.wire.Values;

/// The calls of a worker's loop to the other workers. Belongs to one thread.
public final class Peers {

    private final AllReduce sums;
    private final Station station;
    private final Waiting waiting;

    /// @param silenceNanos how long a worker that is waited for may be silent
    public Peers(Address self, AllReduce sums, Station station, long silenceNanos) {
        this.sums = sums;
        this.station = station;
        this.waiting = new Waiting(self, station, silenceNanos, sums::heardNanos);
    }

    /// Adds up arrays of one length over all workers, each of which has to call this, in the same order. The array is
    /// replaced by the sum when the ticket is done, and is not to be touched before. Waits first if too many sums
    /// are under way.
    public Ticket sum(Topology topology, Values values) {
        await(station.turn((_, _) -> sums.room()));
        return station.turn((now, out) -> sums.sum(topology, values, now, out));
    }

    /// Forgets sums under way and begins anew, with all workers that do so for the same `generation`, a number that
    /// rises: for when somebody was lost in the middle of a sum.
    public void renumber(long generation) {
        station.turn((_, _) -> {
            sums.renumber(generation);
            return null;
        });
    }

    /// Waits until a sum is there, or until `enough` is done; whether the sum is there.
    public boolean await(Ticket sum, Ticket enough) {
        Ticket either = new Ticket(sum::awaited);
        station.turn((_, _) -> {
            sum.whenDone(() -> complete(either));
            enough.whenDone(() -> complete(either));
            return null;
        });
        waiting.await(either);
        sum.check();
        return sum.isDone();
    }

    private static void complete(Ticket ticket) {
        if (!ticket.isDone()) {
            ticket.complete();
        }
    }

    /// Waits until a sum is there; says who is silent if that takes too long.
    public void await(Ticket ticket) {
        waiting.await(ticket);
    }

    /// Says that this worker takes part in no more sums, so that whoever waits for it gives up in the end.
    public void end() {
        station.turn((_, _) -> {
            sums.end();
            return null;
        });
    }

    /// How long all waits took so far.
    public long waitedNanos() {
        return waiting.waitedNanos();
    }
}
