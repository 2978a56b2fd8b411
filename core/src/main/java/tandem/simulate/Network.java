package tandem.simulate;

/// The links between simulated nodes.
///
/// @param latencyNanos   how long a message travels
/// @param jitterNanos    how much longer at most, drawn for each message, so that messages overtake each other
/// @param bytesPerSecond what a node can send, and receive, in a second
/// @param loss           the share of messages that never arrive
/// @param duplication    the share of messages that arrive twice
public record Network(long latencyNanos, long jitterNanos, double bytesPerSecond, double loss, double duplication) {

    /// 10 Gbit/s and 0.1 ms, without faults.
    public static final Network DEFAULT = new Network(100_000, 0, 1.25e9, 0, 0);

    public Network {
        if (latencyNanos < 0 || jitterNanos < 0) {
            throw new IllegalArgumentException("a latency below 0; use 0 or more, such as 0.1ms");
        }
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException("a bandwidth of " + bytesPerSecond + " bytes/s; use more than 0");
        }
        if (!(loss >= 0 && loss < 1) || !(duplication >= 0 && duplication <= 1)) {
            throw new IllegalArgumentException("a share of " + loss + " lost and " + duplication
                    + " doubled; use shares from 0, and lose less than all");
        }
    }

    public Network withFaults(double loss, double duplication, long jitterNanos) {
        return new Network(latencyNanos, jitterNanos, bytesPerSecond, loss, duplication);
    }
}
