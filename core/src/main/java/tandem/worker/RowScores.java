package tandem.worker;

import tandem.data.Batch;
import tandem.server.Table;

/// The scores that the weights now in a table give to the rows of a batch. Belongs to one thread.
public final class RowScores {

    private final Table table;
    private final Table intercept;
    private int[] slots = new int[0];
    private float[] weights = new float[0];
    private final int[] interceptSlot = {0};
    private final float[] interceptWeight = {0};

    /// @param intercept a table of one key, or null for no intercept
    public RowScores(Table table, Table intercept) {
        this.table = table;
        this.intercept = intercept;
    }

    /// Puts the score of each row into `scores`.
    public void score(Batch batch, double[] scores) {
        int keyCount = batch.keyCount();
        if (slots.length < keyCount) {
            slots = new int[keyCount + (keyCount >> 2)];
            weights = new float[slots.length];
        }
        table.find(batch.keys(), keyCount, slots);
        table.pull(slots, keyCount, weights);
        if (intercept != null) {
            intercept.find(new long[] {OnlineTask.INTERCEPT}, 1, interceptSlot);
            intercept.pull(interceptSlot, 1, interceptWeight);
        }
        score(batch, weights, interceptWeight[0], scores);
    }

    /// The same with the weights at hand, by position in the batch's key list.
    static void score(Batch batch, float[] weights, float intercept, double[] scores) {
        for (int row = 0; row < batch.rows(); row++) {
            double score = intercept;
            for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                score += (double) weights[batch.positions()[at]] * batch.values()[at];
            }
            scores[row] = score;
        }
    }
}
