package tandem.client;

/// A budget of bytes a second: what may be sent now without having sent more than the rate since the start,
/// give or take a tenth of a second. What must be sent may overdraw it, and is then paid back first.
final class Ration {

    private static final double MOST_SECONDS = 0.1;

    private final double bytesPerSecond;
    private double bytes;
    private long thenNanos;

    Ration(double bytesPerSecond, long nowNanos) {
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "a budget of " + bytesPerSecond + " bytes a second; use more than 0, such as 1e6");
        }
        this.bytesPerSecond = bytesPerSecond;
        this.thenNanos = nowNanos;
    }

    /// How many bytes may be sent; negative if too many were.
    double allows(long nowNanos) {
        bytes = Math.min(MOST_SECONDS * bytesPerSecond, bytes + bytesPerSecond * (nowNanos - thenNanos) * 1e-9);
        thenNanos = nowNanos;
        return bytes;
    }

    void spend(double sent) {
        bytes -= sent;
    }
}
