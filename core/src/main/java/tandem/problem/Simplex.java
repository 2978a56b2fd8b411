package tandem.problem;

import java.util.Arrays;

/// Non-negative weights that sum to `total`.
public record Simplex(double total) implements Regulariser {

    private static final double ROUNDING = 1e-9;

    public Simplex {
        if (!(total > 0 && total < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the simplex's total is " + total + "; use a number above 0, such as 1");
        }
    }

    @Override
    public double value(double[] weights) {
        double sum = 0;
        for (double w : weights) {
            if (w < 0) {
                return Double.POSITIVE_INFINITY;
            }
            sum += w;
        }
        return Math.abs(sum - total) <= ROUNDING * total ? 0 : Double.POSITIVE_INFINITY;
    }

    /// The nearest point of the simplex: all weights lowered by one amount and cut off at 0 (Held, Wolfe
    /// and Crowder 1974). The amount is found by taking weights in descending order while they stay positive.
    @Override
    public void prox(double[] weights, double step) {
        double[] ascending = weights.clone();
        Arrays.sort(ascending);
        double sum = 0;
        double lower = 0;
        for (int taken = 1; taken <= ascending.length; taken++) {
            double w = ascending[ascending.length - taken];
            sum += w;
            double candidate = (sum - total) / taken;
            if (w <= candidate) {
                break;
            }
            lower = candidate;
        }
        for (int j = 0; j < weights.length; j++) {
            weights[j] = Math.max(0, weights[j] - lower);
        }
    }

    @Override
    public String describe() {
        return "weights ≥ 0 that sum to " + total;
    }
}
