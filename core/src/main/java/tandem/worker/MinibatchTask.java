package tandem.worker;

import tandem.problem.Loss;

/// What workers learn together: the loss of `target` labels, positives counted `positiveWeight` times, with weights
/// in one table of the servers and the intercept (if any) in another, after it.
///
/// @param intercept the number of the intercept's table, or a negative number for none
/// @param form      what the rows of the table are
/// @param local     what a worker makes of a batch
public record MinibatchTask(
        Loss loss, Target target, double positiveWeight, int table, int intercept, Form form, Local local) {

    /// The gradient of a linear model.
    public MinibatchTask(Loss loss, Target target, double positiveWeight, int table, int intercept) {
        this(loss, target, positiveWeight, table, intercept, new Form.Weights(), Local.GRADIENT);
    }

    /// How many numbers a row of the intercept's table has.
    int width() {
        return local instanceof Local.Averaging ? AveragingSteps.COLUMNS : 1;
    }

    /// Something to compute the gradients of its batches with.
    BatchGradient gradient() {
        if (local instanceof Local.Averaging how) {
            return new AveragingSteps(how.steps());
        }
        return switch (form) {
            case Form.Weights() -> new LinearGradient();
            case Form.Factors(int dimension) -> new FactorGradient(dimension);
        };
    }
}
