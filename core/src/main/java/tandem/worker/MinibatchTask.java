package tandem.worker;

import tandem.problem.Loss;

/// What workers learn together: the loss of `target` labels, positives counted `positiveWeight` times, with weights
/// in one table of the servers and the intercept (if any) in another, after it.
///
/// @param intercept the number of the intercept's table, or a negative number for none
/// @param form      what the rows of the table are
public record MinibatchTask(Loss loss, Target target, double positiveWeight, int table, int intercept, Form form) {

    /// A linear model.
    public MinibatchTask(Loss loss, Target target, double positiveWeight, int table, int intercept) {
        this(loss, target, positiveWeight, table, intercept, new Form.Weights());
    }

    /// Something to compute the gradients of its batches with.
    BatchGradient gradient() {
        return switch (form) {
            case Form.Weights() -> new LinearGradient();
            case Form.Factors(int dimension) -> new FactorGradient(dimension);
        };
    }
}
