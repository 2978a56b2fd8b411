package tandem.link;

/// How slow the network is made that a process sends into, so that a fast machine can stand in for a slow network.
///
/// @param bytesPerSecond what it takes, over all connections
/// @param delayNanos     how much longer a frame travels
public record Shape(double bytesPerSecond, long delayNanos) {

    /// As fast as it is.
    public static final Shape NONE = new Shape(Double.POSITIVE_INFINITY, 0);

    public Shape {
        if (!(bytesPerSecond > 0) || delayNanos < 0) {
            throw new IllegalArgumentException("a network of " + bytesPerSecond + " bytes/s and " + delayNanos
                    + " ns delay; use a rate above 0 and a delay of 0 or more");
        }
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
