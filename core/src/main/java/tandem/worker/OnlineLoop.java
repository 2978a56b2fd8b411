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
    private volatile Batches.Pass running;

    public OnlineLoop(OnlineTask task, Threads threads) {
        this.threads = threads;
        for (int t = 0; t < threads.count(); t++) {
            workers.add(new OnlineWorker(task));
        }
    }

    /// Begins a run from nothing: one thread takes the first batch, sets the intercept to what fits its labels
    /// best, and learns it. The rest of the pass is for [#run].
    public void begin(Batches.Pass pass) throws IOException {
        if (workers.getFirst().first(pass)) {
            batches.increment();
        }
    }

    /// Works through a pass. Returns true at its end, false if it was stopped; either way what has been
    /// learned are the first batches of the pass, all of them whole.
    public boolean run(Batches.Pass pass) throws IOException {
        running = pass;
        if (stopping.get()) {
            pass.pause();
        }
        try {
            threads.run(workers.size(), worker -> drain(workers.get(worker), pass));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return !stopping.get();
    }

    /// Asks the threads to stop soon. Safe from any thread.
    public void stop() {
        stopping.set(true);
        Batches.Pass pass = running;
        if (pass != null) {
            pass.pause();
        }
    }

    /// Takes a request to stop back, so that [#run] can go on with the same pass.
    public void goOn() {
        stopping.set(false);
        running.goOn();
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
            while (worker.step(pass)) {
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
