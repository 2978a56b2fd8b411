package tandem.client;

/// Which server of a chain answers reads.
public enum Reads {
    /// The first, which has every update as soon as there is one.
    HEAD,
    /// The last, which has what all have: who reads something there never reads less later, whatever fails.
    TAIL
}
