package tandem.solver;

import tandem.math.Parallel;

/// The plain batch solver for every smooth loss and every regulariser: proximal gradient steps with
/// momentum (FISTA: Beck and Teboulle 2009), the step found by halving and the momentum dropped whenever it
/// points uphill (O'Donoghue and Candès 2015). A loss that is not convex gets no momentum, so that the
/// objective never rises.
///
/// It is slow on badly scaled data; use [ProximalNewton] where that works.
///
/// @param tolerance stop when no weight's proximal step, divided by the step size, is longer than this times
///     max(1, the largest gradient at 0)
/// @param maxIterations stop after so many steps
public record Fista(double tolerance, int maxIterations) {

    public static final Fista DEFAULT = new Fista(1e-5, 10_000);

    public Fista {
        if (!(tolerance >= 0)) {
            throw new IllegalArgumentException(
                    "the tolerance is " + tolerance + "; use a number above 0, such as 1e-5");
        }
        if (maxIterations < 0) {
            throw new IllegalArgumentException("the limit is " + maxIterations + " iterations; use 0 or more");
        }
    }

    public Fista withTolerance(double tolerance) {
        return new Fista(tolerance, maxIterations);
    }

    public Fista withMaxIterations(int maxIterations) {
        return new Fista(tolerance, maxIterations);
    }

    /// Solves from weights of 0.
    public Solution minimise(Problem problem) {
        return minimise(problem, new double[problem.data().count()], 0, Parallel.SEQUENTIAL, Monitor.NONE);
    }

    /// Solves from `weights` and `intercept`, which are only read.
    public Solution minimise(Problem problem, double[] weights, double intercept, Parallel parallel, Monitor monitor) {
        return new FistaRun(this, problem, parallel).run(weights, intercept, monitor);
    }
}
