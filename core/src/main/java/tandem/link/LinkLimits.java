package tandem.link;

import java.time.Duration;
import tandem.wire.Limits;

/// The most that peers can make a node hold.
///
/// @param frames      what a message may hold
/// @param queueBytes  bytes that wait for a peer to read them, for each connection; one message may be longer
/// @param allBytes    the same over all connections: once so much waits, a peer for which something waits gets no more
/// @param halfBytes   bytes of messages that are not all here, over all connections: beyond that, who has sent most
/// goes
/// @param pending     connections that have not said who they are
/// @param hello       how long they have for it
/// @param connections connections in all; beyond that nobody is let in
public record LinkLimits(
        Limits frames, int queueBytes, long allBytes, long halfBytes, int pending, Duration hello, int connections) {

    public static final LinkLimits DEFAULT =
            new LinkLimits(Limits.DEFAULT, 1 << 26, 1L << 30, 1L << 30, 64, Duration.ofSeconds(5), 1 << 14);

    public LinkLimits {
        if (queueBytes < 1 || allBytes < 1 || halfBytes < 1 || pending < 1 || connections < 1) {
            throw new IllegalArgumentException("a queue of " + queueBytes + " bytes, " + allBytes
                    + " over all connections, " + halfBytes + " that are half here, " + pending
                    + " pending connections and " + connections
                    + " in all; use 1 or more of each");
        }
    }

    public LinkLimits withFrames(Limits messages) {
        return new LinkLimits(messages, queueBytes, allBytes, halfBytes, pending, hello, connections);
    }

    public LinkLimits withQueueBytes(int bytes) {
        return new LinkLimits(frames, bytes, allBytes, halfBytes, pending, hello, connections);
    }

    public LinkLimits withAllBytes(long bytes) {
        return new LinkLimits(frames, queueBytes, bytes, halfBytes, pending, hello, connections);
    }

    public LinkLimits withHalfBytes(long bytes) {
        return new LinkLimits(frames, queueBytes, allBytes, bytes, pending, hello, connections);
    }

    public LinkLimits withPending(int silent) {
        return new LinkLimits(frames, queueBytes, allBytes, halfBytes, silent, hello, connections);
    }

    public LinkLimits withHello(Duration deadline) {
        return new LinkLimits(frames, queueBytes, allBytes, halfBytes, pending, deadline, connections);
    }

    public LinkLimits withConnections(int most) {
        return new LinkLimits(frames, queueBytes, allBytes, halfBytes, pending, hello, most);
    }
}
