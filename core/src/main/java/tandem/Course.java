package tandem;

/// A solver that goes to the optimum of a problem on servers and workers, the coordinator's side: step
/// after step, each of which another coordinator could do again.
interface Course {

    /// Where it is, for whoever goes on with it.
    CourseState state();

    /// Does the next step; what the solver vouches for once it was the last, null before.
    Finished.Proof next();

    /// The intercept that it ends with; NaN if servers hold it.
    default double intercept() {
        return Double.NaN;
    }
}
