package tandem;

import java.util.List;
import java.util.Map;
import tandem.solver.Balance;
import tandem.solver.Ending;
import tandem.solver.Lbfgs;
import tandem.solver.LineSearch;
import tandem.wire.Figures;
import tandem.worker.GradientLoop;

/// Where L-BFGS is between two steps, as it is kept for whoever goes on with it.
///
/// @param phase     what comes next
/// @param aim       what the point is for that is looked at
/// @param count     how much was done so far
/// @param scale     what the tolerance is relative to: the largest gradient at zero weights, or 1
/// @param memory    the inner products of what servers keep
/// @param search    how far to go along the direction
/// @param intercept the intercept's share of all vectors
/// @param change    what servers are told next
/// @param balance   what slopes are multiplied by in the next look
/// @param seen      what workers saw at the point
/// @param shares    by stream, the portions whose gradient it pushes
/// @param before    the objective that the direction began with
/// @param objective the objective at the point, and the residual
/// @param still     iterations in a row that hardly lowered the objective
/// @param ending    why it ends; null while it does not
record LbfgsState(
        Phase phase,
        Aim aim,
        Count count,
        double scale,
        Lbfgs memory,
        LineSearch search,
        Intercept intercept,
        Figures change,
        Balance balance,
        GradientLoop.Seen seen,
        Map<Integer, List<GradientLoop.Portion>> shares,
        double before,
        double objective,
        double residual,
        int still,
        Ending ending)
        implements CourseState {

    @Override
    public int done() {
        return count.iterations;
    }

    /// What is done next: servers take units, another direction or step, workers look at the point, or push
    /// what they saw, upon which the coordinator decides.
    enum Phase {
        UNIT,
        TURN,
        SLIDE,
        LOOK,
        PUSH
    }

    /// Why a point is looked at: for the units of weights; to know the gradient at zero weights, or where it begins;
    /// as a step that is tried, or that was found on the line; to begin again there without memory; because it is
    /// the last; or for a bound of the objective.
    enum Aim {
        UNITS,
        ORIGIN,
        FIRST,
        STEP,
        FOUND,
        AGAIN,
        LAST,
        BOUND
    }

    /// @param passes times that workers looked at all data, to get on from where it began
    /// @param point  the number of the point to look at
    /// @param base   that of the weights that it was reached from
    record Count(int iterations, int passes, long point, long base) {

        Count looked() {
            return new Count(iterations, passes + 1, point, base);
        }

        Count moved() {
            return new Count(iterations, passes, point + 1, base);
        }

        Count accepted() {
            return new Count(iterations, passes, point, point);
        }

        Count iterated() {
            return new Count(iterations + 1, passes, point, base);
        }
    }

    /// The intercept's share of each vector, which is a number: the coordinator keeps them.
    ///
    /// @param weight   that of the weights
    /// @param point    that of the point to look at
    /// @param gradient the gradient at the weights
    /// @param gathered the gradient at the point
    /// @param inverse  what its gradients are weighted by (see [tandem.solver.LbfgsRows])
    /// @param steps    those of the pairs, by slot
    record Intercept(
            double weight,
            double point,
            double direction,
            double gradient,
            double gathered,
            double inverse,
            double[] steps,
            double[] changes) {

        Intercept(double weight, int memory) {
            this(weight, weight, 0, 0, 0, 1, new double[memory], new double[memory]);
        }

        Intercept gathered(double there) {
            return new Intercept(weight, point, direction, gradient, there, inverse, steps, changes);
        }

        Intercept slid(double step) {
            return new Intercept(
                    weight, weight + step * direction, direction, gradient, gathered, inverse, steps, changes);
        }

        Intercept weighted(double by) {
            return new Intercept(weight, point, direction, gradient, gathered, by, steps, changes);
        }

        /// The point becomes the weight, and the direction another one.
        Intercept turned(int into, Lbfgs.Direction along, double step) {
            double[] s = steps.clone();
            double[] y = changes.clone();
            if (into >= 0) {
                s[into] = point - weight;
                y[into] = gathered - gradient;
            }
            double d = inverse * along.gradient() * gathered;
            for (int slot = 0; slot < s.length; slot++) {
                d += along.steps()[slot] * s[slot] + inverse * along.changes()[slot] * y[slot];
            }
            return new Intercept(point, point + step * d, d, gathered, gathered, inverse, s, y);
        }

        /// Its share of the inner products.
        Lbfgs.Products plus(Lbfgs.Products rest) {
            double s = point - weight;
            double y = gathered - gradient;
            double v = gathered;
            return new Lbfgs.Products(
                    rest.stepChange() + s * y,
                    rest.changeChange() + inverse * y * y,
                    rest.stepGradient() + s * v,
                    rest.changeGradient() + inverse * y * v,
                    rest.gradient() + inverse * v * v,
                    plus(rest.s(), steps, y),
                    plus(rest.y(), changes, inverse * y),
                    plus(rest.stepsBy(), steps, v),
                    plus(rest.changesBy(), changes, inverse * v));
        }

        private static double[] plus(double[] sums, double[] own, double by) {
            double[] all = sums.clone();
            for (int slot = 0; slot < all.length; slot++) {
                all[slot] += own[slot] * by;
            }
            return all;
        }
    }
}
