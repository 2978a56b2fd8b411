package tandem.worker;

import tandem.data.Batch;
import tandem.data.Room;

/// A batch and, for each of its keys, the number that it has at this worker.
record PortionBatch(Batch batch, int[] slots) {

    /// A copy that stays as it is, if there is room for it; null otherwise.
    PortionBatch kept(Room room) {
        return room.take(bytes()) ? new PortionBatch(batch.copy(), slots) : null;
    }

    long bytes() {
        return batch.bytes() + (long) Integer.BYTES * slots.length;
    }

    long number() {
        return batch.number();
    }

    /// The scores of the rows at a point, which has a number for each slot.
    double[] scores(double[] point, double intercept) {
        double[] scores = new double[batch.rows()];
        double[] weights = new double[slots.length];
        for (int k = 0; k < slots.length; k++) {
            weights[k] = point[slots[k]];
        }
        int[] starts = batch.starts();
        int[] positions = batch.positions();
        float[] values = batch.values();
        for (int i = 0; i < batch.rows(); i++) {
            double sum = intercept;
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                sum += weights[positions[e]] * values[e];
            }
            scores[i] = sum;
        }
        return scores;
    }

    /// Adds up the gradient of rows with these slopes.
    void addGradient(double[] slopes, SlotSums into) {
        double[] sums = new double[slots.length];
        int[] starts = batch.starts();
        int[] positions = batch.positions();
        float[] values = batch.values();
        for (int i = 0; i < slopes.length; i++) {
            double slope = slopes[i];
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                sums[positions[e]] += slope * values[e];
            }
        }
        into.add(slots, sums);
    }

    /// Adds up the squares of values, each times what its row counts.
    void addSquares(double[] importances, SlotSums into) {
        double[] sums = new double[slots.length];
        for (int i = 0; i < importances.length; i++) {
            for (int e = batch.starts()[i]; e < batch.starts()[i + 1]; e++) {
                double value = batch.values()[e];
                sums[batch.positions()[e]] += importances[i] * value * value;
            }
        }
        into.add(slots, sums);
    }
}
