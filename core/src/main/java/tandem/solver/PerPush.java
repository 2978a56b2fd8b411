package tandem.solver;

import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.wire.Age;

/// A rule whose weights meet a share of the penalty at every push, or that of several at one.
public interface PerPush extends UpdateRule {

    Separable penalty();

    /// Applies a gradient and so many times the penalty of a push.
    void update(float[] entries, int at, float gradient, float times);

    /// The same in double precision.
    void update(double[] entries, int at, double gradient, double times);

    @Override
    default void update(float[] entries, int at, float gradient) {
        update(entries, at, gradient, 1);
    }

    @Override
    default void update(double[] entries, int at, double gradient) {
        update(entries, at, gradient, 1);
    }

    @Override
    default PerPush aged(Age age) {
        return this;
    }
}
