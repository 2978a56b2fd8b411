package tandem.wire;

/// What goes to a server function, and what comes of it: whole numbers, such as keys and counts, and real ones.
public record Figures(long[] whole, double[] real) {

    private static final long[] NO_WHOLE = {};
    private static final double[] NO_REAL = {};

    public static final Figures NONE = new Figures(NO_WHOLE, NO_REAL);

    public static Figures of(double... real) {
        return new Figures(NO_WHOLE, real);
    }

    public static Figures ofWhole(long... whole) {
        return new Figures(whole, NO_REAL);
    }

    /// Whole number `i`.
    public long whole(int i) {
        return whole[i];
    }

    /// Real number `i`.
    public double real(int i) {
        return real[i];
    }

    /// Number by number the sum of these and others, of which there are as many.
    public Figures plus(Figures other) {
        if (other.whole.length != whole.length || other.real.length != real.length) {
            throw new IllegalArgumentException(whole.length + " whole and " + real.length + " real numbers plus "
                    + other.whole.length + " and " + other.real.length + "; there must be as many of each");
        }
        long[] wholes = whole.clone();
        double[] reals = real.clone();
        for (int i = 0; i < wholes.length; i++) {
            wholes[i] += other.whole[i];
        }
        for (int i = 0; i < reals.length; i++) {
            reals[i] += other.real[i];
        }
        return new Figures(wholes, reals);
    }
}
