package tandem.worker;

import java.io.IOException;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.data.Batches;
import tandem.math.Hash;
import tandem.solver.DualPull;
import tandem.wire.Age;
import tandem.wire.Keys;

/// A stream of dual coordinate ascent: its rows, and how far it has come.
///
/// Each round is two updates: what the stream changes, and the end of its clock, which is said when all servers have
/// that. Servers apply a clock when all streams have ended it. So the number of an update tells the round, and whoever
/// takes the stream over begins it with the same pulls and slopes and comes to the same changes, bit for bit: it does
/// not matter which servers have them from whom.
final class DualStream {

    private static final int UPDATES_A_ROUND = 2;

    private final int number;
    private final Session session;
    private final DualTask task;
    private final Batches data;

    /// Rounds finished so far.
    private long position;

    /// The position that rows, pulls and slopes are of, −1 for none.
    private long pulledAt = -1;

    private DualRows rows;
    private Keys keys;
    private Keys examples;

    DualStream(int number, Session session, DualTask task, Batches data) {
        this.number = number;
        this.session = session;
        this.task = task;
        this.data = data;
    }

    /// Takes the stream's place from the servers: it is new to this worker, or may have been somebody else's meanwhile.
    void locate() {
        long sent = session.sent(number);
        position = sent / UPDATES_A_ROUND;
        if (sent % UPDATES_A_ROUND != 0) {
            position++;
            session.tick(number, position);
        }
        pulledAt = -1;
    }

    int number() {
        return number;
    }

    long position() {
        return position;
    }

    int rows() {
        return rows.data().rows();
    }

    int entries() {
        return rows.data().slots().length;
    }

    /// Has the rows of this round, and pulls and slopes as they are after all rounds before it.
    void begin() throws IOException {
        if (pulledAt == position) {
            return;
        }
        int streams = session.layout().streams();
        if (rows == null || streams > 1) {
            read(StreamRows.load(pass(streams), task.batchRows()));
        }
        if (rows() > 0) {
            session.await(session.pull(
                    number,
                    new After(0, position),
                    new Slice(task.table(), keys, rows.pulls),
                    new Slice(task.slopes(), examples, rows.slopes)));
        }
        pulledAt = position;
        rows.settle();
    }

    /// The batches of this round: dealt anew each time, or where examples are placed, in every other round, those of
    /// the stream's part. While each stream goes over its own examples again, what they disagree on about a feature
    /// that they share hardly dies out; it does as soon as examples have gone from one to another.
    private Batches.Pass pass(int streams) throws IOException {
        int round = (int) (position & Integer.MAX_VALUE);
        return round % 2 == 0 ? data.pass(round, number, streams) : data.acrossParts(round, number, streams);
    }

    private void read(StreamRows read) {
        rows = new DualRows(read, task);
        keys = Keys.repeated(read.keys(), read.keys().length);
        examples = Keys.repeated(read.numbers(), read.rows());
    }

    /// Does what a round is for.
    void step(DualLoop.Round round) throws IOException {
        int streams = session.layout().streams();
        begin();
        switch (round.aim()) {
            case PASS -> {
                rows.pass(streams, round.intercept(), Hash.number(Hash.number(task.seed(), round.number()), number));
                send(rows.changes(streams, DualPull.MOVES), true);
            }
            case BALANCE -> {
                rows.balance(round.balance());
                send(rows.changes(1, DualPull.STAYS), true);
            }
            case HOLDS -> send(rows.holds(), false);
            case SLOPES -> {
                rows.takeSlopes(round.intercept().value());
                send(null, true);
            }
            case GATHER -> {
                rows.gather();
                send(rows.changes(1, DualPull.MOVES), false);
            }
            case LOOK -> throw new IllegalStateException("nothing is sent to look");
        }
        position++;
    }

    /// @param changes what is added to pulls; null for nothing
    /// @param slopes  whether slopes have changed
    private void send(double[] changes, boolean slopes) {
        Slice[] slices = {};
        if (rows() > 0) {
            Slice pushed = changes == null ? null : new Slice(task.table(), keys, changes);
            Slice kept = new Slice(task.slopes(), examples, rows.slopes.clone());
            slices = pushed == null ? new Slice[] {kept} : slopes ? new Slice[] {pushed, kept} : new Slice[] {pushed};
        }
        Ticket sent = session.updateThenTick(number, position + 1, Age.UNKNOWN, slices);
        session.await(sent);
    }

    /// What the rows sum up to; only to look, also at the weights.
    DualLoop.Sums sums(DualLoop.Round round) throws IOException {
        begin();
        return round.aim() == DualLoop.Aim.LOOK
                ? rows.sums(number, round.intercept().value())
                : rows.balance(number);
    }
}
