package tandem.wire;

/// One side of a conversation: a plain object that is told the time and answers through an outbox.
///
/// A party starts no thread, reads no clock, opens no socket and draws no chance of its own, so that the
/// same class runs in one process, in many, and in simulated time. Calls never overlap.
public interface Party {

    /// The first call, when it is put where it runs.
    default void start(long nowNanos, Outbox out) {}

    void receive(Address from, Message message, long nowNanos, Outbox out);

    /// What it asked for with [Outbox#wakeAt].
    default void wake(long tag, long nowNanos, Outbox out) {}
}
