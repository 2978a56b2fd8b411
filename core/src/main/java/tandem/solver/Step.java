package tandem.solver;

import tandem.problem.Separable;

/// The proximal step that SGD, AdaGrad and FTRL share, in the inverse-step form: the minimiser of
/// ½·inverse·w² − z·w + h(w) for a penalty that works on each weight alone.
final class Step {

    private final float l1;
    private final float l2;
    private final float low;
    private final float high;
    private final Separable penalty;

    Step(Separable penalty) {
        this.penalty = penalty;
        l1 = (float) penalty.l1();
        l2 = (float) penalty.l2();
        low = -downwards(-penalty.low());
        high = downwards(penalty.high());
    }

    /// The next float that is no more: a weight at the bound must not lie beyond it.
    static float downwards(double bound) {
        float near = (float) bound;
        return near > bound ? Math.nextDown(near) : near;
    }

    /// Exactly 0 while |z| ≤ l1.
    float solve(float z, float inverse) {
        return solve(z, inverse, 1);
    }

    /// The same under so many times the penalty.
    float solve(float z, float inverse, float times) {
        float least = times * l1;
        float shrunk = Math.max(z - least, 0f) + Math.min(z + least, 0f);
        return Math.clamp(shrunk / (inverse + times * l2), low, high);
    }

    /// The same in double precision.
    double solve(double z, double inverse) {
        return solve(z, inverse, 1);
    }

    double solve(double z, double inverse, double times) {
        double least = times * penalty.l1();
        double shrunk = Math.max(z - least, 0.0) + Math.min(z + least, 0.0);
        return Math.clamp(shrunk / (inverse + times * penalty.l2()), penalty.low(), penalty.high());
    }
}
