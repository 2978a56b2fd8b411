package tandem.math;

import java.util.Arrays;

/// What the pairs of a row's features add to the score of a factorisation machine (Rendle, ICDM 2010): Σ over pairs of
/// ⟨vᵢ, vⱼ⟩·xᵢ·xⱼ, found as ½ Σ_f ((Σᵢ v_if·xᵢ)² − Σᵢ (v_if·xᵢ)²), so that it takes as long as there are features,
/// not pairs. Add the features of a row one by one; belongs to one thread.
public final class Pairs {

    private final int dimension;

    /// By factor: Σᵢ v_if·xᵢ.
    private final double[] sums;

    private double squares;

    /// @param dimension how many factors a feature has
    public Pairs(int dimension) {
        this.dimension = dimension;
        sums = new double[dimension];
    }

    /// Begins with another row.
    public void clear() {
        Arrays.fill(sums, 0);
        squares = 0;
    }

    /// Adds a feature of value `x`, whose factors lie in `factors` from `at` on.
    public void add(float[] factors, int at, double x) {
        double own = 0;
        for (int f = 0; f < dimension; f++) {
            double product = factors[at + f] * x;
            sums[f] += product;
            own += product * product;
        }
        squares += own;
    }

    /// The sum over all pairs.
    public double value() {
        double all = 0;
        for (int f = 0; f < dimension; f++) {
            all += sums[f] * sums[f];
        }
        return 0.5 * (all - squares);
    }

    /// Adds `slope` times the derivative by the factors of one of the features that were added to `gradients` from
    /// `to` on: x·(Σᵢ v_if·xᵢ − v_f·x).
    public void spread(float[] factors, int at, double x, double slope, float[] gradients, int to) {
        double scaled = slope * x;
        for (int f = 0; f < dimension; f++) {
            gradients[to + f] += (float) (scaled * (sums[f] - factors[at + f] * x));
        }
    }
}
