package tandem.client;

import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Layout;

/// The calls of a worker's loop: ordinary blocking Java over a [Client], in whatever runtime the [Station] is of.
/// Belongs to one thread.
public final class Session {

    private final Client client;
    private final Station station;
    private final Waiting waiting;

    /// @param silenceNanos how long somebody that is waited for may be silent
    public Session(Address self, Client client, Station station, long silenceNanos) {
        this.client = client;
        this.station = station;
        this.waiting = new Waiting(self, station, silenceNanos, client::heardNanos);
    }

    public Layout layout() {
        return station.turn((_, _) -> client.layout());
    }

    /// The streams that this worker holds, ascending.
    public int[] streams() {
        return station.turn((_, _) -> client.streams());
    }

    /// Sends an update of `stream`, with which it reaches `clock`; waits first if too many are under way.
    public Ticket update(int stream, long clock, Slice... slices) {
        Ticket oldest = station.turn((_, _) -> client.isOpen(stream) ? null : client.oldest(stream));
        if (oldest != null) {
            await(oldest);
        }
        return station.turn((now, out) -> client.update(stream, clock, now, out, slices));
    }

    /// Waits until all updates of a stream are applied.
    public void flush(int stream) {
        for (Ticket next; (next = station.turn((_, _) -> client.oldest(stream))) != null; ) {
            await(next);
        }
    }

    /// Says that a stream is over, and waits until all its updates are applied.
    public void end(int stream) {
        update(stream, Client.OVER);
        flush(stream);
    }

    /// Asks for rows of keys that an update will follow.
    public Ticket pull(int stream, After after, Slice... slices) {
        return station.turn((now, out) -> client.pull(stream, after, true, now, out, slices));
    }

    /// Reads rows as they are now.
    public void read(Slice... slices) {
        await(station.turn((now, out) -> client.pull(-1, After.NOTHING, false, now, out, slices)));
    }

    /// The updates of a stream sent so far.
    public long sent(int stream) {
        return station.turn((_, _) -> client.sent(stream));
    }

    /// The clocks of a stream finished so far.
    public long clock(int stream) {
        return station.turn((_, _) -> client.clock(stream));
    }

    /// Waits until a request is done; says who is silent if that takes too long.
    public void await(Ticket ticket) {
        waiting.await(ticket);
    }

    /// Has `action` run when the ticket is done, well or badly (see [Ticket#failure]), on whichever thread brings the
    /// last answer; at once if it is done already. It may send further requests, and may not wait.
    public void whenDone(Ticket ticket, Runnable action) {
        station.turn((_, _) -> {
            ticket.whenDone(action);
            return null;
        });
    }

    /// How far behind the reader what it read was, over all reads so far. To be used between requests.
    public Staleness staleness() {
        return client.staleness();
    }

    /// How long this session has waited so far.
    public long waitedNanos() {
        return waiting.waitedNanos();
    }

    public Station station() {
        return station;
    }
}
