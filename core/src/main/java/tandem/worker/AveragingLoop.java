package tandem.worker;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.topology.Peers;
import tandem.topology.Topology;
import tandem.wire.Values;

/// The rounds of workers that average their weights with each other, without servers: each goes its steps from the
/// average ([AveragingSteps]), and what all got to is summed. Servers are told the average at the end of a pass, and
/// have that of the pass before until then: so if somebody is lost, all go back to that, and nothing counts twice.
public final class AveragingLoop {

    private static final int COLUMNS = AveragingSteps.COLUMNS;

    /// Rows of a table a message, at most.
    private static final int CHUNK = 1 << 16;

    private final Session session;
    private final Batches data;
    private final Peers peers;
    private final Topology topology;
    private final Consumer<Learned> told;

    /// What was learned in passes that are through, and in all so far.
    private Learned settled = Learned.ZERO;

    private Learned learned = Learned.ZERO;

    /// The features of all workers; null before those have agreed.
    private SharedKeys keys;

    /// The average: [#COLUMNS] numbers a key, and as many of the intercept after them.
    private float[] average = new float[0];

    /// Which table's it is, after how many rounds.
    private int averageTable = -1;

    private long averageRounds;

    /// What was sent to other workers.
    private long summingNanos;

    /// What is in what was learned.
    private long sentNanos;

    private long waitedNanos;

    /// @param told hears, after every round, what was learned so far
    public AveragingLoop(Session session, Batches data, Peers peers, Topology topology, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        this.peers = peers;
        this.topology = topology;
        this.told = told;
    }

    /// A pass to work through.
    ///
    /// @param number     which pass it is, which decides the order of batches
    /// @param rounds     how many passes came before it, of all problems
    /// @param generation a number that rises with every call for it
    /// @param self       which of those that take part this worker is
    /// @param workers    how many take part
    /// @param enough     done when the pass is to be left
    public record Round(int number, long rounds, long generation, int self, int workers, Ticket enough) {}

    /// What workers have of a pass, which has to be the same of all for them to go on together.
    private enum Has {
        KEYS,
        AVERAGE,
        RESULT,
        WRITTEN
    }

    public Learned learned() {
        return learned;
    }

    /// Works through a pass; false if it was left, and is as if it had not begun.
    public boolean run(MinibatchTask task, Round round) throws IOException {
        peers.renumber(round.generation);
        learned = settled;
        int[] has = sumOfAll(task, round);
        if (has == null) {
            return false;
        }
        if (isWritten(has) || has[Has.RESULT.ordinal()] == round.workers) {
            return true;
        }
        if (has[Has.WRITTEN.ordinal()] > 0) {
            throw new IllegalStateException("a worker and the coordinator were lost while the average was written, and"
                    + " servers have half of it; go on from a checkpoint (--resume)");
        }
        if (has[Has.KEYS.ordinal()] < round.workers) {
            keys = SharedKeys.agree(own(round), round.self, round.workers, array -> isSummed(Values.of(array), round));
            if (keys == null) {
                return false;
            }
        }
        if (has[Has.AVERAGE.ordinal()] < round.workers) {
            read(task, round);
        }
        boolean through = rounds(task, round);
        averageTable = through ? task.table() : -1;
        averageRounds = round.rounds + 1;
        return through;
    }

    /// By [Has]: how many workers have it, or streams; null if the pass is to be left.
    private int[] sumOfAll(MinibatchTask task, Round round) {
        double[] sums = new double[Has.values().length];
        sums[Has.KEYS.ordinal()] = keys == null ? 0 : 1;
        sums[Has.AVERAGE.ordinal()] = has(task, round.rounds) ? 1 : 0;
        sums[Has.RESULT.ordinal()] = has(task, round.rounds + 1) ? 1 : 0;
        for (int stream : session.streams()) {
            sums[Has.WRITTEN.ordinal()] += session.clock(stream) > round.rounds ? 1 : 0;
        }
        return isSummed(Values.of(sums), round)
                ? Arrays.stream(sums).mapToInt(sum -> (int) sum).toArray()
                : null;
    }

    private boolean isWritten(int[] has) {
        return has[Has.WRITTEN.ordinal()] == session.layout().streams();
    }

    private boolean has(MinibatchTask task, long rounds) {
        return averageTable == task.table() && averageRounds == rounds;
    }

    /// Sums numbers over all workers; false if the pass is to be left.
    private boolean isSummed(Values values, Round round) {
        long start = session.station().nowNanos();
        Ticket sum = peers.sum(topology, values);
        summingNanos += session.station().nowNanos() - start;
        return peers.await(sum, round.enough);
    }

    /// The keys of this worker's examples, in whatever order.
    private long[] own(Round round) throws IOException {
        return SharedKeys.of(
                data, round.number, session.streams(), session.layout().streams());
    }

    private int interceptAt() {
        return keys.count() * COLUMNS;
    }

    /// Takes what servers have: the average of the pass before.
    private void read(MinibatchTask task, Round round) {
        average = new float[interceptAt() + COLUMNS];
        for (int from = 0; from < keys.count(); from += CHUNK) {
            session.read(slice(task, from, Math.min(keys.count(), from + CHUNK)));
        }
        if (task.intercept() >= 0) {
            session.read(interceptSlice(task));
            if (round.number == 0) {
                average[interceptAt()] +=
                        ((Local.Averaging) task.local()).steps().first();
            }
        }
    }

    private Slice slice(MinibatchTask task, int from, int to) {
        return new Slice(
                task.table(), keys.part(from, to), new Values.Floats(average, from * COLUMNS, (to - from) * COLUMNS));
    }

    private Slice interceptSlice(MinibatchTask task) {
        return new Slice(task.intercept(), PulledScores.INTERCEPT, new Values.Floats(average, interceptAt(), COLUMNS));
    }

    /// Goes steps and takes the mean, again and again until nobody has a batch left.
    private boolean rounds(MinibatchTask task, Round round) throws IOException {
        int all = session.layout().streams();
        int counting = (int) Math.min(all, data.count());
        int[] streams = session.streams();
        Batches.Pass[] passes = new Batches.Pass[streams.length];
        for (int s = 0; s < passes.length; s++) {
            passes[s] = data.pass(round.number, streams[s], all);
        }
        AveragingSteps steps = (AveragingSteps) task.gradient();
        Batch batch = new Batch();
        float[] mine = new float[average.length];
        float[] sum = new float[average.length];
        for (long r = 0; r < Math.ceilDiv(data.count(), all); r++) {
            long start = session.station().nowNanos();
            Arrays.fill(sum, 0);
            for (int s = 0; s < passes.length; s++) {
                System.arraycopy(average, 0, mine, 0, mine.length);
                if (passes[s].next(batch)) {
                    learned = learned.plus(walk(task, steps, batch, mine));
                    session.station()
                            .worked((long) batch.entries() * task.local().effort(), round.enough);
                }
                // Who has no batch in the whole pass does not count.
                if (streams[s] < counting) {
                    add(mine, sum);
                }
            }
            learned = learned.plus(new Learned(0, 0, 0, (session.station().nowNanos() - start) * 1e-9, 0));
            if (!isSummed(Values.of(sum), round)) {
                return false;
            }
            for (int e = 0; e < sum.length; e++) {
                average[e] = sum[e] / counting;
            }
            noteTimes();
            told.accept(learned);
        }
        return true;
    }

    private static void add(float[] from, float[] into) {
        for (int e = 0; e < into.length; e++) {
            into[e] += from[e];
        }
    }

    /// Goes the steps of a batch, and leaves in `mine` what it gets to.
    private Learned walk(MinibatchTask task, AveragingSteps steps, Batch batch, float[] mine) {
        steps.weights(batch);
        int[] numbers = keys.numbers(batch);
        for (int k = 0; k < batch.keyCount(); k++) {
            System.arraycopy(mine, numbers[k] * COLUMNS, steps.entries, k * COLUMNS, COLUMNS);
        }
        steps.clear(batch, false);
        float[] intercept = Arrays.copyOfRange(mine, interceptAt(), interceptAt() + COLUMNS);
        Learned now = steps.walk(task, batch, intercept);
        for (int k = 0; k < batch.keyCount(); k++) {
            System.arraycopy(steps.entries, k * COLUMNS, mine, numbers[k] * COLUMNS, COLUMNS);
        }
        System.arraycopy(intercept, 0, mine, interceptAt(), COLUMNS);
        return now;
    }

    private void noteTimes() {
        long waited = peers.waitedNanos() + session.waitedNanos();
        long sent = summingNanos + session.sentNanos();
        learned = learned.plus(new Learned(0, 0, 0, 0, (waited - waitedNanos) * 1e-9, (sent - sentNanos) * 1e-9));
        waitedNanos = waited;
        sentNanos = sent;
    }

    /// Tells servers the average of a pass: each of those that have it a part of the keys. Whoever does not have it has
    /// nothing to say. To be called again, for fewer, if one of them was lost.
    ///
    /// @param writers by worker, which part it is to tell
    /// @return whether this worker's part is with the servers
    public boolean write(MinibatchTask task, Round round, Map<Integer, Integer> writers) {
        int[] streams = session.streams();
        boolean written = Arrays.stream(streams).allMatch(stream -> session.clock(stream) > round.rounds);
        Integer part = writers.get(round.self);
        if (part != null && has(task, round.rounds + 1)) {
            int from = (int) ((long) keys.count() * part / writers.size());
            int to = (int) ((long) keys.count() * (part + 1) / writers.size());
            for (int at = from; at < to; at += CHUNK) {
                session.update(streams[0], session.clock(streams[0]), slice(task, at, Math.min(to, at + CHUNK)));
            }
            if (part == 0 && task.intercept() >= 0) {
                session.update(streams[0], session.clock(streams[0]), interceptSlice(task));
            }
            session.flush(streams[0]);
            written = true;
        }
        for (int stream : streams) {
            if (written && session.clock(stream) <= round.rounds) {
                session.update(stream, round.rounds + 1);
                session.flush(stream);
            }
        }
        settled = learned;
        return written;
    }
}
