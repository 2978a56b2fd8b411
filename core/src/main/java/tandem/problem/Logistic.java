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
    public void derivatives(double[] scores, double[] labels, int count, double[] slopes, double[] curvatures) {
        for (int k = 0; k < count; k++) {
            double smaller = Exp.logisticBelow(Math.abs(scores[k]));
            double larger = 1 - smaller;
            // Which of the two it is no branch could foretell.
            long wrong = Double.doubleToRawLongBits(scores[k] * labels[k]) >> 63;
            long chosen = Double.doubleToRawLongBits(larger) & wrong | Double.doubleToRawLongBits(smaller) & ~wrong;
            slopes[k] = -labels[k] * Double.longBitsToDouble(chosen);
            curvatures[k] = smaller * larger;
        }
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

    /// The third derivative is at most the second, so by e^distance; up to 1 by a polynomial that is no less, and at
    /// most 0.3 % more: this is asked for every value of every feature.
    @Override
    public double growth(double distance) {
        return distance <= 1
                ? 1 + distance * (1 + distance * (0.5 + 0.2182818284590453 * distance))
                : Exp.exp(distance);
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
