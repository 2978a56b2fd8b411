package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Solves one set once in a fresh JVM, where nothing is compiled yet.
public final class SolveDriver {

    private SolveDriver() {}

    /// Arguments: the file, the L1 strength, the tolerance, the number of threads.
    public static void main(String[] args) throws Exception {
        Trial trial = L1Task.load(Path.of(args[0]), Double.parseDouble(args[1]))
                .trial(Double.parseDouble(args[2]), Integer.parseInt(args[3]));
        System.out.println("solve seconds " + trial.wallSeconds());
        System.out.println("solve cpu " + trial.cpuSeconds());
        System.out.println("objective " + trial.objective());
        System.out.println("weights " + trial.nonZeros());
    }

    static Trial run(Workspace work, Optimum.Set set, double tolerance, int threads)
            throws IOException, InterruptedException {
        List<String> arguments = List.of(
                set.file().toString(), String.valueOf(set.l1()), String.valueOf(tolerance), String.valueOf(threads));
        Child.Run run =
                Child.run(Child.java(List.of(), List.of(), SolveDriver.class.getName(), arguments), work.folder());
        return Trial.of(run.after("solve seconds "), run.after("solve cpu "))
                .withPeakBytes(run.trial().peakBytes())
                .withObjective(run.after("objective "), (long) run.after("weights "));
    }
}
