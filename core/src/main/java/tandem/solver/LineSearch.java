package tandem.solver;

/// How far to go along a direction: a step that lowers the objective enough (Armijo) and, where that is
/// asked for, leads to where it falls less steeply (the weak Wolfe conditions), found by doubling and
/// halving (Lewis and Overton 2013).
///
/// @param step  the step to try next, or the one that was found
/// @param low   a step that is too short; 0 if there has been none
/// @param high  one that is too long; infinite if there has been none
/// @param tries steps that were tried and were not right
public record LineSearch(double step, double low, double high, int tries) {

    /// What part of the slope at the start the objective must fall by.
    private static final double FALL = 1e-4;

    /// What part of that slope must be gone.
    private static final double FLATTER = 0.9;

    /// Sums over many examples, and by many workers, are no better than this.
    private static final double ROUNDING = 1e-13;

    private static final int MOST_TRIES = 60;

    public LineSearch(double step) {
        this(step, 0, Double.POSITIVE_INFINITY, 0);
    }

    /// Whether `objective`, `moved` along the slope at the start, is too little below `before`. What
    /// cannot be told from rounding is no rise. Where weights stopped on the way, `moved` may lead up.
    public static boolean isTooLong(double before, double moved, double objective) {
        return !(objective <= before + FALL * Math.min(0, moved) + ROUNDING * Math.abs(before));
    }

    /// Whether the slope there is too much like that at the start.
    public static boolean isTooShort(double slopeBefore, double slope) {
        return slope < FLATTER * slopeBefore;
    }

    /// After a step that was too long.
    public LineSearch shorter() {
        return new LineSearch((low + step) / 2, low, step, tries + 1);
    }

    /// After a step that was too short.
    public LineSearch longer() {
        return new LineSearch(high < Double.POSITIVE_INFINITY ? (step + high) / 2 : 2 * step, step, high, tries + 1);
    }

    /// Whether the first step that was tried was not right.
    public boolean isRefused() {
        return tries > 0;
    }

    /// Whether it is no use to go on.
    public boolean isOver() {
        return tries >= MOST_TRIES;
    }
}
