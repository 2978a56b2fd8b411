package tandem.cluster;

/// Bytes that a node, or several, sent to and received from others.
///
/// @param local in both directions, with nodes of the same machine, as far as that is known; not among the others
public record Traffic(long sent, long received, long local) {

    public static final Traffic NONE = new Traffic(0, 0);

    /// Of nodes that are all on machines of their own, or take no account of it.
    public Traffic(long sent, long received) {
        this(sent, received, 0);
    }

    public Traffic plus(Traffic other) {
        return new Traffic(sent + other.sent, received + other.received, local + other.local);
    }
}
