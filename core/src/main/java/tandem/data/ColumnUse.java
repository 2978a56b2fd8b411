package tandem.data;

/// Where a worker has the columns of its rows.
public enum ColumnUse {

    /// In memory if they fit into it well, otherwise on disk.
    AUTO,

    /// In memory.
    MEMORY,

    /// In a cache of their own, from which they are read block by block.
    DISK
}
