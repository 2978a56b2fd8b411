package tandem.solver;

/// What slopes below 0 and above are multiplied by before they are summed up.
public record Balance(double falls, double rises) {

    public static final Balance NONE = new Balance(1, 1);

    /// What makes slopes sum up to 0, which the bound of an objective with an intercept needs: those of the sign that
    /// outweighs the other are scaled down.
    ///
    /// @param falls Σ of the slopes below 0, without their sign
    /// @param rises Σ of those above
    public static Balance of(double falls, double rises) {
        return new Balance(falls > rises ? rises / falls : 1, rises > falls ? falls / rises : 1);
    }

    /// The same of the slopes one by one.
    static Balance of(double[] slopes) {
        double falls = 0;
        double rises = 0;
        for (double slope : slopes) {
            falls += Math.max(0, -slope);
            rises += Math.max(0, slope);
        }
        return of(falls, rises);
    }

    public double scaled(double slope) {
        return slope * (slope < 0 ? falls : rises);
    }
}
