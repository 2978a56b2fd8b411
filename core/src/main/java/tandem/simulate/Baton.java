package tandem.simulate;

import java.util.concurrent.locks.LockSupport;

/// Lets ordinary blocking loops run under a scheduler, one at a time: whoever holds the baton runs, everyone else
/// is parked. The only place where simulation touches threads.
final class Baton {

    private volatile Thread holder;
    private Thread scheduler;

    /// Runs `body`, the scheduler, with the baton on a thread of its own, and returns when it returns. On virtual
    /// threads with one carrier handing over costs about a microsecond, from a platform thread ten times that.
    void run(Runnable body) {
        Throwable[] failure = {null};
        scheduler = Thread.ofVirtual().unstarted(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        holder = scheduler;
        scheduler.start();
        boolean interrupted = false;
        while (true) {
            try {
                scheduler.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure[0]) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure[0]);
        }
    }

    /// A loop that runs only while it holds the baton.
    final class Runner {

        private final Thread thread;
        private boolean started;

        private Runner(String name, Runnable body) {
            thread = Thread.ofVirtual().name(name).unstarted(() -> {
                awaitTurn();
                body.run();
                giveTo(scheduler);
            });
        }

        /// Gives it the baton and waits until it comes back; for the scheduler.
        void run() {
            if (!started) {
                started = true;
                thread.start();
            }
            giveTo(thread);
            awaitTurn();
        }
    }

    Runner loop(String name, Runnable body) {
        return new Runner(name, body);
    }

    /// Gives the baton back to the scheduler and waits for the next turn; for a loop.
    void pause() {
        giveTo(scheduler);
        awaitTurn();
    }

    private void giveTo(Thread next) {
        holder = next;
        LockSupport.unpark(next);
    }

    private void awaitTurn() {
        Thread me = Thread.currentThread();
        while (!me.equals(holder)) {
            LockSupport.park(this);
        }
    }
}
