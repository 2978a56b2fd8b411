package tandem.problem;

/// tau·r where the label is above the score by r, (1 − tau)·r where it is below: scores become the tau-quantile.
/// It has a kink, so it trains online only.
public record Quantile(double tau) implements Loss {

    /// Half above, half below: the absolute error, halved.
    public static final Quantile MEDIAN = new Quantile(0.5);

    public Quantile {
        if (!(tau > 0 && tau < 1)) {
            throw new IllegalArgumentException(
                    "quantile is " + tau + "; use a number between 0 and 1, such as 0.5 for the median");
        }
    }

    @Override
    public double value(double score, double label) {
        double r = label - score;
        return r > 0 ? tau * r : (tau - 1) * r;
    }

    @Override
    public double derivative(double score, double label) {
        if (score == label) {
            return 0;
        }
        return score < label ? -tau : 1 - tau;
    }

    @Override
    public double curvature(double score, double label) {
        return 0;
    }

    @Override
    public double conjugate(double slope, double label) {
        return slope < -tau || slope > 1 - tau ? Double.POSITIVE_INFINITY : slope * label;
    }

    @Override
    public boolean binary() {
        return false;
    }

    @Override
    public boolean smooth() {
        return false;
    }

    @Override
    public boolean convex() {
        return true;
    }

    @Override
    public double maxCurvature() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public double maxSlope() {
        return Math.max(tau, 1 - tau);
    }

    @Override
    public String name() {
        return equals(MEDIAN) ? "quantile" : "quantile:" + tau;
    }
}
