package tandem.worker;

/// Gives a worker ranges of the batches of a pass, one after the other, each of which counts for one worker only.
@FunctionalInterface
public interface Ranges {

    /// Batches `from` until `to` of the order of the pass; none if the two are equal.
    ///
    /// @param counts whether the range before it was this worker's, not that of one who was faster
    record Range(long from, long to, boolean counts) {}

    /// Waits for the next range; an empty one when nothing is left for anyone.
    Range next();
}
