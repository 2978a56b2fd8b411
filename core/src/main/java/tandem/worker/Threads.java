package tandem.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import tandem.math.Parallel;

/// A fixed number of threads that share pieces of work, the calling thread among them.
public final class Threads implements Parallel, AutoCloseable {

    private final int count;
    private final ExecutorService others;

    public Threads(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("threads is " + count + "; use 1 or more");
        }
        this.count = count;
        others = Executors.newFixedThreadPool(
                Math.max(1, count - 1),
                Thread.ofPlatform().name("tandem-", 1).daemon().factory());
    }

    public int count() {
        return count;
    }

    @Override
    public void run(int pieces, IntConsumer work) {
        AtomicInteger next = new AtomicInteger();
        Callable<Void> share = () -> {
            try {
                for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
                    work.accept(piece);
                }
            } catch (Throwable failure) {
                next.set(pieces);
                throw failure;
            }
            return null;
        };
        List<Future<Void>> running = new ArrayList<>();
        for (int t = 1; t < Math.min(count, pieces); t++) {
            running.add(others.submit(share));
        }
        Throwable failure = null;
        try {
            share.call();
        } catch (Throwable mine) {
            failure = mine;
        }
        for (Future<Void> one : running) {
            Throwable theirs = failureOf(one);
            failure = failure == null ? theirs : failure;
        }
        switch (failure) {
            case null -> {}
            case RuntimeException cause -> throw cause;
            case Error cause -> throw cause;
            default -> throw new IllegalStateException(failure);
        }
    }

    /// Waits for one share to end, whatever happens, since it works on the caller's arrays.
    private static Throwable failureOf(Future<Void> share) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    share.get();
                    return null;
                } catch (ExecutionException e) {
                    return e.getCause();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        others.shutdown();
    }
}
