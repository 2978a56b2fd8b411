package tandem.data;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.math.Parallel;

/// Turns rows into columns: counts the entries of each column, so that all places are known, then puts
/// every entry into its place. Each piece of work takes neighbouring batches.
///
/// A batch has far fewer keys than entries. What is needed of a column is fetched once a batch into arrays
/// that stay in the processor's cache while its entries pass.
final class Transposition {

    private final List<RowPart> parts;
    private final Parallel parallel;
    private final int pieces;
    private final long[] keys;
    private final int[][] next; // by piece, then column: how many entries, and then the place of the next
    private final boolean[] valued; // by column: whether some entry is not 1

    /// @param parts in the order of their batches
    Transposition(List<RowPart> parts, Parallel parallel, int threads) {
        this.parts = parts;
        this.parallel = parallel;
        pieces = Math.max(1, Math.min(threads, parts.size()));
        keys = number();
        next = new int[pieces][keys.length];
        valued = new boolean[keys.length];
    }

    Columns columns() {
        int[] firstRows = new int[parts.size() + 1];
        for (int p = 0; p < parts.size(); p++) {
            firstRows[p + 1] = Math.addExact(firstRows[p], parts.get(p).rows());
        }
        int rows = firstRows[parts.size()];
        forEachPart((piece, p) -> count(parts.get(p), next[piece]));
        int[] starts = new int[keys.length + 1];
        int[] valueStarts = new int[keys.length + 1];
        for (int j = 0; j < keys.length; j++) {
            int at = starts[j];
            for (int[] counts : next) {
                int count = counts[j];
                counts[j] = at;
                at += count;
            }
            starts[j + 1] = at;
            valueStarts[j + 1] = valueStarts[j] + (valued[j] ? at - starts[j] : 0);
        }
        int[] rowNumbers = new int[starts[keys.length]];
        float[] values = new float[valueStarts[keys.length]];
        double[] labels = new double[rows];
        float[] weights = new float[rows];
        forEachPart((piece, p) -> {
            RowPart part = parts.get(p);
            System.arraycopy(part.labels(), 0, labels, firstRows[p], part.rows());
            System.arraycopy(part.weights(), 0, weights, firstRows[p], part.rows());
            int[] columns = part.columns();
            int[] places = new int[columns.length];
            int[] shifts = new int[columns.length];
            for (int k = 0; k < columns.length; k++) {
                int j = columns[k];
                places[k] = next[piece][j];
                shifts[k] = valued[j] ? valueStarts[j] - starts[j] : Integer.MIN_VALUE;
            }
            place(part, firstRows[p], places, rowNumbers, shifts, values);
            for (int k = 0; k < columns.length; k++) {
                next[piece][columns[k]] = places[k];
            }
        });
        return new Columns(keys, starts, rowNumbers, valueStarts, values, labels, weights);
    }

    private void count(RowPart part, int[] counts) {
        int[] columns = part.columns();
        int[] local = new int[columns.length];
        boolean[] other = new boolean[columns.length];
        for (int position : part.positions()) {
            int k = position < 0 ? ~position : position;
            local[k]++;
            other[k] |= position < 0;
        }
        for (int k = 0; k < columns.length; k++) {
            counts[columns[k]] += local[k];
            if (other[k]) {
                valued[columns[k]] = true; // by several threads, all writing the same
            }
        }
    }

    /// `places` and `shifts` go by position: where the next entry goes, and what to add to that for its value,
    /// which is not stored if this is the smallest number.
    private static void place(
            RowPart part, int firstRow, int[] places, int[] rowNumbers, int[] shifts, float[] values) {
        int value = 0;
        for (int r = 0; r < part.rows(); r++) {
            for (int e = part.starts()[r]; e < part.starts()[r + 1]; e++) {
                int position = part.positions()[e];
                int k = position < 0 ? ~position : position;
                int at = places[k]++;
                rowNumbers[at] = firstRow + r;
                if (shifts[k] != Integer.MIN_VALUE) {
                    values[at + shifts[k]] = position < 0 ? part.values()[value] : 1;
                }
                value += position < 0 ? 1 : 0;
            }
        }
    }

    /// Numbers the columns of all parts by their place among all keys, which are given back, ascending.
    private long[] number() {
        Map<KeyNumbers, int[]> ranks = new LinkedHashMap<>();
        parts.forEach(part -> ranks.put(part.numbers(), null));
        List<KeyNumbers> dictionaries = List.copyOf(ranks.keySet());
        long[] all = union(dictionaries);
        KeyNumbers byKey = new KeyNumbers(all.length);
        for (long key : all) {
            byKey.number(key);
        }
        int[][] found = new int[dictionaries.size()][];
        parallel.run(
                found.length,
                d -> found[d] = Arrays.stream(dictionaries.get(d).keys())
                        .mapToInt(byKey::number)
                        .toArray());
        for (int d = 0; d < found.length; d++) {
            ranks.put(dictionaries.get(d), found[d]);
        }
        forEachPart((_, p) -> parts.get(p).renumber(ranks.get(parts.get(p).numbers())));
        return all;
    }

    private static long[] union(List<KeyNumbers> dictionaries) {
        long[] keys = dictionaries.stream()
                .flatMapToLong(numbers -> Arrays.stream(numbers.keys()))
                .map(key -> key ^ Long.MIN_VALUE) // so that signed order is unsigned order
                .toArray();
        Arrays.sort(keys);
        int unique = 0;
        for (int k = 0; k < keys.length; k++) {
            if (k == 0 || keys[k] != keys[k - 1]) {
                keys[unique++] = keys[k];
            }
        }
        for (int k = 0; k < unique; k++) {
            keys[k] ^= Long.MIN_VALUE;
        }
        return Arrays.copyOf(keys, unique);
    }

    @FunctionalInterface
    private interface PartWork {
        void accept(int piece, int part);
    }

    private void forEachPart(PartWork work) {
        parallel.run(pieces, piece -> {
            int end = (int) ((long) parts.size() * (piece + 1) / pieces);
            for (int p = (int) ((long) parts.size() * piece / pieces); p < end; p++) {
                work.accept(piece, p);
            }
        });
    }
}
