package tandem.server;

import tandem.wire.Figures;

/// Computes something over the rows of a table where they live: each shard for itself, and then the results are merged
/// by whoever asked. So a norm over a billion weights costs some numbers on the wire.
@FunctionalInterface
public interface ServerFunction {

    /// What comes of the rows of one shard. Must not change them.
    Figures over(TableRows rows, Figures arguments);

    /// Puts the results of two sets of shards together; by default their sum, number by number. Shards come in their
    /// order, whichever servers hold them, so the same rows give the same bits.
    default Figures merge(Figures one, Figures other) {
        return one.plus(other);
    }
}
