package tandem.wire;

/// Where a party puts what it wants done: messages to send, and when it wants to be woken.
public interface Outbox {

    /// Sends `message`; it may be lost, repeated, late or overtaken, but never altered.
    void send(Address to, Message message);

    /// Whether what is sent to `to` is on its way as bytes when [#send] returns, so that the arrays of a message may
    /// change from then on. Elsewhere who receives it may get these very arrays.
    default boolean takesAtOnce(Address to) {
        return false;
    }

    /// Says that numbers which came in a message are not needed here any more, so that their array can be used for
    /// others.
    default void release(Values values) {}

    /// Calls [Party#wake] with `tag` once the time is `nanos` or later.
    void wakeAt(long nanos, long tag);
}
