package tandem.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.KeyNumbers;
import tandem.math.RadixSort;

/// The examples of a stream in a pass, in memory, row by row. Entry `e` of a row is the key `keys[slots[e]]` with
/// `values[e]`; keys ascend.
///
/// @param numbers which example each row is, of all: its batch times the rows of a batch, plus its place in that
record StreamRows(
        long[] keys, int[] starts, int[] slots, float[] values, double[] labels, float[] weights, long[] numbers) {

    static StreamRows load(Batches.Pass pass, int batchRows) throws IOException {
        KeyNumbers met = new KeyNumbers();
        List<StreamRows> parts = new ArrayList<>();
        for (Batch batch = new Batch(); pass.next(batch); ) {
            parts.add(of(batch, met, batchRows));
        }
        return joined(parts, met);
    }

    /// The rows of a batch, whose slots are the numbers of keys in the order they were met.
    private static StreamRows of(Batch batch, KeyNumbers met, int batchRows) {
        int[] slots = new int[batch.entries()];
        for (int e = 0; e < slots.length; e++) {
            slots[e] = met.number(batch.keys()[batch.positions()[e]]);
        }
        long[] numbers = new long[batch.rows()];
        Arrays.setAll(numbers, row -> batch.number() * batchRows + row);
        return new StreamRows(
                null,
                Arrays.copyOf(batch.starts(), batch.rows() + 1),
                slots,
                Arrays.copyOf(batch.values(), batch.entries()),
                Arrays.copyOf(batch.labels(), batch.rows()),
                Arrays.copyOf(batch.weights(), batch.rows()),
                numbers);
    }

    private static StreamRows joined(List<StreamRows> parts, KeyNumbers met) {
        parts.sort((one, other) -> Long.compare(one.numbers[0], other.numbers[0]));
        int rows = Math.toIntExact(
                parts.stream().mapToLong(part -> part.labels.length).sum());
        int entries = entries(parts);
        long[] keys = met.keys();
        int[] ranks = ranks(keys);
        StreamRows all = new StreamRows(
                keys,
                new int[rows + 1],
                new int[entries],
                new float[entries],
                new double[rows],
                new float[rows],
                new long[rows]);
        int row = 0;
        int entry = 0;
        for (StreamRows part : parts) {
            for (int r = 0; r < part.labels.length; r++) {
                all.starts[row + r] = entry + part.starts[r];
            }
            for (int e = 0; e < part.slots.length; e++) {
                all.slots[entry + e] = ranks[part.slots[e]];
            }
            System.arraycopy(part.values, 0, all.values, entry, part.values.length);
            System.arraycopy(part.labels, 0, all.labels, row, part.labels.length);
            System.arraycopy(part.weights, 0, all.weights, row, part.weights.length);
            System.arraycopy(part.numbers, 0, all.numbers, row, part.numbers.length);
            row += part.labels.length;
            entry += part.slots.length;
        }
        all.starts[row] = entry;
        return all;
    }

    private static int entries(List<StreamRows> parts) {
        long entries = parts.stream().mapToLong(part -> part.slots.length).sum();
        if (entries > Integer.MAX_VALUE - 64) {
            throw new IllegalArgumentException("a worker has " + entries + " entries of examples and holds at most "
                    + (Integer.MAX_VALUE - 64) + "; use more workers (--workers)");
        }
        return (int) entries;
    }

    /// Sorts keys; where each has come to be.
    static int[] ranks(long[] keys) {
        double[] from = new double[keys.length];
        Arrays.setAll(from, k -> k);
        RadixSort.sort(keys, from);
        int[] ranks = new int[keys.length];
        for (int k = 0; k < ranks.length; k++) {
            ranks[(int) from[k]] = k;
        }
        return ranks;
    }

    int rows() {
        return labels.length;
    }
}
