package tandem;

import tandem.math.Mix;
import tandem.problem.Separable;

/// What a report says of weights, as sums over shards that nobody needs to hold at once.
///
/// @param rows      how many ids have a row
/// @param nonZero   how many of their weights are not zero
/// @param absolute  Σ|w|
/// @param squares   Σw²
/// @param least     the least weight, 0 if all are above it
/// @param most      the largest weight, 0 if all are below it
/// @param largestId the largest of the ids, as unsigned; 0 if there are none
/// @param factors   what factors add up to
/// @param strange   an id whose weight is no finite number, in words; null if there is none
record WeightSums(
        long rows,
        long nonZero,
        double absolute,
        double squares,
        double least,
        double most,
        long largestId,
        Factors factors,
        String strange) {

    /// What the factors of features add up to.
    ///
    /// @param held    how many features have them in memory
    /// @param used    how many of those have some that are not 0
    /// @param squares Σv² over those
    /// @param norms   Σ‖v‖ over those
    record Factors(long held, long used, double squares, double norms) {

        static final Factors NONE = new Factors(0, 0, 0, 0);

        Factors plus(Factors other) {
            return new Factors(held + other.held, used + other.used, squares + other.squares, norms + other.norms);
        }
    }

    /// What so many shards add up to.
    record Share(int shards, WeightSums sums) {

        static final Share NONE = new Share(0, WeightSums.NONE);

        Share plus(Share other) {
            return new Share(shards + other.shards, sums.plus(other.sums));
        }
    }

    static final WeightSums NONE = new WeightSums(0, 0, 0, 0, 0, 0, 0, Factors.NONE, null);

    static WeightSums of(long[] keys, double[] weights) {
        long nonZero = 0;
        double absolute = 0;
        double squares = 0;
        double least = 0;
        double most = 0;
        long largestId = 0;
        String strange = null;
        for (int k = 0; k < keys.length; k++) {
            long id = Mix.unmix(keys[k]);
            double w = weights[k];
            largestId = Long.compareUnsigned(id, largestId) > 0 ? id : largestId;
            if (!Double.isFinite(w)) {
                strange = "the weight of feature " + Long.toUnsignedString(id) + " is " + w;
                continue;
            }
            nonZero += w != 0 ? 1 : 0;
            absolute += Math.abs(w);
            squares += w * w;
            least = Math.min(least, w);
            most = Math.max(most, w);
        }
        return new WeightSums(keys.length, nonZero, absolute, squares, least, most, largestId, Factors.NONE, strange);
    }

    /// The same with factors beside the weights.
    WeightSums with(Factors beside) {
        return new WeightSums(rows, nonZero, absolute, squares, least, most, largestId, beside, strange);
    }

    WeightSums withStrange(String found) {
        return new WeightSums(rows, nonZero, absolute, squares, least, most, largestId, factors, found);
    }

    WeightSums plus(WeightSums other) {
        return new WeightSums(
                rows + other.rows,
                nonZero + other.nonZero,
                absolute + other.absolute,
                squares + other.squares,
                Math.min(least, other.least),
                Math.max(most, other.most),
                Long.compareUnsigned(largestId, other.largestId) > 0 ? largestId : other.largestId,
                factors.plus(other.factors),
                strange == null ? other.strange : strange);
    }

    /// What the penalty of a run makes of all these weights and factors; NaN if it has groups, which these sums do not.
    double penalty(Linear settings) {
        if (settings.penalty() instanceof Penalty.Grouped) {
            return Double.NaN;
        }
        double onFactors = settings.solver() instanceof Solver.Factors solver
                ? 0.5 * solver.l2() * factors.squares + solver.group() * factors.norms
                : 0;
        return penalty((Separable) settings.penalty().over(new long[0])) + onFactors;
    }

    private double penalty(Separable of) {
        return least < of.low() || most > of.high()
                ? Double.POSITIVE_INFINITY
                : of.l1() * absolute + 0.5 * of.l2() * squares;
    }
}
