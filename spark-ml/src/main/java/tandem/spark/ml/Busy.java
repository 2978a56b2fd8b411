package tandem.spark.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import tandem.math.Parallel;
import tandem.report.Report;
import tandem.worker.Threads;

/// Threads that share pieces of work, and how long each of them worked.
final class Busy implements Parallel {

    private final Threads threads;
    private final Map<Thread, Long> nanos = new ConcurrentHashMap<>();

    Busy(Threads threads) {
        this.threads = threads;
    }

    @Override
    public void run(int pieces, IntConsumer work) {
        threads.run(pieces, piece -> {
            long began = System.nanoTime();
            try {
                work.accept(piece);
            } finally {
                nanos.merge(Thread.currentThread(), System.nanoTime() - began, Long::sum);
            }
        });
    }

    /// The threads, also those that no piece came to.
    ///
    /// @param clock how many iterations there were
    List<Report.Worker> workers(long clock) {
        List<Report.Worker> workers = new ArrayList<>();
        nanos.values().forEach(worked -> workers.add(new Report.Worker(worked * 1e-9, 0, 0, clock)));
        while (workers.size() < threads.count()) {
            workers.add(new Report.Worker(0, 0, 0, clock));
        }
        return workers;
    }
}
