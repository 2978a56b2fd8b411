package tandem.solver;

import tandem.problem.Separable;
import tandem.wire.Age;

/// AdaDelay (Sra, Yu, Li and Smola, AISTATS 2016) with a proximal step: AdaGrad whose step for update t, made from
/// weights of τ updates ago, is α/(c·√(t + τ)), so that what is late moves weights less. Here c² is the mean over
/// updates of t/(t + τ)·g².
///
/// Of each update only √((t + τ)/t) matters, by which its step is shorter; where nothing is late that is 1, and this is
/// [AdaGrad]. How old it is an update says itself ([Age]). An entry is (w, √s), where s is t·c².
///
/// @param shorter how many times shorter the steps of the update in hand are
public record AdaDelay(double alpha, double beta, Separable penalty, double shorter, Step step) implements PerPush {

    public AdaDelay(double alpha, double beta, Separable penalty) {
        this(alpha, beta, penalty, 1, new Step(penalty));
    }

    public AdaDelay {
        Rates.check(alpha, beta);
    }

    @Override
    public int columns() {
        return 2;
    }

    @Override
    public boolean ages() {
        return true;
    }

    @Override
    public AdaDelay aged(Age age) {
        double t = age.met() + 1.0;
        return new AdaDelay(alpha, beta, penalty, Math.sqrt((t + age.delay()) / t), step);
    }

    @Override
    public void update(float[] e, int at, float g, float times) {
        float late = (float) shorter;
        float root = AdaGrad.root(e[at + 1], g / late);
        float inverse = ((float) beta + root * late) * (float) (1 / alpha);
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = root;
    }

    @Override
    public void update(double[] e, int at, double g, double times) {
        double root = Math.sqrt(e[at + 1] * e[at + 1] + g * g / (shorter * shorter));
        double inverse = (beta + root * shorter) / alpha;
        e[at] = step.solve(inverse * e[at] - g, inverse, times);
        e[at + 1] = root;
    }
}
