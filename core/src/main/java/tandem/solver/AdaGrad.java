package tandem.solver;

import tandem.problem.Separable;

/// AdaGrad (Duchi et al., JMLR 2011) with a proximal step: each weight has a step size that falls with
/// the root of its summed squared gradients. An entry is (w, √n).
public record AdaGrad(double alpha, double beta, Separable penalty, Step step) implements PerPush {

    public AdaGrad(double alpha, double beta, Separable penalty) {
        this(alpha, beta, penalty, new Step(penalty));
    }

    public AdaGrad {
        Rates.check(alpha, beta);
    }

    @Override
    public int columns() {
        return 2;
    }

    @Override
    public void update(float[] e, int at, float g, float times) {
        float root = root(e[at + 1], g);
        float inverse = ((float) beta + root) * (float) (1 / alpha);
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = root;
    }

    /// √n after one more gradient. Squares of floats may be beyond what a float can be.
    static float root(float before, float g) {
        return (float) Math.sqrt((double) before * before + (double) g * g);
    }

    @Override
    public void update(double[] e, int at, double g, double times) {
        double root = Math.sqrt(e[at + 1] * e[at + 1] + g * g);
        double inverse = (beta + root) / alpha;
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = root;
    }
}
