package tandem.worker;

import java.util.Arrays;
import tandem.data.Batch;
import tandem.math.Pairs;
import tandem.solver.DiFacto;
import tandem.wire.Values;

/// The weight of each key and, of those that have them, its factors: a factorisation machine. In the first pass, how
/// often a key occurs goes with the gradient of those that have none, for servers to see who earns them.
final class FactorGradient implements BatchGradient {

    private final int dimension;
    private final int width;
    private final Pairs pairs;

    /// Row by row, `width` numbers of room for each key: what was pulled, and its gradient.
    private float[] rows = new float[0];

    private float[] gradients = new float[0];
    private int[] starts = new int[0];
    private int[] lengths = new int[0];
    private int[] pushed = new int[0];

    /// By position in the key list, for the score.
    private float[] weights = new float[0];

    FactorGradient(int dimension) {
        this.dimension = dimension;
        width = DiFacto.width(dimension);
        pairs = new Pairs(dimension);
    }

    @Override
    public Values weights(Batch batch) {
        if (weights.length < batch.keyCount()) {
            int room = batch.keyCount() + (batch.keyCount() >> 2);
            rows = new float[Math.multiplyExact(room, width)];
            gradients = new float[rows.length];
            starts = new int[room];
            Arrays.setAll(starts, key -> key * width);
            lengths = new int[room];
            pushed = new int[room];
            weights = new float[room];
        }
        return new Values.Ragged(rows, starts, lengths, 0, batch.keyCount());
    }

    @Override
    public void clear(Batch batch, boolean first) {
        Arrays.fill(gradients, 0, batch.keyCount() * width, 0);
        gather(batch);
        for (int key = 0; key < batch.keyCount(); key++) {
            pushed[key] = Math.max(1, lengths[key]);
        }
        if (first && dimension > 0) {
            count(batch);
        }
    }

    /// Has the weights side by side. A key that servers have no row for has none.
    private void gather(Batch batch) {
        for (int key = 0; key < batch.keyCount(); key++) {
            weights[key] = lengths[key] == 0 ? 0 : rows[starts[key]];
        }
    }

    private void count(Batch batch) {
        int counted = DiFacto.counted(dimension);
        for (int at = 0; at < batch.entries(); at++) {
            int key = batch.positions()[at];
            for (int number = 1; number < counted && lengths[key] <= 1; number++) {
                pushed[key] = counted;
                gradients[starts[key] + number]++;
            }
        }
    }

    /// The scores of all rows, once the weights are there.
    void scores(Batch batch, float intercept, double[] into) {
        gather(batch);
        for (int row = 0; row < batch.rows(); row++) {
            into[row] = score(batch, row, intercept);
        }
    }

    /// How many keys have a weight or factors.
    int known(Batch batch) {
        gather(batch);
        int known = 0;
        for (int key = 0; key < batch.keyCount(); key++) {
            known += weights[key] != 0 || lengths[key] > 1 ? 1 : 0;
        }
        return known;
    }

    @Override
    public double score(Batch batch, int row, float intercept) {
        pairs.clear();
        for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
            int key = batch.positions()[at];
            if (lengths[key] > 1) {
                pairs.add(rows, starts[key] + 1, batch.values()[at]);
            }
        }
        return RowScore.of(batch, row, weights, intercept) + pairs.value();
    }

    @Override
    public void spread(Batch batch, int row, float slope) {
        for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
            int key = batch.positions()[at];
            int start = starts[key];
            float x = batch.values()[at];
            gradients[start] += slope * x;
            if (lengths[key] > 1) {
                pairs.spread(rows, start + 1, x, slope, gradients, start + 1);
            }
        }
    }

    @Override
    public Values gradients(Batch batch) {
        return new Values.Ragged(gradients, starts, pushed, 0, batch.keyCount());
    }
}
