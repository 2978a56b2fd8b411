package tandem;

import java.util.Arrays;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.model.FactorRows;
import tandem.server.Row;

/// The factors of a shard as they are copied, row by row, and what they add up to.
final class FactorCopy {

    private final int dimension;
    private final boolean sparse;
    private long[] keys = new long[16];
    private float[] values;
    private int count;
    private long held;
    private double squares;
    private String strange;

    /// @param sparse whether those of a feature without a weight are out of use
    FactorCopy(int dimension, boolean sparse) {
        this.dimension = dimension;
        this.sparse = sparse;
        values = new float[keys.length * dimension];
    }

    /// Takes what a row has: the weight, its factors and one entry more.
    void accept(Row row) {
        if (dimension == 0 || row.length() <= dimension) {
            return;
        }
        held++;
        if (sparse && row.weight(0) == 0) {
            return;
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, 2 * count);
            values = Arrays.copyOf(values, Math.multiplyExact(2 * count, dimension));
        }
        keys[count] = row.key();
        for (int f = 0; f < dimension; f++) {
            double value = row.weight(1 + f);
            values[count * dimension + f] = (float) value;
            squares += value * value;
            if (!Double.isFinite(value)) {
                strange = "a factor of feature " + Long.toUnsignedString(Mix.unmix(row.key())) + " is " + value;
            }
        }
        count++;
    }

    /// Adds what they add up to.
    WeightSums with(WeightSums weights) {
        WeightSums all = weights.with(new WeightSums.Factors(held, count, squares));
        return strange == null ? all : all.withStrange(strange);
    }

    /// Those in use, in the order of their keys.
    FactorRows sorted() {
        long[] ascending = Arrays.copyOf(keys, count);
        double[] places = new double[count];
        Arrays.setAll(places, place -> place);
        RadixSort.sort(ascending, places);
        float[] moved = new float[count * dimension];
        for (int k = 0; k < count; k++) {
            System.arraycopy(values, (int) places[k] * dimension, moved, k * dimension, dimension);
        }
        return new FactorRows(dimension, ascending, moved);
    }
}
