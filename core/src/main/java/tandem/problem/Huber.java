package tandem.problem;

/// Half the squared error up to `delta`, then a straight line: least squares that outliers cannot pull far.
public record Huber(double delta) implements Loss {

    /// Bends at an error of 1.
    public static final Huber DEFAULT = new Huber(1);

    public Huber {
        if (!(delta > 0 && delta < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "huber delta is " + delta + "; it is an error size, so use a number above 0, such as 1");
        }
    }

    @Override
    public double value(double score, double label) {
        double r = Math.abs(score - label);
        return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
    }

    @Override
    public double derivative(double score, double label) {
        return Math.clamp(score - label, -delta, delta);
    }

    /// On the straight part, where the second derivative is 0, that of the parabola which touches the loss
    /// there and lies above it elsewhere (iteratively reweighted least squares).
    @Override
    public double curvature(double score, double label) {
        double r = Math.abs(score - label);
        return r <= delta ? 1 : delta / r;
    }

    @Override
    public double conjugate(double slope, double label) {
        return Math.abs(slope) > delta ? Double.POSITIVE_INFINITY : slope * (0.5 * slope + label);
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
        return delta;
    }

    @Override
    public String name() {
        return equals(DEFAULT) ? "huber" : "huber:" + delta;
    }
}
