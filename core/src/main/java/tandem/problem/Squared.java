package tandem.problem;

/// ½(score − label)²: least squares. Mind the half when comparing with other tools.
public record Squared() implements Loss {

    @Override
    public double value(double score, double label) {
        double r = score - label;
        return 0.5 * r * r;
    }

    @Override
    public double derivative(double score, double label) {
        return score - label;
    }

    @Override
    public double curvature(double score, double label) {
        return 1;
    }

    @Override
    public double conjugate(double slope, double label) {
        return slope * (0.5 * slope + label);
    }

    @Override
    public boolean binary() {
        return false;
    }

    @Override
    public boolean smooth() {
        return true;
    }

    @Override
    public boolean convex() {
        return true;
    }

    @Override
    public double maxCurvature() {
        return 1;
    }

    @Override
    public double maxSlope() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public String name() {
        return "squared";
    }
}
