package tandem;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tandem.simulate.FaultPlan;
import tandem.simulate.FaultRun;
import tandem.simulate.FaultTally;

/// Looks for something wrong in simulated clusters with faults, seed after seed, on several threads: each run is on one
/// of them, and comes out the same wherever it is.
public final class FaultSearch {

    private final long end;
    private final BooleanSupplier stopping;
    private final Consumer<FaultTally> watch;
    private long next;
    private FaultTally tally = FaultTally.NONE;
    private RuntimeException failed;

    private FaultSearch(long first, long seeds, BooleanSupplier stopping, Consumer<FaultTally> watch) {
        this.next = first;
        this.end = first + seeds;
        this.stopping = stopping;
        this.watch = watch;
    }

    /// Runs `seeds` seeds from `first` on, or until `stopping`: then those that were done are the first of them.
    ///
    /// @param watch hears what came of them so far after each, one at a time
    public static FaultTally run(
            long first, long seeds, int threads, BooleanSupplier stopping, Consumer<FaultTally> watch)
            throws InterruptedException {
        FaultSearch search = new FaultSearch(first, seeds, stopping, watch);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            all.add(Thread.ofPlatform().daemon().name("faults-" + t).start(search::work));
        }
        for (Thread thread : all) {
            thread.join();
        }
        if (search.failed != null) {
            throw search.failed;
        }
        return search.tally;
    }

    private void work() {
        try {
            for (long seed = take(); seed >= 0; seed = take()) {
                FaultPlan plan = FaultPlan.of(seed);
                add(plan, FaultRun.of(plan));
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /// The next seed to run; −1 if there is none.
    private synchronized long take() {
        return next < end && failed == null && !stopping.getAsBoolean() ? next++ : -1;
    }

    private synchronized void add(FaultPlan plan, FaultRun.Verdict verdict) {
        tally = tally.with(plan, verdict);
        watch.accept(tally);
    }

    private synchronized void fail(RuntimeException e) {
        failed = e;
    }
}
