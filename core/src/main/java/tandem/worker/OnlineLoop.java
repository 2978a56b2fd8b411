package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import tandem.data.Batches;

/// Online learning: threads claim batches and run pull–compute–push on each against one shared table,
/// without locks (Hogwild, Niu et al. 2011). With one thread a run repeats bit for bit.
public final class OnlineLoop {

    private final Threads threads;
    private final List<OnlineWorker> workers = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final LongAdder batches = new LongAdder();

    public OnlineLoop(OnlineTask task, Threads threads) {
        this.threads = threads;
        for (int t = 0; t < threads.count(); t++) {
            workers.add(new OnlineWorker(task));
        }
    }

    /// Works through a pass. Returns true at its end, false if it was stopped; either way every claimed
    /// batch has been learned whole.
    public boolean run(Batches.Pass pass) throws IOException {
        try {
            threads.run(workers.size(), worker -> drain(workers.get(worker), pass));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return !stopping.get();
    }

    /// Asks the threads to stop after the batch in hand. Safe from any thread.
    public void stop() {
        stopping.set(true);
    }

    /// Takes a request to stop back, so that [#run] can go on with the same pass.
    public void goOn() {
        stopping.set(false);
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

    /// The same by worker.
    public List<Learned> byWorker() {
        return workers.stream().map(OnlineWorker::learned).toList();
    }

    private void drain(OnlineWorker worker, Batches.Pass pass) {
        try {
            while (!stopping.get() && worker.step(pass)) {
                batches.increment();
            }
        } catch (IOException e) {
            stop();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            stop();
            throw e;
        }
    }
}
