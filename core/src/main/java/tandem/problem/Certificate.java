package tandem.problem;

/// How near to the optimum a solution is, checkable by anyone who has the data.
///
/// @param kind what `residual` measures
/// @param residual 0 at an optimum (or stationary point) exactly, over all features and the intercept
/// @param dualityGap the objective exceeds the least possible one by no more than this; NaN where no bound is
///     known (a loss that is not convex, or a regulariser that does not treat each weight by itself)
public record Certificate(Kind kind, double residual, double dualityGap) {

    /// What a residual measures.
    public enum Kind {
        /// The largest distance of minus the gradient from the subdifferential of the penalty, on the sum scale.
        KKT,
        /// The length of the proximal gradient step divided by the step size.
        PROXIMAL_GRADIENT
    }
}
