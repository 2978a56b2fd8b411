package tandem.problem;

/// What is added to the loss, or the set that weights must stay in. All strengths are on the sum scale.
public interface Regulariser {

    /// The penalty of `weights`; infinite outside a constraint set (beyond rounding).
    double value(double[] weights);

    /// Replaces `weights` by prox: argmin_x h(x) + ‖x − weights‖²/(2·step).
    void prox(double[] weights, double step);

    /// One line for reports: `l1 1, l2 0.5`.
    String describe();
}
