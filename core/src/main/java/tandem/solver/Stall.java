package tandem.solver;

/// Notices that steps lead nowhere: in so many of them the objective fell by less than a ten-millionth of it,
/// and the residual never to half of what it was at best. That happens at the rounding of doubles, and where a
/// penalty is so weak that thousands of weights have nearly nothing to choose them by.
final class Stall {

    private static final int STEPS = 50;
    private static final double SMALL = 1e-7;

    private double objective = Double.POSITIVE_INFINITY;
    private double residual = Double.POSITIVE_INFINITY;
    private int steps;

    /// Whether the steps up to this one lead nowhere.
    boolean is(double objective, double residual) {
        if (this.objective - objective > SMALL * Math.abs(objective) || residual < 0.5 * this.residual) {
            this.objective = objective;
            this.residual = Math.min(residual, this.residual);
            steps = 0;
            return false;
        }
        return ++steps >= STEPS;
    }
}
