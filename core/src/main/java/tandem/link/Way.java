package tandem.link;

import tandem.wire.Message;

/// A way to somebody: a connection, or one made slower.
public interface Way {

    /// Sends a message, or drops it if too much waits already; false if it was dropped.
    boolean send(Message message);

    /// Whether so much waits that who can should [#awaitRoom].
    boolean isPressed();

    /// Waits until less waits, at most so long; true if it does.
    boolean awaitRoom(long nanos) throws InterruptedException;
}
