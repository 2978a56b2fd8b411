package tandem.server;

import tandem.wire.Figures;

/// Changes the rows of a table where they live, shard by shard: an update that is computed, not sent. It is applied
/// exactly once, like any other update of a stream.
@FunctionalInterface
public interface ServerChange {

    /// Changes the rows of one shard. Must not look at anything but these and its arguments.
    void over(TableRows rows, Figures arguments);
}
