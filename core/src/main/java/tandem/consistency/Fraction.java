package tandem.consistency;

/// An epoch ends when a share of the workers has finished it. See [Consistency#fraction].
///
/// @param share above 0, up to 1
public record Fraction(double share) implements Consistency {

    public Fraction {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "a share of " + share + " of the workers; use a number above 0, up to 1, such as 0.75");
        }
    }

    /// How many of `workers` have to finish.
    public int of(int workers) {
        return (int) Math.ceil(share * workers);
    }

    /// The same share of those of `all` who have something to do. The others are through at once, so that they count as
    /// having finished in any case.
    public Fraction among(int busy, int all) {
        // Less by a half, so that rounding does not ask for one more.
        return busy >= all ? this : new Fraction((all - busy + of(busy) - 0.5) / all);
    }

    @Override
    public After after(long clock, long sent) {
        return new After(0, clock, share);
    }

    @Override
    public int ahead() {
        return 1;
    }

    @Override
    public boolean byPass() {
        return true;
    }

    public String name() {
        return "fraction:" + share;
    }

    static Fraction named(String name, int colon) {
        try {
            return new Fraction(Double.parseDouble(name.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "consistency is " + name + "; after the colon comes a share of the workers, such as fraction:0.75",
                    e);
        }
    }
}
