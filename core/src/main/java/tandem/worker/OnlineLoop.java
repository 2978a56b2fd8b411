package tandem.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import tandem.data.Batches;

/// One pass of online learning: threads claim batches and run pull–compute–push on each against one
/// shared table, without locks (Hogwild, Niu et al. 2011). With one thread a run repeats bit for bit.
public final class OnlineLoop {

    private final OnlineTask task;
    private final int threads;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final LongAdder batches = new LongAdder();
    private final List<OnlineWorker> workers = new ArrayList<>();

    public OnlineLoop(OnlineTask task, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + "; use 1 or more");
        }
        this.task = task;
        this.threads = threads;
        for (int t = 0; t < threads; t++) {
            workers.add(new OnlineWorker(task));
        }
    }

    /// Works through the pass. Returns true at its end, false if it was stopped; either way every claimed
    /// batch has been learned whole.
    public boolean run(Batches.Pass pass) throws IOException, InterruptedException {
        if (threads == 1) {
            drain(workers.getFirst(), pass);
            return !stopping.get();
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (OnlineWorker worker : workers) {
                running.add(pool.submit(() -> {
                    drain(worker, pass);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                await(one);
            }
        }
        return !stopping.get();
    }

    /// Asks the threads to stop after the batch in hand. Safe from any thread.
    public void stop() {
        stopping.set(true);
    }

    /// Batches learned so far, over all passes of this loop.
    public long batches() {
        return batches.sum();
    }

    /// What was learned so far, over all passes of this loop; exact when no pass is running.
    public Learned learned() {
        Learned sum = Learned.ZERO;
        for (OnlineWorker worker : workers) {
            sum = sum.plus(worker.learned());
        }
        return sum;
    }

    private void drain(OnlineWorker worker, Batches.Pass pass) throws IOException {
        try {
            while (!stopping.get() && worker.step(pass)) {
                batches.increment();
            }
        } catch (Throwable failure) {
            stop();
            throw failure;
        }
    }

    private void await(Future<?> one) throws IOException, InterruptedException {
        try {
            one.get();
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new IllegalStateException(failure.getCause());
            }
        } catch (InterruptedException interrupted) {
            stop();
            throw interrupted;
        }
    }
}
