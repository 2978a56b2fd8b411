package tandem.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import tandem.cluster.Ground;

/// The blocking loops of a ground, a thread each. If one fails, all are stopped.
final class Loops {

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /// Who is told, while it is here; guarded by this.
    private Thread caller;

    void add(Strand strand, Ground.Body body) {
        threads.add(
                Thread.ofPlatform().name("tandem-" + strand.address()).daemon().unstarted(() -> live(strand, body)));
    }

    /// Starts all loops, runs `main` on this thread, and waits for the loops to end.
    void run(Runnable main) {
        tell(Thread.currentThread());
        if (failure.get() != null) {
            // Something has failed before there was anybody to tell.
            rethrow();
        }
        threads.forEach(Thread::start);
        try {
            main.run();
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (Strand.Stopped | InterruptedException e) {
            failure.compareAndSet(null, e);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            threads.forEach(Thread::interrupt);
            // What fails from now on concerns nobody, least of all what this thread does next.
            tell(null);
        }
        if (!(failure.get() instanceof InterruptedException || failure.get() instanceof Strand.Stopped)) {
            // It was a loop that failed which interrupted this thread, and nobody else.
            Thread.interrupted();
        }
        rethrow();
    }

    private void live(Strand strand, Ground.Body body) {
        try {
            body.run(strand);
        } catch (Throwable e) {
            fail(e);
        }
    }

    /// Stops all loops; who runs them is told why.
    synchronized void fail(Throwable why) {
        if (failure.compareAndSet(null, why) && caller != null) {
            caller.interrupt();
        }
    }

    private synchronized void tell(Thread whom) {
        caller = whom;
    }

    private void rethrow() {
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure.get());
        }
    }
}
