package tandem.problem;

/// max(0, 1 − m) with the margin m = score·label: the support vector machine. It has a kink, so it trains
/// online only.
public record Hinge() implements Loss {

    @Override
    public double value(double score, double label) {
        return Math.max(0, 1 - score * label);
    }

    @Override
    public double derivative(double score, double label) {
        return score * label < 1 ? -label : 0;
    }

    @Override
    public double curvature(double score, double label) {
        return 0;
    }

    /// −a for a = −slope·label in [0, 1].
    @Override
    public double conjugate(double slope, double label) {
        double a = -slope * label;
        return a < 0 || a > 1 ? Double.POSITIVE_INFINITY : -a;
    }

    @Override
    public boolean binary() {
        return true;
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
        return 1;
    }

    @Override
    public String name() {
        return "hinge";
    }
}
