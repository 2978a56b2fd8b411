package tandem.link;

import java.time.Duration;
import tandem.wire.Limits;

/// The most that peers can make a node hold.
///
/// @param frames      what a message may hold
/// @param queueBytes  bytes that wait for a peer to read them, for each connection; one message may be longer
/// @param pending     connections that have not said who they are
/// @param hello       how long they have for it
/// @param connections connections in all; beyond that nobody is let in
public record LinkLimits(Limits frames, int queueBytes, int pending, Duration hello, int connections) {

    public static final LinkLimits DEFAULT =
            new LinkLimits(Limits.DEFAULT, 1 << 26, 64, Duration.ofSeconds(5), 1 << 14);

    public LinkLimits {
        if (queueBytes < 1 || pending < 1 || connections < 1) {
            throw new IllegalArgumentException("a queue of " + queueBytes + " bytes, " + pending
                    + " pending connections and " + connections + " in all; use 1 or more of each");
        }
    }

    public LinkLimits withFrames(Limits messages) {
        return new LinkLimits(messages, queueBytes, pending, hello, connections);
    }

    public LinkLimits withQueueBytes(int bytes) {
        return new LinkLimits(frames, bytes, pending, hello, connections);
    }

    public LinkLimits withPending(int silent) {
        return new LinkLimits(frames, queueBytes, silent, hello, connections);
    }

    public LinkLimits withHello(Duration deadline) {
        return new LinkLimits(frames, queueBytes, pending, deadline, connections);
    }

    public LinkLimits withConnections(int most) {
        return new LinkLimits(frames, queueBytes, pending, hello, most);
    }
}
