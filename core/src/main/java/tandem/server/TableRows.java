package tandem.server;

import java.util.function.Consumer;

/// The rows of one shard of a table, as a server function sees them.
public interface TableRows {

    /// How many rows there are in this shard.
    long size();

    /// The row of `key`, or null if it has none here. Good until the next call.
    Row find(long key);

    /// Shows every row once, ascending by key as unsigned, so that the same rows give the same sums to the bit. A row
    /// is good only while it is shown.
    void forEach(Consumer<Row> visitor);
}
