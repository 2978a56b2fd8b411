package tandem;

import tandem.solver.Ending;

/// Where a block solver is between two rounds, as it is kept for whoever goes on with it.
///
/// @param phase     what comes next
/// @param passes    rounds so far in which weights moved
/// @param scale     what the tolerance is relative to: the largest gradient at zero weights, or 1
/// @param step      by what the bounds on curvature are divided
/// @param residual  the largest residual when all weights were measured last
/// @param largest   the largest gradient then, of those that nothing but the L1 strength holds
/// @param objective the objective after the last round
/// @param mark      the objective at the last round whose number [Solver.Blocks#SOME] divides; infinite if it has risen
///                  since
/// @param moved     how far scores moved in the last round, the root of the mean of squares
/// @param fresh     rounds since momentum began anew
/// @param whole     whether filters may lose nothing any more
/// @param exact     whether small steps are held back no longer
/// @param still     rounds in a row that hardly lowered the objective
/// @param ending    why it ends; null while it does not
record BlockState(
        Phase phase,
        int passes,
        double scale,
        double step,
        double residual,
        double largest,
        double objective,
        double mark,
        double moved,
        int fresh,
        boolean whole,
        boolean exact,
        int still,
        Ending ending)
        implements CourseState {

    @Override
    public int done() {
        return passes;
    }

    /// What a round is for: to measure the gradient at zero weights, and at those to start from where they are others;
    /// to move weights, to measure their gradient where they are, or to bound the objective from below.
    enum Phase {
        START,
        SIGHT,
        MOVE,
        LOOK,
        BOUND
    }
}
