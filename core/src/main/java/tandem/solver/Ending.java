package tandem.solver;

/// Why a batch solver ended.
public enum Ending {
    /// The tolerance was reached.
    CONVERGED,
    /// So many iterations were allowed and no more.
    LIMIT,
    /// Steps no longer make a difference to speak of: 50 of them lowered the objective by less than 1e-7 of it and
    /// did not halve the residual, or none lowered it at all.
    STALLED,
    /// The [Monitor] asked for it.
    ASKED
}
