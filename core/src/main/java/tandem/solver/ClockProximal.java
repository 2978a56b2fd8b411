package tandem.solver;

import tandem.problem.Separable;
import tandem.server.SettlingRule;

/// What servers do in stale synchronous proximal gradient: once all workers have pushed for a clock, each weight
/// takes a proximal step by itself,
///
///     w ← argmin_x g·(x − w) + u/2·(x − w)² + h(x),
///
/// where g is the sum of the workers' gradients and u that of their bounds on the curvature. One step a clock, not
/// one a push: a proximal step of a sum is not the sum of proximal steps.
///
/// A row has two entries, of which workers push g and u. They pull w and the *path*, how far the weight has moved
/// in all. A curvature below 0 says that the gradient is only to be measured, as in [BlockProximal], with which
/// this shares what is kept of it. One of [#LEAP] says that g, over the number of those who pushed, is how far to
/// go on in the direction in which the weight has moved since the last such clock, of the way that it has.
public record ClockProximal(Separable penalty) implements SettlingRule {

    /// What a worker pushes as curvature to have weights leap; the sum of many tells how many.
    public static final double LEAP = -1e100;

    private static final int SUM = 1;

    /// In the first entry: the weight as it was before the last leap.
    private static final int BEFORE = 3;

    @Override
    public int columns() {
        return 4;
    }

    @Override
    public void update(double[] entries, int at, double pushed) {
        entries[at + SUM] += pushed;
    }

    @Override
    public void settle(double[] e, int at, int width) {
        int second = at + columns();
        double w = e[at];
        double g = e[at + SUM];
        double u = e[second + SUM];
        if (u == 0) {
            return; // nothing was pushed, or no example says anything about the weight
        }
        if (u <= LEAP) {
            e[at] = leap(penalty, w, e[at + BEFORE], g / (u / LEAP));
            e[at + BEFORE] = w;
        } else {
            e[at + BlockProximal.SEEN] = penalty.residual(w, g);
            e[second + BlockProximal.SEEN] = g;
        }
        if (u > 0) {
            e[at] = penalty.prox(w - g / u, 1 / u);
        }
        e[second] += Math.abs(e[at] - w);
        e[at + SUM] = 0;
        e[second + SUM] = 0;
    }

    /// Where a weight comes to that goes on by `far` of the way it has come, but not out of where it may be.
    public static double leap(Separable penalty, double weight, double before, double far) {
        return Math.clamp(weight + far * (weight - before), penalty.low(), penalty.high());
    }

    /// Begins with the weight, which has not moved yet.
    @Override
    public void start(double[] entries, int at, int width, double weight) {
        entries[at] = weight;
        entries[at + BEFORE] = weight;
    }
}
