package tandem.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.FaultSearch;
import tandem.report.Json;
import tandem.simulate.FaultTally;

/// `bench faults`: how many faults of nodes a second can be simulated, and whether anything is lost in them.
@Command(
        name = "faults",
        header = "Is anything lost when nodes fail, and how many failures a second can be simulated?",
        description = "Clusters of 5 servers, 3 copies of everything and 4 workers, seed after seed on all cores, with"
            + " the classes that run in earnest. With --state the next call goes on with the next seed, and the"
            + " figures add up. docs/guarantees.md says what a fault of a node is. The exit code is 1 if anything was"
            + " wrong; ./tandem simulate faults --seed N shows the run of a seed.",
        sortOptions = false)
final class FaultsBench implements Callable<Integer> {

    private static final long NOTE_NANOS = 10_000_000_000L;

    /// What is lost at most of a call that is killed.
    private static final double SAVED_SECONDS = 30;

    @Option(names = "--seconds", paramLabel = "N", description = "Begin no run after so long. Default: 60.")
    private double seconds = 60;

    @Option(names = "--threads", paramLabel = "N", description = "Runs at a time. Default: one a core.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--state", paramLabel = "FILE", description = "Go on where the last call with this file ended.")
    private Path state;

    @Mixin
    private JsonOption printed = new JsonOption();

    private final PrintStream out;
    private final Notes notes;
    private long notedNanos;

    FaultsBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    /// What is kept between calls: everything so far, and the time it took.
    record Saved(double seconds, FaultTally tally) {}

    /// What is printed: this call, and all calls with the same state together.
    ///
    /// @param nodeFaultsPerCpuSecond the same by the time that cores worked on it, which says more when others work
    record Report(
            String benchmark,
            double seconds,
            long seeds,
            long nodeFaults,
            double nodeFaultsPerSecond,
            double nodeFaultsPerCpuSecond,
            double pushesPerFault,
            double encodedShare,
            long violations,
            Saved all,
            Machine machine) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(seconds > 0) || threads < 1) {
            throw new IllegalArgumentException(
                    "--seconds is " + seconds + " and --threads " + threads + "; both must be more than 0");
        }
        Machine machine = Machine.here();
        Saved before = before();
        double cpuBefore = cpuSeconds();
        long start = System.nanoTime();
        notedNanos = start;
        FaultTally now = FaultTally.NONE;
        Saved all = before;
        while (spent(start) < seconds) {
            double until = Math.min(seconds, spent(start) + SAVED_SECONDS);
            FaultTally so = now;
            now = now.plus(FaultSearch.run(
                    before.tally.seeds() + now.seeds(),
                    Long.MAX_VALUE / 2,
                    threads,
                    () -> spent(start) > until,
                    more -> note(so.plus(more))));
            all = new Saved(before.seconds + spent(start), before.tally.plus(now));
            if (state != null) {
                Json.write(state, Json.tree(all));
            }
        }
        double spent = spent(start);
        double cpuSeconds = cpuSeconds() - cpuBefore;
        Report report = new Report(
                "faults",
                spent,
                now.seeds(),
                now.nodeFaults(),
                now.nodeFaults() / spent,
                now.nodeFaults() / cpuSeconds,
                now.pushesPerFault(),
                now.encodedShare(),
                now.violations(),
                all,
                machine);
        out.print(printed.json ? Json.text(Json.tree(report)) : text(report));
        out.flush();
        return all.tally.violations() == 0 ? 0 : 1;
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    private static double spent(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private void note(FaultTally tally) {
        if (System.nanoTime() - notedNanos > NOTE_NANOS) {
            notedNanos = System.nanoTime();
            notes.progress(String.format(
                    Locale.ROOT,
                    "%,d seeds, %,d node faults, %d violations",
                    tally.seeds(),
                    tally.nodeFaults(),
                    tally.violations()));
        }
    }

    private Saved before() throws IOException {
        if (state == null) {
            return new Saved(0, FaultTally.NONE);
        }
        try {
            return Json.read(Files.readAllBytes(state), Saved.class);
        } catch (NoSuchFileException e) {
            return new Saved(0, FaultTally.NONE);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IOException(
                    state + ": this is no state of bench faults; name another file, or delete it to begin anew", e);
        }
    }

    private static String text(Report report) {
        FaultTally all = report.all.tally;
        StringBuilder text = new StringBuilder("# Is anything lost when nodes fail, and how many failures a second?\n");
        line(text, "node faults a second", "%,.0f", report.nodeFaultsPerSecond);
        line(text, "node faults a CPU second", "%,.0f", report.nodeFaultsPerCpuSecond);
        line(text, "node faults", "%,d", report.nodeFaults);
        line(text, "faults of each kind so far", "%s", all.kinds());
        line(text, "seeds", "%,d", report.seeds);
        line(text, "acknowledged pushes a fault", "%.1f", report.pushesPerFault);
        line(text, "seeds through bytes", "%.1f %%", 100 * report.encodedShare);
        line(text, "violations", "%,d", report.violations);
        line(
                text,
                "in all so far",
                "%,d node faults, %,d seeds, %,d violations, %,.0f s",
                all.nodeFaults(),
                all.seeds(),
                all.violations(),
                report.all.seconds);
        line(text, "machine", "%s", report.machine);
        all.found().forEach(found -> line(text, "seed " + found.seed(), "%s", found.what()));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-28s %s%n", name, String.format(Locale.ROOT, format, values)));
    }
}
