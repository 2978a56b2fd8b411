package tandem.client;

import tandem.wire.Outbox;

/// A worker's place in a runtime: how its loop reaches its client, how it waits, and what time it is there.
public interface Station {

    /// Runs `turn` when no other turn of the client is running, and returns what it returns.
    <T> T turn(Turn<T> turn);

    /// Waits until the ticket is done, or until the time is `untilNanos`; true if it is done.
    boolean await(Ticket ticket, long untilNanos);

    long nowNanos();

    /// Says that the loop has computed over `entries` entries, which in simulated time takes a while.
    default void worked(long entries) {}

    /// The same where the work is of no use any more once `enough` is done.
    default void worked(long entries, Ticket enough) {
        worked(entries);
    }

    /// What a loop does with its client.
    @FunctionalInterface
    interface Turn<T> {
        T run(long nowNanos, Outbox out);
    }
}
