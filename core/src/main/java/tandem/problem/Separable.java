package tandem.problem;

/// A penalty that treats each weight by itself: l1·|w| + l2/2·w² within `low` ≤ w ≤ `high`.
///
/// Its special values are no regulariser, L1, L2, the elastic net, a box and non-negative weights. The
/// interval holds 0, the weight of a feature that the data never shows.
public record Separable(double l1, double l2, double low, double high) implements Regulariser {

    public static final Separable NONE = new Separable(0, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    public Separable {
        check("l1", l1);
        check("l2", l2);
        if (!(low <= 0 && high >= 0)) {
            throw new IllegalArgumentException("weights are to lie between " + low + " and " + high
                    + ", which leaves out 0, the weight of a feature without data; use low ≤ 0 ≤ high");
        }
    }

    public static Separable l1(double strength) {
        return NONE.withL1(strength);
    }

    public static Separable l2(double strength) {
        return NONE.withL2(strength);
    }

    public Separable withL1(double l1) {
        return new Separable(l1, l2, low, high);
    }

    public Separable withL2(double l2) {
        return new Separable(l1, l2, low, high);
    }

    public Separable between(double low, double high) {
        return new Separable(l1, l2, low, high);
    }

    @Override
    public double value(double[] weights) {
        double sum = 0;
        for (double w : weights) {
            sum += value(w);
        }
        return sum;
    }

    /// The penalty of one weight.
    public double value(double w) {
        return w < low || w > high ? Double.POSITIVE_INFINITY : l1 * Math.abs(w) + 0.5 * l2 * w * w;
    }

    @Override
    public void prox(double[] weights, double step) {
        for (int j = 0; j < weights.length; j++) {
            weights[j] = prox(weights[j], step);
        }
    }

    /// argmin_x h(x) + (x − z)²/(2·step) for one weight.
    public double prox(double z, double step) {
        return nearest(shrink(z, step * l1) / (1 + step * l2));
    }

    /// Whether there are bounds.
    public boolean isBounded() {
        return low > Double.NEGATIVE_INFINITY || high < Double.POSITIVE_INFINITY;
    }

    /// The weight within the bounds that is nearest to `x`.
    public double nearest(double x) {
        return x < low ? low : Math.min(x, high);
    }

    /// How far −`gradient` is from the subdifferential of the penalty at `w`: 0 where `w` is optimal.
    public double residual(double w, double gradient) {
        double left = w <= low ? Double.NEGATIVE_INFINITY : l2 * w + (w > 0 ? l1 : -l1);
        double right = w >= high ? Double.POSITIVE_INFINITY : l2 * w + (w < 0 ? -l1 : l1);
        return Math.max(0, Math.max(gradient + left, -gradient - right));
    }

    /// How far the gradient of a weight of 0 is from where 0 would no longer be optimal; 0 or less if it is not.
    public double slack(double gradient) {
        double down = low == 0 ? Double.POSITIVE_INFINITY : l1 - gradient;
        double up = high == 0 ? Double.POSITIVE_INFINITY : l1 + gradient;
        return Math.min(down, up);
    }

    /// What slopes are multiplied by so that their gradient, which is `largest` where nothing but the L1 strength
    /// holds a weight, is within what that holds: then they bound the objective from below.
    public double feasible(double largest) {
        double within = largest > l1 ? l1 / largest : 1;
        return within * (1 - 1e-14); // so that rounding does not step over the edge
    }

    /// Whether something besides the L1 strength holds a weight back that `gradient` drives.
    public boolean holds(double gradient) {
        return l2 > 0 || Double.isFinite(gradient > 0 ? low : high);
    }

    /// The convex conjugate sup_x v·x − h(x), for a dual bound; infinite where that is not bounded.
    public double conjugate(double v) {
        double x = weightUnder(v);
        return x == 0 ? 0 : Double.isInfinite(x) ? Double.POSITIVE_INFINITY : v * x - value(x);
    }

    /// The weight that is best when the loss pulls it by `v`: argmax_x v·x − h(x). Without L2 the end of the interval,
    /// once the pull is stronger than L1.
    public double weightUnder(double v) {
        return weightUnder(v, 0);
    }

    /// The weight that is best under the pull `v` where `hold`/2·(x − y)² holds it too, and `hold`·y is part of the
    /// pull.
    public double weightUnder(double v, double hold) {
        double pull = shrink(v, l1);
        return pull == 0 ? 0 : Math.clamp(pull / (l2 + hold), low, high);
    }

    /// z moved towards 0 by `by`, and no further than 0.
    public static double shrink(double z, double by) {
        return z > by ? z - by : z < -by ? z + by : 0;
    }

    @Override
    public String describe() {
        StringBuilder line = new StringBuilder();
        if (l1 > 0) {
            line.append(", l1 ").append(l1);
        }
        if (l2 > 0) {
            line.append(", l2 ").append(l2);
        }
        if (low == 0 && high == Double.POSITIVE_INFINITY) {
            line.append(", weights ≥ 0");
        } else if (isBounded()) {
            line.append(", weights from ").append(low).append(" to ").append(high);
        }
        return line.isEmpty() ? "none" : line.substring(2);
    }

    private static void check(String name, double strength) {
        if (!(strength >= 0 && strength < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " is " + strength + "; a penalty is 0 or more");
        }
    }
}
