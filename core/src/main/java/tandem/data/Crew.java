package tandem.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// A few threads doing the same work until there is none left.
final class Crew {

    /// Work that every thread of a crew does.
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    private Crew() {}

    /// Runs `work` on each of `threads` threads and waits for all. When one fails, or the caller is
    /// interrupted, `stop` tells the others to finish soon.
    static void run(int threads, Work work, Runnable stop) throws IOException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> crew = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            crew.add(Thread.ofPlatform().daemon().name("tandem-data-" + t).start(() -> {
                try {
                    work.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                    stop.run();
                }
            }));
        }
        boolean interrupted = false;
        for (Thread thread : crew) {
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                    stop.run();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped while building the cache; nothing of it is kept");
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
