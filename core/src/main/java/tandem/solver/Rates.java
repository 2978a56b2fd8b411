package tandem.solver;

/// The checks that all online rules make of their step sizes.
final class Rates {

    private Rates() {}

    static void check(double alpha, double beta) {
        if (!(alpha > 0) || Double.isInfinite(alpha)) {
            throw new IllegalArgumentException("the learning rate is " + alpha + "; use a number above 0, such as 0.1");
        }
        if (!(beta >= 0) || Double.isInfinite(beta)) {
            throw new IllegalArgumentException("beta is " + beta + "; use 0 or more, such as 1");
        }
    }
}
