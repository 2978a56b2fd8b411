package tandem.bench.spark;

/// What a stage is asked to train.
///
/// @param maxIter iterations or passes, at most
/// @param tol     how near the optimum to stop; MLlib gets 0, so that it takes all iterations
/// @param judged  whether the training objective is wanted, which takes a pass more, not timed
record Order(int maxIter, double tol, boolean judged) {}
