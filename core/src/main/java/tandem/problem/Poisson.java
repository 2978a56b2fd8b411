package tandem.problem;

import tandem.math.Exp;

/// e^score − label·score: counts whose expected value is e^score, without the term that only labels decide.
public record Poisson() implements Loss {

    @Override
    public double value(double score, double label) {
        return Exp.exp(score) - label * score;
    }

    @Override
    public double derivative(double score, double label) {
        return Exp.exp(score) - label;
    }

    @Override
    public double curvature(double score, double label) {
        return Exp.exp(score);
    }

    /// v log v − v for v = slope + label ≥ 0.
    @Override
    public double conjugate(double slope, double label) {
        double v = slope + label;
        if (v == 0) {
            return 0;
        }
        return v < 0 ? Double.POSITIVE_INFINITY : v * (StrictMath.log(v) - 1);
    }

    @Override
    public boolean accepts(double label) {
        return label >= 0 && label < Double.POSITIVE_INFINITY;
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
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public double growth(double distance) {
        return Exp.exp(distance);
    }

    @Override
    public double maxSlope() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public String name() {
        return "poisson";
    }
}
