package tandem.problem;

import tandem.math.Exp;

/// log(1 + e^−m) with the margin m = score·label: minus the log-likelihood of the label.
public record Logistic() implements Loss {

    @Override
    public double value(double score, double label) {
        return Exp.log1pExp(-score * label);
    }

    @Override
    public double derivative(double score, double label) {
        return -label * Exp.logistic(-score * label);
    }

    @Override
    public double curvature(double score, double label) {
        double e = Exp.exp(-Math.abs(score));
        return e / ((1 + e) * (1 + e));
    }

    @Override
    public void differentiate(
            double score, double label, double importance, double[] slopes, double[] curvatures, int i) {
        double e = Exp.exp(-Math.abs(score));
        double larger = 1 / (1 + e);
        double smaller = e * larger;
        slopes[i] = -label * importance * (score * label > 0 ? smaller : larger);
        curvatures[i] = importance * smaller * larger;
    }

    /// a log a + (1−a) log(1−a) for a = −slope·label in [0, 1]: the negative entropy.
    @Override
    public double conjugate(double slope, double label) {
        double a = -slope * label;
        return a < 0 || a > 1 ? Double.POSITIVE_INFINITY : timesLog(a) + timesLog(1 - a);
    }

    private static double timesLog(double a) {
        return a == 0 ? 0 : a * StrictMath.log(a);
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
        return 0.25;
    }

    /// The third derivative is at most the second.
    @Override
    public double growth(double distance) {
        return Exp.exp(distance);
    }

    @Override
    public double maxSlope() {
        return 1;
    }

    @Override
    public String name() {
        return "logistic";
    }
}
