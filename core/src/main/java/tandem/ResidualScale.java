package tandem;

import tandem.problem.Separable;

/// What the tolerance of a solver on servers is multiplied by: the largest gradient at zero weights, but at most so
/// many times the strength of an L1 penalty. Where nearly all labels are the same that gradient is as large as the
/// data, while a weight whose residual is as large as the strength is as wrong as can be.
final class ResidualScale {

    private static final double STRENGTHS = 1_000;

    private ResidualScale() {}

    static double of(double steepest, Separable penalty) {
        double largest = Math.max(1, steepest);
        return penalty.l1() > 0 ? Math.min(largest, STRENGTHS * penalty.l1()) : largest;
    }
}
