package tandem.solver;

import tandem.problem.Separable;
import tandem.server.UpdateRule;

/// FTRL-Proximal (McMahan et al., KDD 2013, Algorithm 1): the weight is the minimiser of all past
/// linearised losses, each with its own quadratic, plus the penalty once.
///
/// An entry is (w, z, √n): n sums squared gradients, z gradients less what the quadratics pull back.
/// Keeping w beside z and n costs 4 bytes a key and saves a root and a division at every pull.
public record Ftrl(double alpha, double beta, Separable penalty, Step step) implements UpdateRule {

    public Ftrl(double alpha, double beta, Separable penalty) {
        this(alpha, beta, penalty, new Step(penalty));
    }

    public Ftrl {
        Rates.check(alpha, beta);
    }

    @Override
    public int columns() {
        return 3;
    }

    @Override
    public void update(float[] e, int at, float g) {
        update(e, at, at + 1, at + 2, g);
    }

    /// The same where w, z and √n lie apart.
    void update(float[] e, int w, int z, int n, float g) {
        float root = e[n];
        float grown = AdaGrad.root(root, g);
        float sum = e[z] + g - (grown - root) * (float) (1 / alpha) * e[w];
        e[w] = step.solve(-sum, ((float) beta + grown) * (float) (1 / alpha));
        e[z] = sum;
        e[n] = grown;
    }

    @Override
    public void update(double[] e, int at, double g) {
        double root = e[at + 2];
        double grown = Math.sqrt(root * root + g * g);
        double z = e[at + 1] + g - (grown - root) / alpha * e[at];
        e[at] = step.solve(-z, (beta + grown) / alpha);
        e[at + 1] = z;
        e[at + 2] = grown;
    }

    /// Chooses z so that the penalty's step gives back `weight` while n is still 0.
    @Override
    public void start(float[] e, int at, float weight) {
        start(e, at, at + 1, weight);
    }

    /// The same where w and z lie apart.
    void start(float[] e, int w, int z, float weight) {
        double inverse = beta / alpha + penalty.l2();
        e[w] = weight;
        e[z] = (float) -(weight * inverse + Math.signum(weight) * penalty.l1());
    }
}
