package tandem.app;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.FaultSearch;
import tandem.report.Json;
import tandem.report.Progress;
import tandem.simulate.FaultPlan;
import tandem.simulate.FaultShrink;
import tandem.simulate.FaultTally;

/// `simulate faults`: looks for something that is lost or counted twice.
@Command(
        name = "faults",
        header = "See whether anything is lost when nodes and networks fail, in virtual time.",
        customSynopsis = Tandem.PROGRAM + " simulate faults [--seeds N] [--first N] [--seed N] [--json]%n",
        description = {
            "Runs clusters of 5 servers, 3 copies of everything and 4 workers, with the classes that run in earnest,"
                    + " while servers, workers and the coordinator end and others take their place, nodes come and go,"
                    + " stop, go slow or are cut off, clocks jump, disks fail, and messages are lost, doubled and late."
                    + " Every read and every answer is checked, and in the end"
                    + " every update must be there once on every copy. docs/guarantees.md says what is promised.",
            "Each seed is another run, and the same run each time. What is found is printed with the fewest faults"
                    + " that show it, as a test; the exit code is then 1."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " simulate faults --seeds 2000 --json",
            "  " + Tandem.PROGRAM + " simulate faults --seed 599      the run of one seed, with its faults"
        })
final class SimulateFaults implements Callable<Integer> {

    /// How many of the runs in which something was wrong are made small.
    private static final int MOST_SHRUNK = 3;

    private static final int FAILED = 1;

    @Option(names = "--seeds", paramLabel = "N", description = "How many runs. Default: ${DEFAULT-VALUE}.")
    private long seeds = 2000;

    @Option(names = "--first", paramLabel = "N", description = "The seed of the first. Default: ${DEFAULT-VALUE}.")
    private long first;

    @Option(names = "--seed", paramLabel = "N", description = "Only the run of this seed; prints its faults as well.")
    private Long seed;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    private final Console console;

    SimulateFaults(Console console) {
        this.console = console;
    }

    /// What is printed.
    ///
    /// @param kinds how many faults of each kind there were
    /// @param found what was wrong, and the fewest faults that show it
    record Report(
            String command,
            long first,
            long seeds,
            double seconds,
            long nodeFaults,
            double nodeFaultsPerSecond,
            SortedMap<String, Long> kinds,
            long pushes,
            double pushesPerFault,
            long reads,
            double encodedShare,
            long violations,
            List<Wrong> found) {}

    /// @param plan the faults that show it, in words
    /// @param test the same as a method of a test
    record Wrong(long seed, String what, String plan, String test) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seeds < 1 || first < 0 || seed != null && seed < 0) {
            throw new IllegalArgumentException("--seeds is " + seeds + ", and the first "
                    + (seed == null ? first : seed) + "; run 1 seed or more, from 0 on");
        }
        long from = seed == null ? first : seed;
        long count = seed == null ? seeds : 1;
        long start = System.nanoTime();
        AtomicReference<FaultTally> soFar = new AtomicReference<>(FaultTally.NONE);
        FaultTally tally;
        try (Interrupts interrupts = new Interrupts(console, () -> {}, () -> "stopped. " + words(soFar.get(), start))) {
            Progress progress = new Progress(console::draw, console.terminal(), System::nanoTime);
            tally = FaultSearch.run(
                    from, count, Runtime.getRuntime().availableProcessors(), interrupts::stopping, now -> {
                        soFar.set(now);
                        String done = Progress.count(now.nodeFaults()) + " node faults";
                        progress.update(done, (double) now.seeds() / count, 0, Double.NaN);
                    });
            progress.clear();
        }
        print(tally, from, start);
        return tally.violations() == 0 ? 0 : FAILED;
    }

    private void print(FaultTally tally, long from, long start) throws IOException {
        double seconds = (System.nanoTime() - start) / 1e9;
        List<Wrong> found = tally.found().stream()
                .limit(MOST_SHRUNK)
                .map(SimulateFaults::shrunk)
                .toList();
        if (json) {
            console.print(Json.text(Json.tree(new Report(
                            Tandem.PROGRAM + " simulate faults --first " + from + " --seeds " + tally.seeds(),
                            from,
                            tally.seeds(),
                            seconds,
                            tally.nodeFaults(),
                            tally.nodeFaults() / seconds,
                            tally.kinds(),
                            tally.pushes(),
                            tally.pushesPerFault(),
                            tally.reads(),
                            tally.encodedShare(),
                            tally.violations(),
                            found)))
                    .stripTrailing());
            return;
        }
        if (seed != null) {
            console.print(FaultPlan.of(seed).toString());
        }
        console.print(words(tally, start));
        for (Wrong wrong : found) {
            console.print("\nseed " + wrong.seed + ": " + wrong.what
                    + "\n\nthe fewest faults that show something wrong: " + wrong.plan + "\n\n" + wrong.test);
        }
    }

    private static Wrong shrunk(FaultTally.Found found) {
        FaultPlan plan = FaultShrink.of(FaultPlan.of(found.seed()));
        return new Wrong(found.seed(), found.what(), plan.toString(), FaultShrink.test(plan));
    }

    private static String words(FaultTally tally, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d seeds in %.1f s: %,d node faults (%,.0f a second), %,d acknowledged pushes (%.1f a fault), %,d"
                        + " reads checked, %.0f %% of the seeds through bytes; %s",
                tally.seeds(),
                seconds,
                tally.nodeFaults(),
                tally.nodeFaults() / seconds,
                tally.pushes(),
                tally.pushesPerFault(),
                tally.reads(),
                100 * tally.encodedShare(),
                tally.violations() == 0
                        ? "nothing was lost or counted twice"
                        : "something was wrong in " + tally.violations());
    }
}
