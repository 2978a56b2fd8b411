package tandem;

import tandem.client.Session;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.Consistency;
import tandem.topology.Peers;
import tandem.topology.Topology;
import tandem.wire.Values;

/// What the body of a [Cluster] works with: its number, and the tables. Belongs to the thread that runs the body.
///
/// Worker number *w* works on stream *w*. A push makes its clock tick; a pull waits for what the consistency of the
/// cluster says.
public final class Worker {

    private final int number;
    private final int workers;
    private final Session session;
    private final Consistency consistency;
    private final Peers peers;

    Worker(int number, int workers, Session session, Consistency consistency, Peers peers) {
        this.number = number;
        this.workers = workers;
        this.session = session;
        this.consistency = consistency;
        this.peers = peers;
    }

    /// Which worker this is, from 0.
    public int number() {
        return number;
    }

    /// How many workers there are.
    public int workers() {
        return workers;
    }

    /// The number of the table called `name`.
    public int table(String name) {
        return session.layout().table(name);
    }

    /// Asks for rows. They are in the arrays of the slices once the ticket is done.
    public Ticket pull(Slice... slices) {
        return session.pull(number, consistency.after(clock(), session.sent(number)), slices);
    }

    /// Sends values to be added, or whatever the rules of the tables make of them, and ends a clock.
    public Ticket push(Slice... slices) {
        return session.update(number, clock() + 1, slices);
    }

    /// Waits until rows or a sum asked for are there; says who is silent if that takes too long.
    public void await(Ticket ticket) {
        peers.await(ticket);
    }

    /// The clocks finished so far.
    public long clock() {
        return session.clock(number);
    }

    /// The rows of the tables as memory that workers share, with the usual room for rows that were read.
    public SharedRows rows() {
        return rows(SharedRows.USUAL_BYTES);
    }

    /// The same with room for about so many bytes. One for a worker: pushes of its own do not go past it.
    public SharedRows rows(long cacheBytes) {
        return new SharedRows(session, number, consistency, cacheBytes);
    }

    /// The entries of a table as vectors, to reckon with where they are.
    public Vectors vectors(int table) {
        return new Vectors(this, table);
    }

    /// Adds up arrays of one length over all workers, each of which has to call this, in the same order. The array is
    /// replaced by the sum when the ticket is done, and is not to be touched before; all get the same bits.
    public Ticket sum(float[] values) {
        return sum(Topology.RING, Values.of(values));
    }

    public Ticket sum(double[] values) {
        return sum(Topology.RING, Values.of(values));
    }

    /// The same, the way of one's choice.
    public Ticket sum(Topology topology, Values values) {
        return peers.sum(topology, values);
    }

    /// All that can be asked of the tables.
    public Session session() {
        return session;
    }

    /// Says that nothing more comes, so that nobody waits for this worker.
    void end() {
        peers.end();
        session.end(number);
    }
}
