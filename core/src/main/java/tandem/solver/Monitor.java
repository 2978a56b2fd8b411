package tandem.solver;

/// Watches a batch solver, and may end it.
@FunctionalInterface
public interface Monitor {

    /// Never stops a solver.
    Monitor NONE = at -> true;

    /// Called once an iteration; false asks the solver to stop and give what it has.
    boolean goesOn(Iteration at);

    /// Where a solver is.
    ///
    /// @param number counted from 0, before the first step
    /// @param residual as in [tandem.problem.Certificate]
    record Iteration(int number, double objective, double residual, int nonZeros) {}
}
