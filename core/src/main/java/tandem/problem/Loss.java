package tandem.problem;

/// How wrong a score is about a label, and how fast that changes with the score.
///
/// A score is xᵀw plus the intercept. Losses for two classes ([#binary]) take labels -1 and +1; the
/// others take the number itself.
public interface Loss {

    /// The loss of `score` for `label`.
    double value(double score, double label);

    /// Its derivative by the score (a subgradient at a kink).
    double derivative(double score, double label);

    /// A curvature for a quadratic model around `score`: the second derivative where that is positive,
    /// otherwise a number ≥ 0 that keeps the model from being flat where the loss is not.
    double curvature(double score, double label);

    /// Whether labels are the two classes -1 and +1.
    boolean binary();

    /// Whether the derivative is continuous, as the batch solver needs.
    boolean smooth();

    /// Whether a stationary point is a minimum.
    boolean convex();

    /// An upper bound of the second derivative over all scores; infinite if there is none (Poisson).
    double maxCurvature();

    /// The largest |derivative| over all scores and labels; infinite if there is none.
    double maxSlope();

    /// The name on the command line and in a model file.
    String name();
}
