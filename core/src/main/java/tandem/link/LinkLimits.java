package tandem.link;

import java.time.Duration;
import tandem.wire.Limits;

/// The most that peers can make a node hold.
///
/// @param frames     what a frame may hold
/// @param queueBytes bytes that wait for a peer to read them, for each connection; one frame may be longer
/// @param pending    connections that have not said who they are
/// @param hello      how long they have for it
public record LinkLimits(Limits frames, int queueBytes, int pending, Duration hello) {

    public static final LinkLimits DEFAULT = new LinkLimits(Limits.DEFAULT, 1 << 26, 64, Duration.ofSeconds(5));

    public LinkLimits {
        if (queueBytes < 1 || pending < 1) {
            throw new IllegalArgumentException("a queue of " + queueBytes + " bytes and " + pending
                    + " pending connections; use 1 or more of each");
        }
    }

    public LinkLimits withQueueBytes(int bytes) {
        return new LinkLimits(frames, bytes, pending, hello);
    }

    public LinkLimits withPending(int connections) {
        return new LinkLimits(frames, queueBytes, connections, hello);
    }

    public LinkLimits withHello(Duration deadline) {
        return new LinkLimits(frames, queueBytes, pending, deadline);
    }
}
