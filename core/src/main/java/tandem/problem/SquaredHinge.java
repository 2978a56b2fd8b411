package tandem.problem;

/// max(0, 1 − m)² with the margin m = score·label, as LIBLINEAR's L2-loss support vector machine.
public record SquaredHinge() implements Loss {

    @Override
    public double value(double score, double label) {
        double missing = Math.max(0, 1 - score * label);
        return missing * missing;
    }

    @Override
    public double derivative(double score, double label) {
        return -2 * label * Math.max(0, 1 - score * label);
    }

    @Override
    public double curvature(double score, double label) {
        return score * label < 1 ? 2 : 0;
    }

    /// a²/4 − a for a = −slope·label ≥ 0.
    @Override
    public double conjugate(double slope, double label) {
        double a = -slope * label;
        return a < 0 ? Double.POSITIVE_INFINITY : a * (0.25 * a - 1);
    }

    @Override
    public boolean binary() {
        return true;
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
        return 2;
    }

    @Override
    public double maxSlope() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public String name() {
        return "squared-hinge";
    }
}
