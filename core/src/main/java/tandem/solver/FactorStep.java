package tandem.solver;

/// A step of the factors of a feature together: [AdaGrad] for each, and a penalty of `group` times their norm, which
/// makes all of them 0 where pairs with that feature are of no use,
///
///     v ← argmin_x Σ g_f·(x_f − v_f) + e_f/2·(x_f − v_f)² + l2/2·x_f² + group·‖x‖,
///
/// where 1/e_f is the step size of a factor. With a_f = e_f·v_f − g_f and e_f now with l2, they are 0 if ‖a‖ ≤ group,
/// else x_f = a_f·ρ/(e_f·ρ + group), where ρ = ‖x‖ is the root of ‖a_f/(e_f·ρ + group)‖ = 1, as in [GroupProximal].
///
/// @param each  how a factor moves; its penalty is `l2`
/// @param group the strength of the penalty on the norm, as met at every push
public record FactorStep(AdaGrad each, double group) {

    /// As close to ρ as floats can tell.
    private static final double ENOUGH = 1e-9;

    private static final int MOST_ROUNDS = 50;

    public FactorStep {
        if (!(group >= 0 && group < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the penalty on the norm of factors is " + group + "; use 0 or more");
        }
    }

    /// Moves `count` factors, whose entries (v, √G) begin at `at`, by gradients that begin at `from`, under so many
    /// times the penalty of a push.
    void update(float[] e, int at, int count, float[] gradients, int from, float times) {
        if (group == 0) {
            for (int f = 0; f < count; f++) {
                each.update(e, at + each.columns() * f, gradients[from + f], times);
            }
            return;
        }
        double most = 0;
        double pulls = 0;
        for (int f = 0; f < count; f++) {
            int v = at + each.columns() * f;
            float g = gradients[from + f];
            e[v + 1] = AdaGrad.root(e[v + 1], g);
            double a = pull(e, v, g);
            pulls += a * a;
            most = Math.max(most, curvature(e, v, times));
        }
        double strength = group * times;
        double norm = Math.sqrt(pulls) <= strength
                ? 0
                : norm(e, at, count, gradients, from, times, (Math.sqrt(pulls) - strength) / most);
        for (int f = 0; f < count; f++) {
            int v = at + each.columns() * f;
            double a = pull(e, v, gradients[from + f]);
            e[v] = norm == 0 ? 0 : (float) (a * norm / (curvature(e, v, times) * norm + strength));
        }
    }

    /// ρ, by Newton's method for 1/‖a_f/(e_f·ρ + group)‖ = 1. The left side is concave in ρ and grows, so from below
    /// each step leads closer and none beyond. What ρ would be if every factor had the largest e_f is below it.
    private double norm(float[] e, int at, int count, float[] gradients, int from, float times, double below) {
        double strength = group * times;
        double norm = below;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            double squares = 0;
            double slope = 0;
            for (int f = 0; f < count; f++) {
                int v = at + each.columns() * f;
                double curvature = curvature(e, v, times);
                double share = 1 / (curvature * norm + strength);
                double part = pull(e, v, gradients[from + f]) * share;
                squares += part * part;
                slope += part * part * curvature * share;
            }
            double by = squares * (Math.sqrt(squares) - 1) / slope;
            norm += Math.max(0, by);
            if (!(by > ENOUGH * norm)) {
                break;
            }
        }
        return norm;
    }

    private double pull(float[] e, int v, float g) {
        return (each.beta() + e[v + 1]) / each.alpha() * e[v] - g;
    }

    private double curvature(float[] e, int v, float times) {
        return (each.beta() + e[v + 1]) / each.alpha() + times * each.penalty().l2();
    }
}
