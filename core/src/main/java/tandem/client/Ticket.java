package tandem.client;

import java.util.function.Supplier;
import tandem.wire.Address;

/// Something under way. Its state belongs to the party that gave it; others may ask whether it is done, and use
/// what it brought after that.
public final class Ticket {

    private final Supplier<Address> awaited;
    private volatile boolean done;
    private Runnable whenDone = () -> {};

    /// @param awaited who has not answered yet, or null
    public Ticket(Supplier<Address> awaited) {
        this.awaited = awaited;
    }

    public boolean isDone() {
        return done;
    }

    /// Runs `action` when it is done, as part of the turn that completes it: it may not wait or call back.
    public void whenDone(Runnable action) {
        if (done) {
            action.run();
        } else {
            whenDone = action;
        }
    }

    /// Who has not answered yet, or null. To be asked during a turn.
    public Address awaited() {
        return awaited.get();
    }

    /// Marks it as done.
    public void complete() {
        done = true;
        whenDone.run();
    }
}
