package tandem.solver;

import tandem.problem.Separable;

/// Stochastic gradient descent with a proximal step and the step size α/(β + √t), where t counts the
/// pushes that touched the weight (a rare feature keeps a large step). An entry is (w, t).
public record Sgd(double alpha, double beta, Separable penalty, Step step) implements PerPush {

    public Sgd(double alpha, double beta, Separable penalty) {
        this(alpha, beta, penalty, new Step(penalty));
    }

    public Sgd {
        Rates.check(alpha, beta);
    }

    @Override
    public int columns() {
        return 2;
    }

    @Override
    public void update(float[] e, int at, float g, float times) {
        float pushes = e[at + 1] + 1;
        float inverse = ((float) beta + (float) Math.sqrt(pushes)) * (float) (1 / alpha);
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = pushes;
    }

    @Override
    public void update(double[] e, int at, double g, double times) {
        double pushes = e[at + 1] + 1;
        double inverse = (beta + Math.sqrt(pushes)) / alpha;
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = pushes;
    }
}
