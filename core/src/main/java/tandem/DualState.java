package tandem;

import tandem.solver.Balance;

/// Where dual coordinate ascent is between two rounds, as it is kept for whoever goes on with it.
///
/// @param phase     what comes next
/// @param passes    passes so far
/// @param intercept the intercept, where slopes are looked at
/// @param strength  how strongly a pass holds the intercept; 0 before that is known
/// @param slopes    Σ of the slopes of all examples, which is 0 at the optimum with an intercept
/// @param balance   what slopes below 0 and above are to be multiplied by for that
/// @param balanced  whether it is 0 now
/// @param told      passes so far that the report counts
record DualState(
        Phase phase,
        int passes,
        double intercept,
        double strength,
        double slopes,
        Balance balance,
        boolean balanced,
        int told)
        implements CourseState {

    @Override
    public int done() {
        return told;
    }

    /// What a round is for: to tell how firmly weights are to be held, to take slopes from the weights of a model to
    /// start from, and to gather what these pull by; to look how good weights and slopes are, to pass over the
    /// examples, or to balance slopes.
    enum Phase {
        HOLDS,
        SLOPES,
        GATHER,
        LOOK,
        PASS,
        BALANCE
    }
}
