package tandem.worker;

import java.util.Arrays;
import tandem.data.Batch;
import tandem.wire.Values;

/// One weight a key.
final class LinearGradient implements BatchGradient {

    /// By position in the batch's list of keys.
    float[] weights = new float[0];

    float[] gradients = new float[0];

    @Override
    public Values weights(Batch batch) {
        if (weights.length < batch.keyCount()) {
            weights = new float[batch.keyCount() + (batch.keyCount() >> 2)];
            gradients = new float[weights.length];
        }
        return new Values.Floats(weights, 0, batch.keyCount());
    }

    @Override
    public void clear(Batch batch, boolean first) {
        Arrays.fill(gradients, 0, batch.keyCount(), 0);
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

    @Override
    public Values gradients(Batch batch) {
        return new Values.Floats(gradients, 0, batch.keyCount());
    }
}
