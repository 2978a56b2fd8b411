package tandem.runtime;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Wakes parties when they asked for it: one thread for all the nodes of a ground.
final class Timers implements AutoCloseable {

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tandem-timers").daemon().factory());

    private final Consumer<Throwable> failed;

    /// @param failed told what a party throws
    Timers(Consumer<Throwable> failed) {
        this.failed = failed;
    }

    /// After closing nobody is woken, and a party in the middle of a turn need not know.
    void wakeAt(Strand strand, long nanos, long tag) {
        try {
            var _ = thread.schedule(() -> wake(strand, tag), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            if (!thread.isShutdown()) {
                throw e;
            }
        }
    }

    private void wake(Strand strand, long tag) {
        try {
            strand.wake(tag);
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
