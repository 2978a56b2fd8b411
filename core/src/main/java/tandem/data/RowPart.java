package tandem.data;

import java.util.Arrays;

/// The rows of one batch on their way into [Columns].
///
/// @param columns   the numbers of the batch's keys, by `numbers`
/// @param positions each entry's place among `columns`, or its complement for an entry that is not 1
/// @param values    those that are not 1, in the order of entries
record RowPart(
        long batch,
        KeyNumbers numbers,
        int[] columns,
        int[] starts,
        int[] positions,
        float[] values,
        double[] labels,
        float[] weights) {

    static RowPart of(Batch batch, KeyNumbers numbers) {
        int[] columns = new int[batch.keyCount()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = numbers.number(batch.keys()[k]);
        }
        int[] positions = new int[batch.entries()];
        float[] values = new float[batch.entries()];
        int kept = 0;
        for (int e = 0; e < positions.length; e++) {
            int position = batch.positions()[e];
            float value = batch.values()[e];
            positions[e] = value == 1 ? position : ~position;
            if (value != 1) {
                values[kept++] = value;
            }
        }
        return new RowPart(
                batch.number(),
                numbers,
                columns,
                Arrays.copyOf(batch.starts(), batch.rows() + 1),
                positions,
                Arrays.copyOf(values, kept),
                Arrays.copyOf(batch.labels(), batch.rows()),
                Arrays.copyOf(batch.weights(), batch.rows()));
    }

    int rows() {
        return labels.length;
    }

    /// Takes the columns' numbers from `rank`, by the numbers they have now.
    void renumber(int[] rank) {
        for (int k = 0; k < columns.length; k++) {
            columns[k] = rank[columns[k]];
        }
    }
}
