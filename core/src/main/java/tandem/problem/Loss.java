package tandem.problem;

/// How wrong a score is about a label, and how fast that changes with the score.
///
/// A score is xᵀw plus the intercept. Losses for two classes ([#binary]) take labels -1 and +1 and fall
/// as score·label grows; the others take the number itself.
public interface Loss {

    /// The loss of `score` for `label`.
    double value(double score, double label);

    /// Its derivative by the score (a subgradient at a kink).
    double derivative(double score, double label);

    /// A curvature ≥ 0 for a quadratic model around `score`: the second derivative where a convex loss
    /// has one, otherwise a number that keeps the model from being flat where the loss is not.
    double curvature(double score, double label);

    /// Derivative and curvature of the first `count` of some scores: for loops that need both of many, where one
    /// exponential is enough for a loss that has them.
    default void derivatives(double[] scores, double[] labels, int count, double[] slopes, double[] curvatures) {
        for (int k = 0; k < count; k++) {
            slopes[k] = derivative(scores[k], labels[k]);
            curvatures[k] = curvature(scores[k], labels[k]);
        }
    }

    /// The convex conjugate sup_s slope·s − value(s, label), from which a dual bound is made: infinite for
    /// a slope that the loss never reaches, NaN if the loss is not convex.
    double conjugate(double slope, double label);

    /// Whether labels are the two classes -1 and +1.
    boolean binary();

    /// Whether scores are numbers on the scale of labels, not margins or logarithms.
    default boolean scoresLikeLabels() {
        return !binary() && Link.of(name()) == Link.IDENTITY;
    }

    /// Whether the derivative is continuous, as the batch solver needs.
    boolean smooth();

    /// Whether a stationary point is a minimum.
    boolean convex();

    /// An upper bound of |second derivative| over all scores; infinite if there is none.
    double maxCurvature();

    /// By what factor [#curvature] grows at most when the score moves by `distance`; infinite where only
    /// [#maxCurvature] is known.
    default double growth(double distance) {
        return Double.POSITIVE_INFINITY;
    }

    /// The largest |derivative| over all scores and labels; infinite if there is none.
    double maxSlope();

    /// The name on the command line and in a model file; [#named] takes it back.
    String name();

    /// Whether the loss is meant for `label`.
    default boolean accepts(double label) {
        return binary() ? label == 1 || label == -1 : Double.isFinite(label);
    }

    /// The loss called `name`; `huber` and `quantile` may carry their setting, as in `quantile:0.9`.
    static Loss named(String name) {
        int colon = name.indexOf(':');
        String kind = colon < 0 ? name : name.substring(0, colon);
        String setting = colon < 0 ? null : name.substring(colon + 1);
        Loss loss = switch (kind) {
            case "logistic" -> new Logistic();
            case "squared" -> new Squared();
            case "squared-hinge" -> new SquaredHinge();
            case "hinge" -> new Hinge();
            case "huber" -> setting == null ? Huber.DEFAULT : new Huber(number(name, setting));
            case "poisson" -> new Poisson();
            case "quantile" -> setting == null ? Quantile.MEDIAN : new Quantile(number(name, setting));
            case "sigmoid" -> new Sigmoid();
            default ->
                throw new IllegalArgumentException("no loss is called '" + kind + "'; use one of logistic, squared, "
                        + "squared-hinge, hinge, huber, poisson, quantile, sigmoid");
        };
        if (setting != null && !(loss instanceof Huber) && !(loss instanceof Quantile)) {
            throw new IllegalArgumentException("loss '" + name + "': " + kind + " has no setting; write just " + kind);
        }
        return loss;
    }

    private static double number(String name, String setting) {
        try {
            return Double.parseDouble(setting);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "loss '" + name + "': '" + setting
                            + "' is not a number; write for example huber:1.5 or quantile:0.9",
                    e);
        }
    }
}
