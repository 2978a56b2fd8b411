package tandem.wire;

/// Bytes from a peer that cannot be what they should be: damaged, of another version, or made by somebody else. The
/// link they came over is of no more use, as after any message that makes no sense.
public final class ProtocolError extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public ProtocolError(String message) {
        super(message);
    }

    public ProtocolError(String message, Throwable cause) {
        super(message, cause);
    }
}
