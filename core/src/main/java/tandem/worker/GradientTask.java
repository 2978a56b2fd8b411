package tandem.worker;

import tandem.problem.Loss;

/// What workers find the gradient of together: the loss of `target` labels, positives counted
/// `positiveWeight` times.
///
/// @param table the number of the table that points are pulled from and gradients pushed to
public record GradientTask(Loss loss, Target target, double positiveWeight, int table) {}
