package tandem.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tandem.wire.Address;

/// Something under way. Its state belongs to the party that gave it; others may ask whether it is done, and use
/// what it brought after that.
public final class Ticket {

    private static final Runnable NOBODY = () -> {};

    private final Supplier<Address> awaited;
    private volatile boolean done;

    /// Why it came to nothing; null while it has not. Written before `done`.
    private RuntimeException failure;

    /// How many updates the rows had that it brought; −1 if it brings none.
    private long updates = -1;

    private Runnable waiter = NOBODY;
    private List<Runnable> actions = List.of();

    /// @param awaited who has not answered yet, or null
    public Ticket(Supplier<Address> awaited) {
        this.awaited = awaited;
    }

    /// Whether nothing more is to come, well or badly.
    public boolean isDone() {
        return done;
    }

    /// Why it came to nothing, once it is done; null if all went well.
    public RuntimeException failure() {
        return done ? failure : null;
    }

    /// Throws what it failed with, if it did.
    public void check() {
        if (failure() != null) {
            throw failure;
        }
    }

    /// Runs `action` when it is done, well or badly, as part of the turn that completes it: it may send further
    /// requests, and may not wait. Actions run in the order they were given; to be called during a turn.
    public void whenDone(Runnable action) {
        if (done) {
            action.run();
            return;
        }
        if (actions.isEmpty()) {
            actions = new ArrayList<>(1);
        }
        actions.add(action);
    }

    /// Runs `action` when it is done, instead of what was given here before: for the one loop that waits. To be called
    /// during a turn.
    public void wakes(Runnable action) {
        if (done) {
            action.run();
        } else {
            waiter = action;
        }
    }

    /// Who has not answered yet, or null. To be asked during a turn.
    public Address awaited() {
        return awaited.get();
    }

    /// How many updates had been applied to the rows that it brought, at the server with the fewest; −1 if it brings
    /// none.
    public long updates() {
        return updates;
    }

    void brought(long had) {
        updates = updates < 0 ? had : Math.min(updates, had);
    }

    /// Marks it as done.
    public void complete() {
        done = true;
        waiter.run();
        for (Runnable action : actions) {
            action.run();
        }
        actions = List.of();
    }

    /// Marks it as done and come to nothing.
    public void fail(RuntimeException why) {
        failure = why;
        complete();
    }
}
