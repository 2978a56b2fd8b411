package tandem.filter;

/// Which way rows travel.
public enum Direction {
    /// To servers.
    PUSH,
    /// From servers.
    PULL
}
