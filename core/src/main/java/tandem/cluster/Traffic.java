package tandem.cluster;

/// Bytes that travelled between nodes.
public record Traffic(long sent, long received) {

    public static final Traffic NONE = new Traffic(0, 0);

    public Traffic plus(Traffic other) {
        return new Traffic(sent + other.sent, received + other.received);
    }
}
