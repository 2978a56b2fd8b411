package tandem.model;

import tandem.math.Mix;
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

    /// Puts the factors of each feature into `all`, where `ids`, ascending as unsigned, have it.
    void spread(long[] ids, float[] all) {
        for (int k = 0; k < keys.length; k++) {
            int place = SortedIds.find(ids, Mix.unmix(keys[k]));
            System.arraycopy(values, k * dimension, all, place * dimension, dimension);
        }
    }
}
