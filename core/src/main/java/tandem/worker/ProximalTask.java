package tandem.worker;

import tandem.problem.Loss;
import tandem.problem.Separable;

/// What workers learn together by proximal steps, clock after clock: the loss of `target` labels, positives counted
/// `positiveWeight` times.
///
/// @param table      the number of the table of weights
/// @param intercept  that of the intercept's table, or a negative number for none
/// @param margins    that of the table of margins, or a negative number where each worker has examples of its own
/// @param penalty    what is added to the loss
/// @param guaranteed whether steps are as short as the longest delay asks for, not only as the one that there was
public record ProximalTask(
        Loss loss,
        Target target,
        double positiveWeight,
        int table,
        int intercept,
        int margins,
        Separable penalty,
        boolean guaranteed) {

    boolean hasIntercept() {
        return intercept >= 0;
    }
}
