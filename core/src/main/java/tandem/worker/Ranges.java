package tandem.worker;

/// Gives a worker ranges of the batches of a pass, one after the other, each batch to one worker only.
@FunctionalInterface
public interface Ranges {

    /// Batches `from` until `to` of the order of the pass; none if the two are equal.
    record Range(long from, long to) {}

    /// Waits for the next range; an empty one when nothing is left for anyone.
    Range next();
}
