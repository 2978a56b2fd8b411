package tandem.bench.spark;

/// What came of an order.
///
/// @param wallSeconds of `fit`
/// @param cpuSeconds  of the whole process meanwhile
/// @param objective   the mean loss of the training rows and the penalty; NaN if nobody asked
/// @param heldOut     the mean loss of rows that were held out
/// @param nonZeros    weights that are not 0
/// @param history     the objective after each iteration, as the system itself counts; empty if it does not
/// @param split       where the time of the slots went
/// @param heapBytes   the most that was on the heap after a collection
/// @param peakBytes   the most memory that the process has had resident
record Answer(
        double wallSeconds,
        double cpuSeconds,
        double objective,
        double heldOut,
        long nonZeros,
        double[] history,
        Split split,
        long heapBytes,
        long peakBytes) {

    /// Seconds of both slots of Spark, so twice the wall time in all.
    ///
    /// @param compute work on rows
    /// @param move    packing, sending and reading weights, gradients and rows
    /// @param idle    the rest: a slot with no task, or a task that has nothing to do
    record Split(double compute, double move, double idle) {}
}
