package tandem.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import tandem.data.Batch;

/// The average of workers' weights where somebody has all of it, or what one of them adds to it: only features that
/// have been touched. Never changes.
public final class SparseAverage {

    private static final int COLUMNS = AveragingSteps.COLUMNS;

    /// What comes before the keys: their number, the intercept, and what was learned.
    private static final int HEAD = Integer.BYTES + COLUMNS * Float.BYTES + 4 * Double.BYTES;

    /// Where nobody has learned anything.
    public static final SparseAverage NONE =
            new SparseAverage(new long[0], new float[0], new float[COLUMNS], Learned.ZERO);

    /// Ascending as unsigned numbers.
    private final long[] keys;

    /// [#COLUMNS] a key.
    private final float[] entries;

    private final float[] intercept;
    private final Learned learned;

    private SparseAverage(long[] keys, float[] entries, float[] intercept, Learned learned) {
        this.keys = keys;
        this.entries = entries;
        this.intercept = intercept;
        this.learned = learned;
    }

    public long[] keys() {
        return keys.clone();
    }

    /// The weights of the keys.
    public double[] weights() {
        double[] weights = new double[keys.length];
        Arrays.setAll(weights, k -> entries[k * COLUMNS]);
        return weights;
    }

    public double intercept() {
        return intercept[0];
    }

    /// What was learned on the way.
    public Learned learned() {
        return learned;
    }

    /// What a worker adds to this average, with which it sets out on a batch.
    ///
    /// @param first   whether it is the first batch of its stream
    /// @param streams of how many the mean is taken
    public SparseAverage share(MinibatchTask task, Batch batch, boolean first, int streams) {
        AveragingSteps steps = (AveragingSteps) task.gradient();
        steps.weights(batch);
        look(batch, steps.entries);
        steps.clear(batch, false);
        float[] own = intercept.clone();
        float[] interceptShare = new float[COLUMNS];
        Learned now = steps.share(task, batch, own, interceptShare, first, streams);
        return new SparseAverage(
                Arrays.copyOf(batch.keys(), batch.keyCount()), steps.shares(batch), interceptShare, now);
    }

    /// Puts the score of each row into `scores`.
    public void score(Batch batch, double[] scores) {
        float[] rows = new float[batch.keyCount() * COLUMNS];
        look(batch, rows);
        float[] weights = new float[batch.keyCount()];
        for (int k = 0; k < weights.length; k++) {
            weights[k] = rows[k * COLUMNS];
        }
        RowScores.score(batch, weights, intercept[0], scores);
    }

    /// Has in `rows` what there is to the keys of a batch, which ascend too.
    private void look(Batch batch, float[] rows) {
        Arrays.fill(rows, 0, batch.keyCount() * COLUMNS, 0);
        for (int k = 0, at = 0; k < batch.keyCount(); k++) {
            long key = batch.keys()[k];
            while (at < keys.length && Long.compareUnsigned(keys[at], key) < 0) {
                at++;
            }
            if (at < keys.length && keys[at] == key) {
                System.arraycopy(entries, at * COLUMNS, rows, k * COLUMNS, COLUMNS);
            }
        }
    }

    public SparseAverage plus(SparseAverage other) {
        long[] both = new long[keys.length + other.keys.length];
        float[] sums = new float[both.length * COLUMNS];
        int count = 0;
        for (int a = 0, b = 0; a < keys.length || b < other.keys.length; count++) {
            int order =
                    a == keys.length ? 1 : b == other.keys.length ? -1 : Long.compareUnsigned(keys[a], other.keys[b]);
            both[count] = order <= 0 ? keys[a] : other.keys[b];
            for (int c = 0; c < COLUMNS; c++) {
                sums[count * COLUMNS + c] =
                        (order <= 0 ? entries[a * COLUMNS + c] : 0) + (order >= 0 ? other.entries[b * COLUMNS + c] : 0);
            }
            a += order <= 0 ? 1 : 0;
            b += order >= 0 ? 1 : 0;
        }
        float[] together = new float[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            together[c] = intercept[c] + other.intercept[c];
        }
        return new SparseAverage(
                Arrays.copyOf(both, count),
                Arrays.copyOf(sums, count * COLUMNS),
                together,
                learned.plus(other.learned));
    }

    /// The same with something learned besides.
    public SparseAverage with(Learned more) {
        return new SparseAverage(keys, entries, intercept, learned.plus(more));
    }

    /// The same of which nothing was learned yet.
    public SparseAverage anew() {
        return new SparseAverage(keys, entries, intercept, Learned.ZERO);
    }

    /// The same in bytes; how long was waited is left out.
    public byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(HEAD + keys.length * (Long.BYTES + COLUMNS * Float.BYTES));
        out.putInt(keys.length);
        for (float one : intercept) {
            out.putFloat(one);
        }
        out.putDouble(learned.examples()).putDouble(learned.weight()).putDouble(learned.loss());
        out.putDouble(learned.computeSeconds());
        out.asLongBuffer().put(keys);
        out.position(HEAD + keys.length * Long.BYTES);
        out.asFloatBuffer().put(entries);
        return out.array();
    }

    /// What [#bytes] has made.
    public static SparseAverage of(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long[] keys = new long[in.getInt()];
        float[] intercept = new float[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            intercept[c] = in.getFloat();
        }
        Learned learned = new Learned((long) in.getDouble(), in.getDouble(), in.getDouble(), in.getDouble(), 0);
        in.asLongBuffer().get(keys);
        in.position(HEAD + keys.length * Long.BYTES);
        float[] entries = new float[keys.length * COLUMNS];
        in.asFloatBuffer().get(entries);
        return new SparseAverage(keys, entries, intercept, learned);
    }
}
