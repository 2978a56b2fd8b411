package tandem.solver;

import tandem.math.Mix;
import tandem.server.RowRule;
import tandem.wire.Age;

/// DiFacto (Li, Liu, Smola and Wang, WSDM 2016), where the numbers of a feature live: FTRL moves its weight w,
/// AdaGrad its factors v, and factors take memory only where they are likely to be of use: for a feature that was
/// counted `threshold` times and, if `sparse`, has had a weight that is not 0. Such a feature is pulled as (w, v…),
/// any other as (w). In the paper factors are out of use whenever the weight is 0; here a weight that crosses 0 does
/// not take them away (docs/decisions/0006).
///
/// A row is entries of two floats: (w, z), then (v, √G) for each factor there is, and last what is never pulled,
/// (√n, count), or with factors (√n, number of the push that these last met): as with [Overdue], they meet the penalty
/// of all pushes since. A row begins without factors, unless every feature gets them at once: that is a plain
/// factorisation machine.
///
/// What is pushed to a feature pulled with factors is (gw, gv…). To one without it is (gw), or in the first pass
/// (gw, count), which [#counted] tells apart from the former though factors may have come meanwhile.
///
/// @param scale factors begin evenly between −scale and scale, as the seed and the key decide: the same whoever
///              makes them
/// @param push  the number of the push in hand, from 1; 0 if nobody knows
public record DiFacto(
        Ftrl weight,
        FactorStep factor,
        int dimension,
        int threshold,
        boolean sparse,
        double scale,
        long seed,
        long push)
        implements RowRule {

    private static final int COLUMNS = 2;

    /// Entries of a row without factors.
    private static final int SHORT = 2;

    public DiFacto(
            Ftrl weight, FactorStep factor, int dimension, int threshold, boolean sparse, double scale, long seed) {
        this(weight, factor, dimension, threshold, sparse, scale, seed, 0);
    }

    public DiFacto {
        if (dimension < 0 || dimension > 1 << 12) {
            throw new IllegalArgumentException("a dimension of " + dimension + "; use 0 to 4096");
        }
        if (threshold < 0) {
            throw new IllegalArgumentException("a threshold of " + threshold + "; use 0 or more");
        }
        if (!(scale >= 0 && scale < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("factors begin within " + scale + "; use a small number, such as 0.01");
        }
    }

    /// How many entries a row has that has factors.
    public static int width(int dimension) {
        return SHORT + dimension;
    }

    /// How many numbers are pushed to a feature without factors together with its count, which is the second of them
    /// and all that follow: never as many as to one with factors.
    public static int counted(int dimension) {
        return dimension == 1 ? 3 : 2;
    }

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public int firstLength() {
        return threshold == 0 && !sparse ? width(dimension) : SHORT;
    }

    @Override
    public void begin(long key, float[] row, int at, int from, int to) {
        if (from > 0) {
            int own = at + COLUMNS * (from - 1);
            int last = at + COLUMNS * (to - 1);
            row[last] = row[own];
            row[last + 1] = 0; // they have met nothing yet
        }
        for (int f = 0; f < to - SHORT; f++) {
            int v = at + COLUMNS * (1 + f);
            row[v] = first(key, f);
            row[v + 1] = 0;
        }
    }

    private float first(long key, int factor) {
        long drawn = Mix.mix(key ^ Mix.mix(seed + factor));
        return (float) (scale * ((drawn >> 11) * 0x1p-52));
    }

    @Override
    public int update(float[] row, int at, int length, float[] gradients, int from, int count) {
        int own = at + COLUMNS * (length - 1);
        if (count > 0) {
            weight.update(row, at, at + 1, own, gradients[from]);
        }
        if (length > SHORT) {
            if (count == 1 + dimension) {
                float times = Overdue.times(row, own + 1, push);
                factor.update(row, at + COLUMNS, dimension, gradients, from + 1, times);
            }
            return length;
        }
        if (count > 1) {
            row[own + 1] += gradients[from + 1];
        }
        return row[own + 1] >= threshold && (!sparse || row[at] != 0) ? width(dimension) : length;
    }

    @Override
    public DiFacto aged(Age age) {
        return new DiFacto(
                weight, factor, dimension, threshold, sparse, scale, seed, age.isKnown() ? age.met() + 1 : 0);
    }

    @Override
    public int shown(float[] row, int at, int length) {
        return length - 1;
    }

    @Override
    public void start(float[] row, int at, int length, float w) {
        weight.start(row, at, at + 1, w);
    }

    @Override
    public void start(float[] row, int at, int length, float[] factors, int from) {
        for (int f = 0; f < dimension; f++) {
            row[at + COLUMNS * (1 + f)] = factors[from + f];
        }
    }
}
