package tandem.solver;

import java.util.List;
import tandem.math.Parallel;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// Minimises Σ_i c_i·loss(x_iᵀw + b, y_i) + h(w) over rows in memory by L-BFGS, or by OWL-QN (Andrew and Gao 2007)
/// where there is an L1 penalty: a pass over the rows an iteration, all weights at once.
///
/// Weights are measured in units in which each would bend the objective alike, the inverse root of the spread of its
/// feature and the L2 penalty, and the intercept goes with the means of features: without the former, features that
/// are rare and features that are common need different steps, and without the latter those that are in most rows
/// stand in the way of each other (click rows, to 1e-3: 34 iterations instead of 5). It is soon near the optimum;
/// for many digits of it take [ProximalNewton], which needs columns.
///
/// @param tolerance     stop when the KKT residual is at most this times max(1, the largest gradient at 0)
/// @param progress      or when [#SOME] iterations together lower the objective by no more than this, as a share of
///                      it; that is no proof of being near, but far from the optimum they lower it by more
/// @param maxIterations stop after so many
/// @param memory        how many steps are remembered
public record QuasiNewton(double tolerance, double progress, int maxIterations, int memory) {

    static final int SOME = 5;

    public static final QuasiNewton DEFAULT = new QuasiNewton(1e-4, 0, 1_000, 10);

    public QuasiNewton {
        if (!(tolerance >= 0) || !(progress >= 0)) {
            throw new IllegalArgumentException("the tolerance is " + tolerance + " and the progress " + progress
                    + "; use numbers of 0 or more, such as 1e-4");
        }
        if (maxIterations < 0 || memory < 1) {
            throw new IllegalArgumentException("at most " + maxIterations + " iterations with a memory of " + memory
                    + " steps; use 0 or more, and 1 or more");
        }
    }

    public QuasiNewton withTolerance(double tolerance) {
        return new QuasiNewton(tolerance, progress, maxIterations, memory);
    }

    public QuasiNewton withProgress(double progress) {
        return new QuasiNewton(tolerance, progress, maxIterations, memory);
    }

    public QuasiNewton withMaxIterations(int maxIterations) {
        return new QuasiNewton(tolerance, progress, maxIterations, memory);
    }

    /// What is to be minimised.
    ///
    /// @param columns     how many weights there are
    /// @param loss        smooth and convex
    /// @param regulariser without bounds
    public record Task(List<RowSlab> slabs, int columns, Loss loss, Separable regulariser, boolean intercept) {

        public Task {
            if (!loss.smooth() || !loss.convex()) {
                throw new IllegalArgumentException("the " + loss.name() + " loss has a kink or is not convex, and"
                        + " L-BFGS over rows needs neither; use another loss such as logistic or squared");
            }
            if (regulariser.low() > Double.NEGATIVE_INFINITY || regulariser.high() < Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("weights are to stay between " + regulariser.low() + " and "
                        + regulariser.high() + ", which L-BFGS over rows cannot see to; use ProximalNewton");
            }
        }

        long rows() {
            return slabs.stream().mapToLong(RowSlab::rows).sum();
        }
    }

    /// Solves from weights of 0.
    ///
    /// @param lanes into how many pieces of work a pass is cut; each has a gradient of its own, and the result
    ///              depends on their number in its last digits
    public Solution minimise(Task task, int lanes, Parallel parallel, Monitor monitor) {
        return new QuasiNewtonRun(this, task, new RowPass(task, lanes, parallel), parallel).run(monitor);
    }
}
