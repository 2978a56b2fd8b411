package tandem.worker;

import tandem.problem.Loss;
import tandem.server.Table;

/// What an online run learns: the loss of `target` labels, positives counted `positiveWeight` times, in
/// `table`, with the intercept (if any) in the one entry of `intercept`, updated after every `rows` rows.
///
/// @param intercept a table of one key, or null for no intercept
/// @param rows      rows between two pushes; more than a batch has means once a batch
public record OnlineTask(Loss loss, Target target, double positiveWeight, Table table, Table intercept, int rows) {

    /// The key of the intercept in its table.
    public static final long INTERCEPT = 0;

    public OnlineTask {
        if (rows < 1) {
            throw new IllegalArgumentException("rows between updates is " + rows + "; use 1 or more");
        }
        if (!(positiveWeight > 0) || Double.isInfinite(positiveWeight)) {
            throw new IllegalArgumentException(
                    "the weight of positives is " + positiveWeight + "; use a number above 0, such as 1");
        }
    }

    /// How much an example of `weight` counts.
    double importance(double weight, double label) {
        return weight * (label > 0 ? positiveWeight : 1);
    }
}
