package tandem.problem;

/// Training ended in weights, or an objective, that are no finite numbers.
public final class Diverged extends ArithmeticException {

    private Diverged(String what) {
        this(
                what + ": training has diverged",
                "Divide features that are very large by a constant, or train with a smaller learning rate (of a"
                        + " factorisation machine a smaller --factor-scale, then --factor-rate)");
    }

    private Diverged(String what, String remedy) {
        super(what + ". " + remedy);
    }

    /// Of weights, or a score, that are no finite number.
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
