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

    /// What it may take to write a large model that is all there is to show for hours.
    private static final long PATIENCE_TO_FINISH_MILLIS = 600_000;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Console console;
    private final Runnable stop;
    private final Supplier<String> last;
    private final long patienceMillis;
    private final Thread hook;
    private volatile boolean stopping;
    private volatile String unfinished;

    /// `stop` asks the work to end; `last` is what to say then.
    Interrupts(Console console, Runnable stop, Supplier<String> last) {
        this(console, stop, last, PATIENCE_MILLIS);
    }

    /// @param patienceMillis how long the end of the process waits at most
    Interrupts(Console console, Runnable stop, Supplier<String> last, long patienceMillis) {
        this.console = console;
        this.stop = stop;
        this.last = last;
        this.patienceMillis = patienceMillis;
        hook = new Thread(this::end);
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

    /// From now on the end of the process waits much longer, until something is written that would be lost.
    void finishing(String what) {
        unfinished = what;
    }

    /// What happens when the process is to end.
    void end() {
        stopping = true;
        stop.run();
        if (!await(patienceMillis) && unfinished != null) {
            console.say("\ntandem: stopping once " + unfinished + " is written");
            await(PATIENCE_TO_FINISH_MILLIS);
        }
        console.say("\ntandem: " + last.get());
    }

    private boolean await(long millis) {
        try {
            return done.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
