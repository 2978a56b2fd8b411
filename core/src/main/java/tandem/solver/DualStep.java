package tandem.solver;

import tandem.problem.Hinge;
import tandem.problem.Huber;
import tandem.problem.Loss;
import tandem.problem.Quantile;
import tandem.problem.Squared;
import tandem.problem.SquaredHinge;

/// A step of stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013): the slope u of one example that is best
/// while those of all others stay,
///
///     argmin_u loss*(u) − score·u + q/2·(u − before)²,
///
/// where q says how far the example's own score falls when its slope rises by 1. The answer is the slope of the loss at
/// the score that comes of it, u = loss′(score − q·(u − before)): a line for losses of two pieces, and one-dimensional
/// Newton for others.
public final class DualStep {

    private static final int MOST_STEPS = 100;
    private static final double EXACT = 1e-12;

    private DualStep() {}

    /// The slope that `before` moves to.
    public static double slope(Loss loss, double before, double score, double q, double label) {
        return switch (loss) {
            case Squared _ -> (q * before + score - label) / (1 + q);
            case Huber(double delta) -> Math.clamp((q * before + score - label) / (1 + q), -delta, delta);
            case SquaredHinge _ -> -label * Math.max(0, (1 - score * label - q * before * label) / (0.5 + q));
            case Hinge _ -> -label * moved(-before * label, 1 - score * label, q, 0, 1);
            case Quantile(double tau) -> moved(before, score - label, q, -tau, 1 - tau);
            default -> loss.derivative(settled(loss, before, score, q, label), label);
        };
    }

    /// A number that moves by `push` / q and stays where there is no push.
    private static double moved(double from, double push, double q, double low, double high) {
        return push == 0 ? from : Math.clamp(from + push / q, low, high);
    }

    /// The score z at which z + q·loss′(z) is what it is now with the slope before. That rises at least as fast as z,
    /// so z lies between the score and where it would be if the loss were straight.
    private static double settled(Loss loss, double before, double score, double q, double label) {
        double target = score + q * before;
        double z = score;
        double excess = z + q * loss.derivative(z, label) - target;
        double low = Math.min(z, z - excess);
        double high = Math.max(z, z - excess);
        double moved = high - low;
        for (int k = 0; k < MOST_STEPS && moved > EXACT * (1 + Math.abs(z)); k++) {
            double newton = -excess / (1 + q * loss.curvature(z, label));
            // Halve the range where Newton does not do better: where the loss bends fast it creeps.
            boolean good = z + newton > low && z + newton < high && Math.abs(newton) < 0.5 * moved;
            double next = good ? z + newton : 0.5 * (low + high);
            moved = Math.abs(next - z);
            z = next;
            excess = z + q * loss.derivative(z, label) - target;
            low = excess < 0 ? z : low;
            high = excess > 0 ? z : high;
        }
        return z;
    }
}
