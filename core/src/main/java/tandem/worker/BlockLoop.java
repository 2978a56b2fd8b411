package tandem.worker;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.data.Batches;
import tandem.data.BlockColumns;
import tandem.data.ColumnLoader;
import tandem.data.ColumnUse;
import tandem.data.Columns;
import tandem.solver.Balance;

/// A worker's half of delayed block proximal gradient (Li et al. 2014): for block after block, in random order, it
/// pushes the gradient of its examples' loss by the block's weights and a bound on its curvature, and pulls the weights
/// that servers make of what all workers push. With a delay it goes on to later blocks meanwhile.
public final class BlockLoop {

    /// What servers know [tandem.solver.BlockFigures#BEFORE] by.
    static final String BEFORE = "block before";

    private final Session session;
    private final Batches data;
    private final ColumnUse use;
    private final Account account;

    /// The streams of this worker, and their examples.
    private final HeldStreams<BlockStream> streams;

    private final Map<Integer, BlockColumns> columns = new TreeMap<>();
    private BlockTask task;

    /// @param use  where columns are
    /// @param told hears, after every block, what was done so far
    public BlockLoop(Session session, Batches data, ColumnUse use, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        this.use = use;
        account = new Account(session, told);
        streams = new HeldStreams<>(session, BlockStream::position, BlockStream::locate);
    }

    /// One time through all blocks.
    ///
    /// @param number   how many rounds came before it, of all problems
    /// @param aim      what it is for
    /// @param step     by what the bounds on curvature are divided: 1, or less where weights that are
    ///                 moved together hinder each other
    /// @param momentum how much further weights are taken in the direction of the round before, before they move
    /// @param slack    weights of 0 are left out that would rest if the scores of all rows they have moved as far
    /// @param balance  when measuring: how often slopes count
    /// @param whole    whether what is pushed travels past filters that lose something of it
    /// @param holding  the number of the round among those in which weights move, from 1, if servers leave
    ///                 small steps for later; 0 if they take all
    /// @param delay    a block is begun once all blocks up to so many before it are finished
    /// @param enough   done when the rest is to be left for another call
    public record Round(
            long number,
            Aim aim,
            double step,
            double momentum,
            double slack,
            Balance balance,
            boolean whole,
            int holding,
            int delay,
            Ticket enough) {

        boolean measures() {
            return aim != Aim.MOVE;
        }

        /// The slopes whose gradient is measured.
        RowState.View slopes() {
            return aim == Aim.MEASURE_ORIGIN
                    ? new RowState.View(true, Balance.NONE)
                    : new RowState.View(false, balance);
        }

        boolean holds() {
            return holding > 0;
        }
    }

    /// What a round is for: to move weights, or only to measure their gradient, or what it would be if all were 0.
    public enum Aim {
        MOVE,
        MEASURE,
        MEASURE_ORIGIN
    }

    /// What a stream's examples sum up to.
    ///
    /// @param loss    the training loss
    /// @param moved   Σ of the squares of what scores moved by in the last round in which weights did
    /// @param falls   Σ of the slopes below 0, without their sign; 0 where no bound is asked for
    /// @param rises   Σ of those above, likewise
    /// @param dual    the stream's part of a lower bound of the objective, likewise
    /// @param columns how many features there are
    /// @param whole   bytes of weights, gradients and curvatures of all of them, in all rounds so far
    /// @param sent    those of features that were not left out
    /// @param entries of the blocks of the last round
    /// @param late    of the blocks that were on their way when each of them was worked on
    public record Sums(
            int stream,
            double loss,
            double moved,
            double falls,
            double rises,
            double dual,
            long columns,
            long whole,
            long sent,
            long entries,
            long late) {}

    /// Works through a round of a task, which is the same object each time, with all streams that this worker has or
    /// comes to have; whether all are through.
    public boolean run(BlockTask on, Round round) throws IOException {
        if (on != task) {
            task = on;
            streams.clear();
        }
        boolean over;
        do {
            over = work(round);
            for (BlockStream stream : streams.all()) {
                stream.drain();
                session.flush(stream.number());
            }
        } while (over && streams.haveMoved());
        account.note();
        return over;
    }

    private boolean work(Round round) throws IOException {
        long end = (round.number + 1) * task.blocks();
        while (true) {
            streams.locate(this::open, this::keepOnly);
            if (round.enough.isDone()) {
                return false;
            }
            BlockStream next = streams.next(end);
            if (next == null) {
                return true;
            }
            step(next, round);
        }
    }

    private BlockStream open(int stream) throws IOException {
        return new BlockStream(stream, session, task, new BlockRows(columns(stream), task));
    }

    private void keepOnly(List<Integer> kept) throws IOException {
        for (int stream : List.copyOf(columns.keySet())) {
            if (!kept.contains(stream)) {
                columns.remove(stream).close();
            }
        }
    }

    private BlockColumns columns(int stream) throws IOException {
        if (!columns.containsKey(stream)) {
            long[] firsts = IntStream.range(0, task.ranges())
                    .mapToLong(block -> BlockTask.firstKey(block, task.ranges()))
                    .toArray();
            columns.put(stream, columns(stream, session.layout().streams(), firsts));
        }
        return columns.get(stream);
    }

    private BlockColumns columns(int stream, int streams, long[] firsts) throws IOException {
        if (task.groups() == null) {
            return data.columns(stream, streams, firsts, use);
        }
        Columns mixed = ColumnLoader.load(data, stream, streams);
        return BlockColumns.held(mixed.under(task.groups().keys(mixed.keys())), firsts);
    }

    private void step(BlockStream stream, Round round) {
        account.begin();
        long blocks = task.blocks();
        long at = stream.position() % blocks;
        long entries = stream.step(round);
        session.station().worked((int) Math.min(Integer.MAX_VALUE, entries), round.enough);
        long rows = stream.rows().rows();
        // A round has seen every example once.
        long examples = rows * (at + 1) / blocks - rows * at / blocks;
        account.end(examples);
        account.tell();
    }

    /// What was done so far, in all rounds.
    public Learned learned() {
        return account.learned();
    }

    /// What the examples of each stream of this worker sum up to, under the weights after the last round.
    public List<Sums> sums() {
        return streams.all().stream().map(stream -> sums(stream, 0, 0, 0)).toList();
    }

    /// The same with what bounds the objective from below, which takes logarithms of all slopes.
    ///
    /// @param scale what slopes are multiplied by, besides
    public List<Sums> bounds(Balance balance, double scale) {
        return streams.all().stream()
                .map(stream -> {
                    RowState.Bound bound = stream.rows().bound(balance, scale);
                    return sums(stream, bound.falls(), bound.rises(), bound.dual());
                })
                .toList();
    }

    private static Sums sums(BlockStream stream, double falls, double rises, double dual) {
        return new Sums(
                stream.number(),
                stream.rows().loss(),
                stream.rows().moved(),
                falls,
                rises,
                dual,
                stream.rows().count(),
                stream.wholeBytes(),
                stream.sentBytes(),
                stream.entries(),
                stream.late());
    }
}
