package tandem.model;

import java.util.Arrays;
import java.util.List;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.math.SortedIds;

/// The factors of features in a range of keys.
///
/// @param keys      ascending as unsigned
/// @param values    `dimension` of each, side by side
public record FactorRows(int dimension, long[] keys, float[] values) {

    /// Those of a linear model.
    public static final FactorRows NONE = new FactorRows(0, new long[0], new float[0]);

    public FactorRows {
        if (values.length != Math.multiplyExact(keys.length, dimension)) {
            throw new IllegalArgumentException(
                    values.length + " factors of " + keys.length + " features; each has " + dimension);
        }
    }

    /// All of several, in the order of their keys.
    static FactorRows joined(List<FactorRows> many) {
        if (many.isEmpty()) {
            return NONE;
        }
        int dimension = many.getFirst().dimension;
        int count = many.stream().mapToInt(some -> some.keys.length).sum();
        long[] keys = new long[count];
        float[] values = new float[Math.multiplyExact(count, dimension)];
        int at = 0;
        for (FactorRows some : many) {
            System.arraycopy(some.keys, 0, keys, at, some.keys.length);
            System.arraycopy(some.values, 0, values, at * dimension, some.values.length);
            at += some.keys.length;
        }
        return sorted(dimension, keys, values);
    }

    /// The same where keys come in any order.
    public static FactorRows sorted(int dimension, long[] keys, float[] values) {
        long[] ascending = keys.clone();
        double[] places = new double[keys.length];
        Arrays.setAll(places, place -> place);
        RadixSort.sort(ascending, places);
        float[] moved = new float[values.length];
        for (int k = 0; k < keys.length; k++) {
            System.arraycopy(values, (int) places[k] * dimension, moved, k * dimension, dimension);
        }
        return new FactorRows(dimension, ascending, moved);
    }

    /// Puts the factors of each feature into `all`, where `ids`, ascending as unsigned, have it.
    void spread(long[] ids, float[] all) {
        for (int k = 0; k < keys.length; k++) {
            int place = SortedIds.find(ids, Mix.unmix(keys[k]));
            System.arraycopy(values, k * dimension, all, place * dimension, dimension);
        }
    }
}
