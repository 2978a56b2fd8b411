package tandem.wire;

/// Where a party puts what it wants done: messages to send, and when it wants to be woken.
public interface Outbox {

    /// Sends `message`; it may be lost, repeated, late or overtaken, but never altered.
    void send(Address to, Message message);

    /// Calls [Party#wake] with `tag` once the time is `nanos` or later.
    void wakeAt(long nanos, long tag);
}
