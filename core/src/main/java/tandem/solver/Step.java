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
        low = (float) penalty.low();
        high = (float) penalty.high();
    }

    /// Exactly 0 while |z| ≤ l1.
    float solve(float z, float inverse) {
        float shrunk = Math.max(z - l1, 0f) + Math.min(z + l1, 0f);
        return Math.clamp(shrunk / (inverse + l2), low, high);
    }

    /// The same in double precision.
    double solve(double z, double inverse) {
        double shrunk = Math.max(z - penalty.l1(), 0.0) + Math.min(z + penalty.l1(), 0.0);
        return Math.clamp(shrunk / (inverse + penalty.l2()), penalty.low(), penalty.high());
    }
}
