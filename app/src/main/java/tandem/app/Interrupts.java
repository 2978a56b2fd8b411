package tandem.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Ctrl-C as a flag. While one is open, the end of the process waits, usually less than a second, until the
/// work has left everything whole; then it prints its last words. The JVM itself exits with 130.
final class Interrupts implements AutoCloseable {

    /// Enough for work in this process.
    static final long PATIENCE_MILLIS = 900;

    /// What it may take to end other processes and to delete what they shared, on a busy machine.
    static final long PATIENCE_WITH_OTHERS_MILLIS = 10_000;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean stopping;

    /// `stop` asks the work to end; `last` is what to say then.
    Interrupts(Console console, Runnable stop, Supplier<String> last) {
        this(console, stop, last, PATIENCE_MILLIS);
    }

    /// @param patienceMillis how long the end of the process waits at most
    Interrupts(Console console, Runnable stop, Supplier<String> last, long patienceMillis) {
        hook = new Thread(() -> {
            stopping = true;
            stop.run();
            await(patienceMillis);
            console.say("\ntandem: " + last.get());
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// For work that ends when its thread is interrupted, and then leaves no file behind.
    static Interrupts ofThread(Console console, String last) {
        Thread worker = Thread.currentThread();
        return new Interrupts(console, worker::interrupt, () -> last);
    }

    boolean stopping() {
        return stopping;
    }

    private void await(long millis) {
        try {
            done.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Everything is whole. If the process is ending, this thread has nothing more to say.
    @Override
    public void close() {
        done.countDown();
        if (stopping || !removed()) {
            awaitEnd();
        }
    }

    private boolean removed() {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return false;
        }
    }

    private static void awaitEnd() {
        while (true) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException goOn) {
                // The process is ending; there is nobody to hand the interrupt to.
            }
        }
    }
}
