package tandem.worker;

import java.util.Arrays;
import tandem.data.Batch;
import tandem.server.UpdateRule;
import tandem.wire.Values;

/// A worker's part of a round of model averaging (Moritz, Nishihara, Stoica and Jordan, *SparkNet*, ICLR 2016,
/// algorithm 1): from the average of all workers, τ steps of its own, each on the next rows of its batch; what it got
/// to is then averaged with what the others got to. Of a weight, what the rule remembers of it is averaged alike, so
/// that the average is all there is to know, whoever goes on from it.
///
/// A worker that has not touched a weight got to where it was. So the mean moves by a share of what those that have
/// touched it did, and only that need be said.
final class AveragingSteps implements BatchGradient {

    /// Numbers a weight: itself, and what the rule remembers of it.
    static final int COLUMNS = 2;

    private final Local.Steps how;
    private final UpdateRule rule;
    private final UpdateRule interceptRule;

    /// By position in the batch's list of keys, [#COLUMNS] each: what this worker has got to, and the average that it
    /// set out from.
    float[] entries = new float[0];

    private float[] average = new float[0];

    /// By position: the weight alone, its gradient, and the step that has moved it last.
    private float[] weights = new float[0];

    private float[] gradients = new float[0];
    private int[] stamps = new int[0];

    AveragingSteps(Local.Steps how) {
        this.how = how;
        rule = how.ofWeights();
        interceptRule = how.ofIntercept();
    }

    @Override
    public Values weights(Batch batch) {
        int keys = batch.keyCount();
        if (weights.length < keys) {
            int room = keys + (keys >> 2);
            entries = new float[Math.multiplyExact(room, COLUMNS)];
            average = new float[entries.length];
            weights = new float[room];
            gradients = new float[room];
            stamps = new int[room];
        }
        return new Values.Floats(entries, 0, keys * COLUMNS);
    }

    @Override
    public void clear(Batch batch, boolean first) {
        int keys = batch.keyCount();
        Arrays.fill(gradients, 0, keys, 0);
        Arrays.fill(stamps, 0, keys, -1);
        for (int k = 0; k < keys; k++) {
            weights[k] = entries[k * COLUMNS];
        }
    }

    /// Goes the steps of a batch, and leaves in `intercept` and [#entries] what it gets to; what was learned.
    Learned walk(MinibatchTask task, Batch batch, float[] intercept) {
        Learned learned = Learned.ZERO;
        float[] slope = {0};
        for (int from = 0; from < batch.rows(); from += how.rows()) {
            int to = Math.min(batch.rows(), from + how.rows());
            learned = learned.plus(add(task, batch, from, to, intercept[0], slope));
            step(batch, from, to);
            if (task.intercept() >= 0) {
                interceptRule.update(intercept, 0, slope[0]);
            }
            slope[0] = 0;
        }
        return learned;
    }

    /// Moves the weights of some rows, each once, by their gradient.
    private void step(Batch batch, int from, int to) {
        int[] positions = batch.positions();
        for (int at = batch.starts()[from]; at < batch.starts()[to]; at++) {
            int p = positions[at];
            if (stamps[p] != from) {
                stamps[p] = from;
                rule.update(entries, p * COLUMNS, gradients[p]);
                weights[p] = entries[p * COLUMNS];
                gradients[p] = 0;
            }
        }
    }

    /// The same, and leaves in `interceptShare` and [#gradients] what this stream adds to the mean of `streams`.
    ///
    /// @param first whether it is the first batch of its stream
    Learned share(
            MinibatchTask task, Batch batch, float[] intercept, float[] interceptShare, boolean first, int streams) {
        System.arraycopy(entries, 0, average, 0, batch.keyCount() * COLUMNS);
        float[] interceptAverage = intercept.clone();
        if (first && task.intercept() >= 0) {
            intercept[0] += how.first();
        }
        Learned learned = walk(task, batch, intercept);
        for (int e = 0; e < batch.keyCount() * COLUMNS; e++) {
            average[e] = (entries[e] - average[e]) / streams;
        }
        for (int e = 0; e < COLUMNS; e++) {
            interceptShare[e] = (intercept[e] - interceptAverage[e]) / streams;
        }
        return learned;
    }

    @Override
    public double score(Batch batch, int row, float intercept) {
        return RowScore.of(batch, row, weights, intercept);
    }

    @Override
    public void spread(Batch batch, int row, float slope) {
        int[] positions = batch.positions();
        float[] values = batch.values();
        int end = batch.starts()[row + 1];
        for (int at = batch.starts()[row]; at < end; at++) {
            gradients[positions[at]] += slope * values[at];
        }
    }

    /// What this stream adds to the mean, in an array of its own.
    float[] shares(Batch batch) {
        return Arrays.copyOf(average, batch.keyCount() * COLUMNS);
    }

    /// What this stream adds to the mean.
    @Override
    public Values gradients(Batch batch) {
        return new Values.Floats(average, 0, batch.keyCount() * COLUMNS);
    }
}
