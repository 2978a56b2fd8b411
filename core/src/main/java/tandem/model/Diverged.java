package tandem.model;

/// Training ended in weights, or an objective, that are no finite numbers.
public final class Diverged extends ArithmeticException {

    Diverged(String what) {
        this(
                what + ": training has diverged",
                "Train with a smaller learning rate (of factors --factor-rate), or divide features that are very large"
                        + " by a constant");
    }

    private Diverged(String what, String remedy) {
        super(what + ". " + remedy);
    }

    /// Of training on servers, one of which found a weight that is no number.
    public static Diverged weight(String what) {
        return new Diverged(what);
    }

    /// Of a solver without a learning rate.
    public static Diverged objective(double value) {
        return new Diverged(
                "the objective is " + value + ": labels, features or weights are too large to be summed",
                "Divide them by a constant");
    }
}
