package tandem;

import tandem.solver.Ending;

/// Where a proximal solver is between two rounds, as it is kept for whoever goes on with it.
///
/// @param phase     what comes next
/// @param clocks    clocks so far in which weights moved
/// @param scale     what the tolerance is relative to
/// @param step      by what the bounds on curvature are divided
/// @param residual  the largest residual that was measured last
/// @param objective the objective that was measured last
/// @param path      how far weights had moved in all, then
/// @param leaps     rounds in a row that began with a leap
/// @param still     rounds in a row that hardly lowered the objective
/// @param due       from how many clocks on it asks for the duality gap
/// @param ending    why it ends; null while it does not
record ProximalState(
        Phase phase,
        int clocks,
        double scale,
        double step,
        double residual,
        double objective,
        double path,
        int leaps,
        int still,
        int due,
        Ending ending)
        implements CourseState {

    @Override
    public int done() {
        return clocks;
    }

    /// What a round is for: to measure the gradient at zero weights, and at those to start from where they are
    /// others; to move weights, or to bound the objective from below.
    enum Phase {
        START,
        SIGHT,
        MOVE,
        BOUND
    }
}
