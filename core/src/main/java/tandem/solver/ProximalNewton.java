package tandem.solver;

import tandem.math.Parallel;
import tandem.problem.Separable;

/// The batch solver for penalties that treat each weight by itself: proximal Newton, whose steps come
/// from coordinate descent on a working set (newGLMNET: Yuan, Ho and Lin 2012).
///
/// We differ in two ways. Columns with many entries are minimised together, on the matrix of their products
/// ([HeavyColumns]). And more is left out: columns whose gradient cannot reach the L1 strength at any weights are
/// dropped before the start (on click data, nearly all), and of the rest only those that are not at rest
/// enter a step. The residual that ends the work is taken over all columns.
///
/// @param tolerance stop when the KKT residual is at most this times max(1, the largest gradient at 0)
/// @param gap or when the duality gap is at most this times the objective
/// @param maxIterations stop after so many Newton steps
/// @param seed of the order in which columns are visited
public record ProximalNewton(double tolerance, double gap, int maxIterations, long seed) {

    public static final ProximalNewton DEFAULT = new ProximalNewton(1e-6, 1e-6, 1_000, 1);

    public ProximalNewton {
        if (!(tolerance >= 0) || !(gap >= 0)) {
            throw new IllegalArgumentException(
                    "the tolerance is " + tolerance + " and the gap " + gap + "; use numbers above 0, such as 1e-6");
        }
        if (maxIterations < 0) {
            throw new IllegalArgumentException("the limit is " + maxIterations + " iterations; use 0 or more");
        }
    }

    public ProximalNewton withTolerance(double tolerance) {
        return new ProximalNewton(tolerance, gap, maxIterations, seed);
    }

    public ProximalNewton withGap(double gap) {
        return new ProximalNewton(tolerance, gap, maxIterations, seed);
    }

    public ProximalNewton withMaxIterations(int maxIterations) {
        return new ProximalNewton(tolerance, gap, maxIterations, seed);
    }

    /// Solves from weights of 0.
    public Solution minimise(Problem problem) {
        return minimise(problem, new double[problem.data().count()], 0, Parallel.SEQUENTIAL, Monitor.NONE);
    }

    /// Solves from `weights` and `intercept`, which are only read.
    public Solution minimise(Problem problem, double[] weights, double intercept, Parallel parallel, Monitor monitor) {
        if (!(problem.regulariser() instanceof Separable penalty)) {
            throw new IllegalArgumentException("proximal Newton cannot take this regulariser: "
                    + problem.regulariser().describe() + "; use Fista");
        }
        return new NewtonRun(this, problem, penalty, parallel).run(weights, intercept, monitor);
    }
}
