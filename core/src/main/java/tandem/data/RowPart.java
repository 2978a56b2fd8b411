package tandem.data;

import java.util.Arrays;
import java.util.function.LongPredicate;

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
        return of(batch, numbers, _ -> true);
    }

    /// The same with those of its entries alone whose keys are `wanted`.
    static RowPart of(Batch batch, KeyNumbers numbers, LongPredicate wanted) {
        int[] columns = new int[batch.keyCount()];
        int[] places = new int[batch.keyCount()];
        int known = 0;
        for (int k = 0; k < places.length; k++) {
            boolean keeps = wanted.test(batch.keys()[k]);
            places[k] = keeps ? known : -1;
            if (keeps) {
                columns[known++] = numbers.number(batch.keys()[k]);
            }
        }
        int[] starts = new int[batch.rows() + 1];
        int[] positions = new int[batch.entries()];
        float[] values = new float[batch.entries()];
        int entries = 0;
        int kept = 0;
        for (int i = 0; i < batch.rows(); i++) {
            for (int e = batch.starts()[i]; e < batch.starts()[i + 1]; e++) {
                int place = places[batch.positions()[e]];
                float value = batch.values()[e];
                if (place >= 0) {
                    positions[entries++] = value == 1 ? place : ~place;
                    if (value != 1) {
                        values[kept++] = value;
                    }
                }
            }
            starts[i + 1] = entries;
        }
        return new RowPart(
                batch.number(),
                numbers,
                Arrays.copyOf(columns, known),
                starts,
                Arrays.copyOf(positions, entries),
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
