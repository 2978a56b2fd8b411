package tandem.worker;

import tandem.data.Batch;

/// The score of a row: its weights times its values, from `start` on.
final class RowScore {

    private RowScore() {}

    /// Four sums side by side, joined in a fixed order: one sum would wait for each addition in turn.
    ///
    /// @param weights by position in the batch's key list
    static float of(Batch batch, int row, float[] weights, float start) {
        int[] positions = batch.positions();
        float[] values = batch.values();
        int at = batch.starts()[row];
        int end = batch.starts()[row + 1];
        float a = start;
        float b = 0;
        float c = 0;
        float d = 0;
        for (; at + 3 < end; at += 4) {
            a += weights[positions[at]] * values[at];
            b += weights[positions[at + 1]] * values[at + 1];
            c += weights[positions[at + 2]] * values[at + 2];
            d += weights[positions[at + 3]] * values[at + 3];
        }
        for (; at < end; at++) {
            a += weights[positions[at]] * values[at];
        }
        return (a + b) + (c + d);
    }
}
