package tandem.cluster;

import tandem.wire.Address;

/// What a worker has last said of its work in one of its lives: the examples that it has learned from, and their
/// loss if each counts once.
public record Heard(Whose whose, long examples, double loss) {

    /// A worker in one of its lives.
    public record Whose(Address worker, long life) {}
}
