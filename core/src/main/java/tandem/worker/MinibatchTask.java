package tandem.worker;

import tandem.problem.Loss;

/// What workers learn together: the loss of `target` labels, positives counted `positiveWeight` times, with weights
/// in one table of the servers and the intercept (if any) in another, after it.
///
/// @param intercept the number of the intercept's table, or a negative number for none
public record MinibatchTask(Loss loss, Target target, double positiveWeight, int table, int intercept) {}
