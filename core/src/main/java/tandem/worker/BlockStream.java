package tandem.worker;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import tandem.client.Answer;
import tandem.client.Call;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.math.Hash;
import tandem.solver.BlockFigures;
import tandem.solver.BlockProximal;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Keys;

/// A stream of a block solver: its rows, how far it has come, and the weights that are on their way to it.
///
/// Each block is two updates: what is pushed for it, and the end of its clock, which without delay is said when all
/// servers have that. So the number of an update tells the block, and whoever takes the stream over knows where to go
/// on.
final class BlockStream {

    /// The least curvature: nobody divides by 0.
    private static final double FLAT = 1e-10;

    private static final int UPDATES_A_TASK = 2;

    /// Blocks whose weights are on their way while all are pulled.
    private static final int PULLED_AT_ONCE = 8;

    private final int number;
    private final Session session;
    private final BlockTask task;
    private final BlockRows rows;

    /// Blocks finished so far, in all rounds.
    private long position;

    /// Whether the weights are those of that position.
    private boolean begun;

    private final ArrayDeque<Coming> coming = new ArrayDeque<>();
    private Ticket sent;

    /// The round that [#order] is of, −1 before the first.
    private long round = -1;

    private int[] order;

    /// By block: the columns that were worked on last, and the list of their keys, which is known elsewhere.
    private final int[][] listed;

    private final Keys[] lists;

    /// What left-out weights would have taken of all messages, and what others did.
    private long wholeBytes;

    private long sentBytes;

    /// Entries of the blocks of this round so far, and of those that were on their way when each was worked on.
    private long entries;

    private long late;

    /// Weights on their way.
    ///
    /// @param entries of the columns, in all rows
    /// @param pulled  weight and outlook of each column
    private record Coming(long task, int block, int[] columns, long entries, double[] pulled, Ticket ticket) {}

    BlockStream(int number, Session session, BlockTask task, BlockRows rows) {
        this.number = number;
        this.session = session;
        this.task = task;
        this.rows = rows;
        this.listed = new int[task.blocks()][];
        this.lists = new Keys[task.blocks()];
    }

    /// Takes the stream's place from the servers: it is new to this worker, or may have been somebody else's meanwhile.
    void locate() {
        long before = session.sent(number);
        position = before / UPDATES_A_TASK;
        if (before % UPDATES_A_TASK != 0) {
            position++;
            session.tick(number, position);
        }
        begun = false;
        sent = null;
        coming.clear();
    }

    /// Pulls all weights as they are after all tasks before this position, if that is not how they are, and where they
    /// were before.
    ///
    /// @param now what is under way; null if nothing is
    private void begin(BlockLoop.Round now) {
        if (begun) {
            return;
        }
        begun = true;
        double[] before = new double[rows.count() + 1];
        int[] inTurn = IntStream.range(0, task.blocks()).toArray();
        for (int block : inTurn) {
            rows.expect(inTurn, block);
            int[] all = IntStream.range(rows.first(block), rows.end(block)).toArray();
            pull(block, all, 0, false);
            for (int k = coming.size(); k > PULLED_AT_ONCE; k--) {
                take();
            }
            if (position > 0 && all.length > 0) {
                System.arraycopy(before(block, all), 0, before, all[0], all.length);
            }
        }
        while (!coming.isEmpty()) {
            take();
        }
        BitSet waiting = new BitSet();
        int done = (int) (position % task.blocks());
        if (now != null && !now.measures() && done > 0) {
            round = position / task.blocks();
            order = BlockTask.order(task.blocks(), Hash.number(task.seed(), round));
            IntStream.range(done, order.length).forEach(k -> waiting.set(rows.first(order[k]), rows.end(order[k])));
        }
        rows.goOn(before, waiting, now == null ? 0 : now.momentum());
    }

    /// The weights of columns before their last step.
    private double[] before(int block, int[] columns) {
        Slice slice = slices(block, columns, new double[2 * columns.length])[0];
        Call call = new Call(
                slice.table(), BlockLoop.BEFORE, Figures.ofWhole(slice.keys().list()));
        Answer answer = session.compute(number, new After(0, position), call, BlockFigures.BEFORE::merge);
        session.await(answer.ticket());
        return answer.figures().real();
    }

    int number() {
        return number;
    }

    long position() {
        return position;
    }

    BlockRows rows() {
        return rows;
    }

    long wholeBytes() {
        return wholeBytes;
    }

    long sentBytes() {
        return sentBytes;
    }

    long entries() {
        return entries;
    }

    long late() {
        return late;
    }

    /// Works on the next block; how many entries that took.
    long step(BlockLoop.Round now) {
        begin(now);
        int block = block(now);
        for (int k = mustTake(block, now.delay()); k > 0; k--) {
            take();
        }
        while (!coming.isEmpty() && coming.peekFirst().ticket.isDone()) {
            take();
        }
        int[] columns = active(block, now);
        double[] pushed = new double[2 * columns.length];
        double[] slopes = now.measures() ? rows.slopes(now.slopes()) : null;
        long before = rows.entries();
        for (int k = 0; k < columns.length; k++) {
            int j = columns[k];
            if (now.measures()) {
                pushed[2 * k] = rows.gradient(j, slopes);
                pushed[2 * k + 1] = -rows.mostCurvature(j) - FLAT;
            } else {
                rows.look(j, BlockProximal.reach(rows.outlooks[j]));
                double curvature = rows.curvature() / now.step() + FLAT;
                // The step that servers take from the weight is then the one from where the scores are.
                pushed[2 * k] = rows.gradient() - curvature * rows.ahead[j];
                pushed[2 * k + 1] = curvature;
            }
        }
        long worked = rows.entries() - before;
        entries += worked;
        late += coming.stream().mapToLong(Coming::entries).sum();
        push(now, pushes(now, slices(block, columns, pushed)));
        position++;
        pull(block, columns, worked, now.holds());
        wholeBytes += 32L * (rows.end(block) - rows.first(block));
        sentBytes += 32L * columns.length;
        return worked;
    }

    /// Where blocks may be late, a worker goes on before servers have said that they have what it pushed: each of them
    /// takes the end of a clock only after all that came before it.
    private void push(BlockLoop.Round now, Slice[] slices) {
        Age age = now.holds() ? Age.of(now.holding()) : Age.UNKNOWN;
        if (now.delay() > 0) {
            session.updateAndTick(number, position + 1, age, slices);
            return;
        }
        if (sent != null) {
            session.await(sent);
        }
        sent = session.updateThenTick(number, position + 1, age, slices);
    }

    private static Slice[] pushes(BlockLoop.Round now, Slice[] slices) {
        return now.whole() ? Arrays.stream(slices).map(Slice::asWhole).toArray(Slice[]::new) : slices;
    }

    /// Takes note of all that is still to come.
    void drain() {
        begin(null);
        while (!coming.isEmpty()) {
            take();
        }
        if (sent != null) {
            session.await(sent);
            sent = null;
        }
    }

    /// The block that comes next.
    private int block(BlockLoop.Round now) {
        long in = position / task.blocks();
        if (in != round) {
            round = in;
            entries = 0;
            late = 0;
            order = BlockTask.order(task.blocks(), Hash.number(task.seed(), in));
            if (!now.measures()) {
                rows.begin(now.momentum());
            }
        }
        int at = (int) (position % task.blocks());
        rows.expect(order, at);
        return order[at];
    }

    /// How many of those that are to come must have come before the next task: all up to the delay, and all of the same
    /// block.
    private int mustTake(int block, int delay) {
        int must = 0;
        int k = 0;
        for (Coming one : coming) {
            k++;
            if (one.task < position - delay || one.block == block) {
                must = k;
            }
        }
        return must;
    }

    private void take() {
        Coming first = coming.removeFirst();
        session.await(first.ticket);
        rows.set(first.columns, first.pulled);
    }

    /// The columns of a block that are worked on: every stream that has them makes the same choice, since it follows
    /// from what servers said of them.
    private int[] active(int block, BlockLoop.Round now) {
        int[] columns = new int[rows.end(block) - rows.first(block)];
        int count = 0;
        for (int j = rows.first(block); j < rows.end(block); j++) {
            if (now.measures() || !(rows.weights[j] == 0 && -rows.outlooks[j] > now.slack())) {
                columns[count++] = j;
            }
        }
        return Arrays.copyOf(columns, count);
    }

    /// Asks for weights as they are once everyone is where this stream is.
    ///
    /// @param entries of the columns
    /// @param held whether those that stay need not come: all who have a feature take part in all of its steps,
    ///             so nobody has missed one
    private void pull(int block, int[] columns, long entries, boolean held) {
        double[] pulled = new double[2 * columns.length];
        After after = new After(0, position);
        Slice[] slices = slices(block, columns, pulled);
        if (held) {
            rows.fill(columns, pulled);
        }
        Ticket ticket = held ? session.pullHeld(number, after, slices) : session.pull(number, after, slices);
        coming.add(new Coming(position - 1, block, columns, entries, pulled, ticket));
    }

    private Slice[] slices(int block, int[] columns, double[] values) {
        if (columns.length == 0) {
            return new Slice[0];
        }
        if (!Arrays.equals(columns, listed[block])) {
            long[] keys = IntStream.of(columns).mapToLong(rows::key).toArray();
            listed[block] = columns;
            lists[block] = Keys.repeated(keys, keys.length);
        }
        int table = rows.isIntercept(columns[0]) ? task.intercept() : task.table();
        return new Slice[] {new Slice(table, lists[block], values)};
    }
}
