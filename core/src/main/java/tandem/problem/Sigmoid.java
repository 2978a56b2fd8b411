package tandem.problem;

import tandem.math.Exp;

/// 1 / (1 + e^m) with the margin m = score·label: a smooth count of mistakes. It is not convex, so a solver
/// finds a stationary point, which depends on where it started.
public record Sigmoid() implements Loss {

    @Override
    public double value(double score, double label) {
        return Exp.logistic(-score * label);
    }

    @Override
    public double derivative(double score, double label) {
        double p = Exp.logistic(-score * label);
        return -label * p * (1 - p);
    }

    /// The second derivative p(1−p)(1−2p) where it is well above 0, else p(1−p)/3.
    @Override
    public double curvature(double score, double label) {
        double p = Exp.logistic(-score * label);
        return p * (1 - p) * Math.max(1 - 2 * p, 1.0 / 3);
    }

    @Override
    public double conjugate(double slope, double label) {
        return Double.NaN;
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
        return false;
    }

    @Override
    public double maxCurvature() {
        return 0.09622504486493763; // √3/18
    }

    @Override
    public double maxSlope() {
        return 0.25;
    }

    @Override
    public String name() {
        return "sigmoid";
    }
}
