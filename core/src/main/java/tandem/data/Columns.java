package tandem.data;

import java.util.Arrays;
import java.util.Comparator;

/// A data set by columns, for solvers that go through it feature by feature: the rows in which each
/// feature occurs, with its values.
///
/// Column `j` stands for key `keys()[j]` (mixed, ascending as unsigned numbers) and holds the entries
/// `starts()[j]` until `starts()[j + 1]`, rows ascending. A column of ones only, as categorical data
/// have, stores no values.
public final class Columns {

    /// A long column is summed up stretch by stretch of so many entries, so that the sum is the same to the last bit
    /// where only one stretch is at hand.
    public static final int STRETCH = 1 << 15;

    /// No columns of no rows.
    static final Columns NONE =
            new Columns(new long[0], new int[1], new int[0], new int[1], new float[0], new double[0], new float[0]);

    private final int rows;
    private final long[] keys;
    private final int[] starts;
    private final int[] rowNumbers;
    private final int[] valueStarts;
    private final float[] values;
    private final double[] labels;
    private final float[] weights;

    /// `valueStarts[j]` until `valueStarts[j + 1]` are the values of column `j`: as many as it has entries,
    /// or none if all are 1. `labels` and `weights` have one number a row.
    public Columns(
            long[] keys,
            int[] starts,
            int[] rowNumbers,
            int[] valueStarts,
            float[] values,
            double[] labels,
            float[] weights) {
        this.rows = labels.length;
        this.keys = keys;
        this.starts = starts;
        this.rowNumbers = rowNumbers;
        this.valueStarts = valueStarts;
        this.values = values;
        this.labels = labels;
        this.weights = weights;
    }

    /// The same under other keys, of which there are as many and none twice, in their order.
    public Columns under(long[] others) {
        Integer[] order = new Integer[others.length];
        Arrays.setAll(order, j -> j);
        Arrays.sort(order, Comparator.comparing(j -> others[j], Long::compareUnsigned));
        long[] sorted = new long[others.length];
        int[] sortedStarts = new int[starts.length];
        int[] sortedRows = new int[rowNumbers.length];
        int[] sortedValueStarts = new int[valueStarts.length];
        float[] sortedValues = new float[values.length];
        for (int k = 0; k < order.length; k++) {
            int j = order[k];
            int size = starts[j + 1] - starts[j];
            int sizeOfValues = valueStarts[j + 1] - valueStarts[j];
            sorted[k] = others[j];
            System.arraycopy(rowNumbers, starts[j], sortedRows, sortedStarts[k], size);
            System.arraycopy(values, valueStarts[j], sortedValues, sortedValueStarts[k], sizeOfValues);
            sortedStarts[k + 1] = sortedStarts[k] + size;
            sortedValueStarts[k + 1] = sortedValueStarts[k] + sizeOfValues;
        }
        return new Columns(sorted, sortedStarts, sortedRows, sortedValueStarts, sortedValues, labels, weights);
    }

    public int rows() {
        return rows;
    }

    /// How many columns there are.
    public int count() {
        return keys.length;
    }

    public int entries() {
        return starts[keys.length];
    }

    /// How many entries column `j` has.
    public int entries(int j) {
        return starts[j + 1] - starts[j];
    }

    public long[] keys() {
        return keys;
    }

    public int[] starts() {
        return starts;
    }

    /// As a batch carries them: the number, or the index of the label's name in [Labels].
    public double[] labels() {
        return labels;
    }

    /// The instance weight of each row.
    public float[] weights() {
        return weights;
    }

    /// The row of entry `e`.
    public int row(int e) {
        return rowNumbers[e];
    }

    /// The rows of all entries.
    public int[] rowNumbers() {
        return rowNumbers;
    }

    /// Whether some value of column `j` is not 1.
    public boolean hasValues(int j) {
        return valueStarts[j] < valueStarts[j + 1];
    }

    /// The values of the columns that have some, one column after the other.
    public float[] values() {
        return values;
    }

    /// Where those of column `j` begin in [#values()].
    public int valueStart(int j) {
        return valueStarts[j];
    }

    /// The value of entry `e`, which is of column `j`.
    public double value(int j, int e) {
        return valueStarts[j] == valueStarts[j + 1] ? 1 : values[valueStarts[j] + e - starts[j]];
    }

    /// Σ_i x_ij v_i.
    public double dot(int j, double[] v) {
        int end = starts[j + 1];
        int to = Math.min(end, starts[j] + STRETCH);
        double sum = dot(j, starts[j], to, v);
        for (int from = to; from < end; from = to) {
            to = Math.min(end, from + STRETCH);
            sum += dot(j, from, to, v);
        }
        return sum;
    }

    /// The same over the entries of column `j` from `from` until `to`.
    public double dot(int j, int from, int to, double[] v) {
        int value = valueStarts[j];
        // Two sums, so that one addition need not wait for the other.
        double even = 0;
        double odd = 0;
        int e = from;
        if (value == valueStarts[j + 1]) {
            for (; e < to - 1; e += 2) {
                even += v[rowNumbers[e]];
                odd += v[rowNumbers[e + 1]];
            }
            return e < to ? even + odd + v[rowNumbers[e]] : even + odd;
        }
        int shift = value - starts[j];
        for (; e < to - 1; e += 2) {
            even += values[e + shift] * v[rowNumbers[e]];
            odd += values[e + 1 + shift] * v[rowNumbers[e + 1]];
        }
        return e < to ? even + odd + values[e + shift] * v[rowNumbers[e]] : even + odd;
    }

    /// Σ_i x_ij² v_i.
    public double dotSquare(int j, double[] v) {
        int value = valueStarts[j];
        if (value == valueStarts[j + 1]) {
            return dot(j, v);
        }
        double sum = 0;
        int shift = value - starts[j];
        for (int e = starts[j]; e < starts[j + 1]; e++) {
            double x = values[e + shift];
            sum += x * x * v[rowNumbers[e]];
        }
        return sum;
    }

    /// v_i += by·x_ij.
    public void add(int j, double by, double[] v) {
        add(j, starts[j], starts[j + 1], by, v);
    }

    /// The same over the entries of column `j` from `from` until `to`.
    public void add(int j, int from, int to, double by, double[] v) {
        int value = valueStarts[j];
        if (value == valueStarts[j + 1]) {
            for (int e = from; e < to; e++) {
                v[rowNumbers[e]] += by;
            }
        } else {
            int shift = value - starts[j];
            for (int e = from; e < to; e++) {
                v[rowNumbers[e]] += by * values[e + shift];
            }
        }
    }

    /// The first entry of column `j`, from `from` on, whose row is `row` or later.
    public int firstEntry(int j, int from, int row) {
        int low = from;
        int high = starts[j + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rowNumbers[middle] < row) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// v_i += by·x_ij·scale_i.
    public void add(int j, double by, double[] scale, double[] v) {
        int from = starts[j];
        int to = starts[j + 1];
        int value = valueStarts[j];
        if (value == valueStarts[j + 1]) {
            for (int e = from; e < to; e++) {
                int i = rowNumbers[e];
                v[i] += by * scale[i];
            }
        } else {
            int shift = value - from;
            for (int e = from; e < to; e++) {
                int i = rowNumbers[e];
                v[i] += by * values[e + shift] * scale[i];
            }
        }
    }

    /// The largest gradient (`sign` = 1) or its largest negative (`sign` = -1) that column `j` can have if
    /// row i's slope lies between −fall_i and rise_i: Σ x⁺·rise + x⁻·fall, or with the two exchanged.
    public double reach(int j, double sign, double[] fall, double[] rise) {
        double sum = 0;
        int shift = valueStarts[j] - starts[j];
        boolean ones = valueStarts[j] == valueStarts[j + 1];
        for (int e = starts[j]; e < starts[j + 1]; e++) {
            double x = sign * (ones ? 1 : values[e + shift]);
            int i = rowNumbers[e];
            sum += x > 0 ? x * rise[i] : -x * fall[i];
        }
        return sum;
    }
}
