package tandem.problem;

import tandem.math.Exp;

/// How a score becomes the number that a model predicts.
public enum Link {
    /// The score itself: a regression's number, or the margin of a classifier without probabilities.
    IDENTITY,
    /// 1/(1 + e⁻ˢ), the probability of the positive class.
    LOGISTIC,
    /// eˢ, the mean of a count.
    EXPONENTIAL;

    /// The link of the loss called `name`.
    public static Link of(String name) {
        return switch (name) {
            case "logistic" -> LOGISTIC;
            case "poisson" -> EXPONENTIAL;
            default -> IDENTITY;
        };
    }

    /// What `score` predicts.
    public double mean(double score) {
        return switch (this) {
            case IDENTITY -> score;
            case LOGISTIC -> Exp.logistic(score);
            case EXPONENTIAL -> Exp.exp(score);
        };
    }
}
