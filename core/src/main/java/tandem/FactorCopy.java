package tandem;

import java.util.Arrays;
import tandem.data.KeyPlaces;
import tandem.math.Mix;
import tandem.model.FactorRows;
import tandem.server.Row;
import tandem.solver.DiFacto;

/// The factors of a shard as they are copied, row by row, and what they add up to.
final class FactorCopy {

    private final int dimension;
    private long[] keys = new long[16];
    private float[] values;
    private int count;
    private long held;
    private double squares;
    private double norms;

    /// A feature with a factor that is no finite number, and that factor, which is 0 if there is none.
    private long strangeKey;

    private double strange;

    FactorCopy(int dimension) {
        this.dimension = dimension;
        values = new float[keys.length * dimension];
    }

    /// Takes what a row has: the weight, its factors and one entry more.
    void accept(Row row) {
        if (dimension == 0 || row.length() < DiFacto.width(dimension)) {
            return;
        }
        held++;
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, 2 * count);
            values = Arrays.copyOf(values, Math.multiplyExact(2 * count, dimension));
        }
        keys[count] = row.key();
        double own = 0;
        for (int f = 0; f < dimension; f++) {
            double value = row.weight(1 + f);
            values[count * dimension + f] = (float) value;
            own += value * value;
            if (!Double.isFinite(value)) {
                strangeKey = row.key();
                strange = value;
            }
        }
        if (own != 0) {
            squares += own;
            norms += Math.sqrt(own);
            count++;
        }
    }

    /// Adds what they add up to.
    WeightSums with(WeightSums weights) {
        WeightSums all = weights.with(new WeightSums.Factors(held, count, squares, norms));
        return strange == 0
                ? all
                : all.withStrange(
                        "a factor of feature " + Long.toUnsignedString(Mix.unmix(strangeKey)) + " is " + strange);
    }

    /// Takes placed keys for the mixed ones that they stand for.
    void mix(KeyPlaces places) {
        for (int k = 0; k < count; k++) {
            keys[k] = places.mixed(keys[k]);
        }
        strangeKey = places.mixed(strangeKey);
    }

    /// Those in use, which are not all 0, in the order of their keys.
    FactorRows sorted() {
        return FactorRows.sorted(dimension, Arrays.copyOf(keys, count), Arrays.copyOf(values, count * dimension));
    }
}
