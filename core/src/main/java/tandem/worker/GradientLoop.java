package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import tandem.client.Call;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.math.RadixSort;
import tandem.solver.Balance;
import tandem.wire.Keys;

/// A worker's half of a solver whose vectors live on servers (Sandblaster, Dean et al. 2012): it pulls
/// the point to look at, finds the loss and gradient there of portions of the data that it is given on
/// demand, and pushes the gradient once it is settled which portions count as its own. Labels stay, and features and
/// scores as far as there is room; the others are read anew each time.
///
/// Every round that changes something on servers is one update of each stream. So the number of updates
/// tells how many rounds a stream has been through, and whoever takes it over knows whether there is
/// something to do.
public final class GradientLoop {

    private static final Ticket NEVER = new Ticket(() -> null);

    private final Session session;
    private final PortionReader reader;
    private final Account account;
    private GradientTask task;
    private int[] streams = {};
    private long moves = -1;

    /// The point, by the numbers of keys.
    private double[] point = {};

    /// The point that was pulled last, and for how many of the keys.
    private long pulledPoint = PortionRows.NOWHERE;

    private int pulledKeys;

    /// All keys in their order and the number of each; null if some were met since.
    private Keys sorted;

    private int[] order;

    /// The gradient of the portion in hand, which is held apart until it is known whether it counts.
    private final SlotSums pending = new SlotSums();

    /// By batch, those that were looked at lately.
    private final Map<Long, PortionRows> rows = new TreeMap<>();

    /// By stream.
    private final Map<Integer, Share> shares = new TreeMap<>();

    /// @param told hears, after every portion, what was done so far
    public GradientLoop(Session session, Batches data, Consumer<Learned> told) {
        this.session = session;
        this.reader = new PortionReader(data, data.room());
        this.account = new Account(session, told);
    }

    /// Batches `from` until `to`, every `every`-th of them.
    public record Portion(long from, long to, int every) {

        /// What is a stream's own of all batches, if each has fixed ones.
        public static Portion of(int stream, int streams, long batches) {
            return new Portion(Math.min(stream, batches), batches, streams);
        }

        long count() {
            return (to - from + every - 1) / every;
        }

        LongStream batches() {
            return LongStream.iterate(from, number -> number < to, number -> number + every);
        }

        /// Whether it goes on where another ends, so that the two are one.
        boolean follows(Portion other) {
            return every == 1 && other.every == 1 && from == other.to;
        }
    }

    /// The batches that count as a stream's, as it is known so far, and what they come to at a point.
    private static final class Share {
        final long point;
        double[] gradient = {};
        Seen seen = Seen.NOTHING;

        Share(long point) {
            this.point = point;
        }

        void add(Seen there, SlotSums more) {
            seen = seen.plus(there);
            gradient = more.addedTo(gradient);
        }
    }

    /// What to look at.
    ///
    /// @param number    which point it is, of all that are ever looked at
    /// @param base      the point that it was reached from
    /// @param clock     the clock that all streams must have reached for it to be there
    /// @param intercept the intercept there
    /// @param gathers   what is summed up there
    public record Point(long number, long base, long clock, double intercept, Gathers gathers, Balance balance) {}

    /// What is summed up of all rows: the gradient of their loss at the point, or what it would be if all weights
    /// were 0; or how often each row counts times the squares of its values, which is what curvature comes from.
    public enum Gathers {
        GRADIENT,
        ORIGIN,
        SQUARES
    }

    /// What was seen at a point, over the portions that count.
    ///
    /// @param batches how many batches that were
    /// @param lines   how many of them have scores at the base too
    /// @param slopes  Σ of the slopes, balanced: the gradient by the intercept
    /// @param falls   Σ of the slopes below 0, without their sign
    /// @param rises   Σ of those above
    public record Seen(
            List<Portion> portions,
            long batches,
            long lines,
            long examples,
            double loss,
            double slopes,
            double falls,
            double rises) {

        public static final Seen NOTHING = new Seen(List.of(), 0, 0, 0, 0, 0, 0, 0);

        public Seen withoutPortions() {
            return new Seen(List.of(), batches, lines, examples, loss, slopes, falls, rises);
        }

        public Seen plus(Seen other) {
            return new Seen(
                    joined(portions, other.portions),
                    batches + other.batches,
                    lines + other.lines,
                    examples + other.examples,
                    loss + other.loss,
                    slopes + other.slopes,
                    falls + other.falls,
                    rises + other.rises);
        }

        private static List<Portion> joined(List<Portion> first, List<Portion> second) {
            List<Portion> both = new ArrayList<>(first);
            for (Portion next : second) {
                if (!both.isEmpty() && next.follows(both.getLast())) {
                    both.set(both.size() - 1, new Portion(both.getLast().from, next.to, 1));
                } else {
                    both.add(next);
                }
            }
            return both;
        }
    }

    /// What was done so far, in all rounds.
    public Learned learned() {
        return account.learned();
    }

    /// Takes part in a round in which one stream has servers change rows, as the update of this number;
    /// the others say that they know of it.
    public void change(GradientTask on, long number, Call call, Ticket enough) {
        begin(on);
        commit(number, enough, stream -> {
            if (stream == 0) {
                session.change(stream, number + 1, call);
            } else {
                session.update(stream, number + 1);
            }
        });
    }

    /// Takes part in a round that only says that the one before is over, where servers wait for that.
    public void tick(GradientTask on, long number, Ticket enough) {
        begin(on);
        commit(number, enough, stream -> session.update(stream, number + 1));
    }

    /// Finds loss and gradient at a point, of the portions that are given to this worker, which count as those of its
    /// first stream; its other streams have none.
    public Map<Integer, Seen> look(GradientTask on, Point at, Ranges portions, Ticket enough) throws IOException {
        begin(on);
        locate();
        forgetOthers(at);
        shares.clear();
        if (streams.length == 0) {
            return Map.of();
        }
        for (int stream : streams) {
            shares.put(stream, new Share(at.number));
        }
        Share own = shares.get(streams[0]);
        Ranges.Range range = portions.next();
        while (range.from() < range.to() && !enough.isDone()) {
            Portion portion = new Portion(range.from(), range.to(), 1);
            Seen seen = look(portion, at, enough);
            if (seen == null) {
                break;
            }
            range = portions.next();
            if (range.counts()) {
                own.add(seen, pending);
                learn(seen);
            }
        }
        account.note();
        Map<Integer, Seen> all = new TreeMap<>();
        shares.forEach((stream, share) -> all.put(stream, share.seen));
        return all;
    }

    /// The same of the portions that belong to the streams of this worker, by stream: whoever has a stream sums up the
    /// same batches in the same order.
    public Map<Integer, Seen> look(GradientTask on, Point at, IntFunction<Portion> fixed, Ticket enough)
            throws IOException {
        begin(on);
        forgetOthers(at);
        Map<Integer, Seen> all = new TreeMap<>();
        do {
            locate();
            all.clear();
            for (int stream : streams) {
                List<Portion> portions = List.of(fixed.apply(stream));
                Share own = isAt(at, stream, portions) ? shares.get(stream) : gather(portions, at, enough);
                if (own != null) {
                    shares.put(stream, own);
                    all.put(stream, own.seen);
                    learn(own.seen);
                }
            }
        } while (session.moves() != moves && !enough.isDone());
        account.note();
        return all;
    }

    /// Drops the rows of batches that others look at meanwhile: if they come back, they are read anyhow.
    private void forgetOthers(Point at) {
        rows.values().removeIf(batch -> !batch.knows(at.number) && !batch.knows(at.base));
    }

    private void learn(Seen seen) {
        account.seen(seen.examples);
        account.tell();
    }

    /// Whether it is known what these portions come to at a point, as the share of a stream.
    private boolean isAt(Point at, int stream, List<Portion> portions) {
        Share share = shares.get(stream);
        return share != null && share.point == at.number && share.seen.portions.equals(portions);
    }

    /// Pushes the gradient of the portions that count as the streams' of this worker, as the update of
    /// this number. Streams that were somebody else's when the point was looked at wait until it is said what they
    /// have.
    ///
    /// @param settled by stream, the portions of those whose worker may not know; it looks at them now
    public void push(GradientTask on, long number, Point at, Map<Integer, List<Portion>> settled, Ticket enough)
            throws IOException {
        begin(on);
        commit(number, enough, stream -> {
            List<Portion> portions = settled.get(stream);
            if (portions != null && !isAt(at, stream, portions)) {
                shares.put(stream, gather(portions, at, NEVER));
            }
            Share share = shares.get(stream);
            // While it was gathered the stream may have been somebody else's, who has pushed it.
            if (share == null || share.point != at.number || session.sent(stream) != number) {
                return;
            }
            if (share.seen.portions.isEmpty()) {
                session.update(stream, number + 1);
                return;
            }
            sort();
            double[] values = new double[order.length];
            for (int k = 0; k < order.length; k++) {
                values[k] = order[k] < share.gradient.length ? share.gradient[order[k]] : 0;
            }
            session.update(stream, number + 1, new Slice(task.table(), sorted, values));
        });
        shares.keySet().retainAll(Arrays.stream(streams).boxed().toList());
    }

    /// Looks at portions at a point, in their order; null if that is of no use any more.
    private Share gather(List<Portion> portions, Point at, Ticket enough) throws IOException {
        Share share = new Share(at.number);
        for (Portion portion : portions) {
            Seen seen = look(portion, at, enough);
            if (seen == null) {
                return null;
            }
            share.add(seen, pending);
        }
        return share;
    }

    /// The loss of this worker's portions, by stream, `part` of the way from one point to another, its derivative by
    /// that, and how many batches that is of.
    public Map<Integer, double[]> between(long base, long number, double part) {
        return byStream(batch -> batch.knows(base) && batch.knows(number) ? batch.between(base, number, part) : null);
    }

    /// This worker's portions' part, by stream, of a lower bound of the objective, and of how many batches that is.
    public Map<Integer, double[]> dual(long number, Balance balance, double scale) {
        return byStream(batch -> batch.knows(number) ? new double[] {batch.dual(number, balance, scale), 0} : null);
    }

    /// Sums of the figures of batches, and last how many have any.
    private Map<Integer, double[]> byStream(Function<PortionRows, double[]> figures) {
        Map<Integer, double[]> all = new TreeMap<>();
        shares.forEach((stream, share) -> {
            double[] sums = new double[3];
            for (Portion portion : share.seen.portions) {
                for (long number = portion.from; number < portion.to; number += portion.every) {
                    PortionRows batch = rows.get(number);
                    double[] of = batch == null ? null : figures.apply(batch);
                    if (of != null) {
                        sums[0] += of[0];
                        sums[1] += of[1];
                        sums[2]++;
                    }
                }
            }
            all.put(stream, sums);
        });
        return all;
    }

    private void begin(GradientTask on) {
        if (on != task) {
            task = on;
            reader.forget();
            rows.clear();
            shares.clear();
            pulledPoint = PortionRows.NOWHERE;
            pulledKeys = 0;
            sorted = null;
        }
    }

    private void locate() {
        if (session.moves() != moves) {
            // Before it is asked which: what moves meanwhile is seen the next time.
            moves = session.moves();
            session.sendWhile(moves);
            streams = session.streams();
        }
    }

    @FunctionalInterface
    private interface Sending {
        void of(int stream) throws IOException;
    }

    /// Sends the update of this number for each stream that this worker has or comes to have, unless
    /// whoever had it before has done so.
    private void commit(long number, Ticket enough, Sending sending) {
        do {
            locate();
            for (int stream : streams) {
                if (session.moves() == moves && session.sent(stream) == number) {
                    try {
                        sending.of(stream);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
            for (int stream : streams) {
                session.flush(stream);
            }
        } while (session.moves() != moves && !enough.isDone());
        account.note();
    }

    /// Null if it is left, because it is of no use any more.
    private Seen look(Portion portion, Point at, Ticket enough) throws IOException {
        reader.meet(portion);
        pull(at);
        pending.clear();
        pending.grow(reader.keys().size());
        double loss = 0;
        double sum = 0;
        double falls = 0;
        double rises = 0;
        long lines = 0;
        long examples = 0;
        reader.begin(portion);
        for (PortionBatch one; (one = reader.next()) != null; ) {
            Batch batch = one.batch();
            account.begin();
            PortionRows known = rows.get(batch.number());
            if (known == null) {
                known = new PortionRows(batch, task, reader.aside(batch));
                rows.put(batch.number(), known);
            }
            double[] scores = one.scores(point, at.intercept);
            known.keep(at.number, at.base, scores);
            double[] slopes = at.gathers == Gathers.SQUARES
                    ? known.importances()
                    : known.slopes(scores, at.gathers == Gathers.ORIGIN);
            for (int i = 0; i < slopes.length; i++) {
                falls += Math.max(0, -slopes[i]);
                rises += Math.max(0, slopes[i]);
                slopes[i] = at.balance.scaled(slopes[i]);
                sum += slopes[i];
            }
            loss += known.loss(scores);
            lines += known.knows(at.base) ? 1 : 0;
            if (at.gathers == Gathers.SQUARES) {
                one.addSquares(slopes, pending);
            } else {
                one.addGradient(slopes, pending);
            }
            session.station().worked(batch.entries(), enough);
            account.end(0);
            examples += batch.rows();
            if (enough.isDone()) {
                return null;
            }
        }
        return new Seen(List.of(portion), portion.count(), lines, examples, loss, sum, falls, rises);
    }

    /// Has the point at all keys that were met.
    private void pull(Point at) {
        boolean again = pulledPoint != at.number;
        if (!again && pulledKeys == reader.keys().size()) {
            return;
        }
        if (again) {
            sort();
        }
        int first = again ? 0 : pulledKeys;
        int[] wanted = again ? order : byKey(first);
        Keys keys = again ? sorted : keys(wanted, false);
        double[] values = new double[wanted.length];
        long before;
        do {
            locate();
            before = moves;
            // Nobody waits any longer for what was asked for when streams came or went.
            session.await(session.pull(
                    streams.length == 0 ? -1 : streams[0],
                    new After(0, at.clock),
                    new Slice(task.table(), keys, values)));
        } while (session.moves() != before);
        if (point.length < reader.keys().size()) {
            point = Arrays.copyOf(point, reader.keys().size() + reader.keys().size() / 4);
        }
        for (int k = 0; k < wanted.length; k++) {
            point[wanted[k]] = values[k];
        }
        pulledPoint = at.number;
        pulledKeys = reader.keys().size();
    }

    /// Brings all keys into their order.
    private void sort() {
        if (sorted == null || sorted.count() < reader.keys().size()) {
            order = byKey(0);
            sorted = keys(order, true);
        }
    }

    private Keys keys(int[] wanted, boolean again) {
        long[] all = reader.keys().keys();
        long[] keys = new long[wanted.length];
        for (int k = 0; k < keys.length; k++) {
            keys[k] = all[wanted[k]];
        }
        return again ? Keys.repeated(keys, keys.length) : Keys.once(keys, keys.length);
    }

    /// The numbers of the keys from one number on, in the order of the keys.
    private int[] byKey(int first) {
        long[] all = reader.keys().keys();
        long[] keys = Arrays.copyOfRange(all, first, all.length);
        double[] places = new double[keys.length];
        for (int k = 0; k < places.length; k++) {
            places[k] = first + k;
        }
        RadixSort.sort(keys, places);
        return Arrays.stream(places).mapToInt(place -> (int) place).toArray();
    }
}
