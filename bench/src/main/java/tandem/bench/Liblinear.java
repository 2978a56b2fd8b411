package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Runs LIBLINEAR's L1 logistic regression (`-s 6`) on one set, without bias. It minimises
/// ‖w‖₁ + C·Σ loss, so C is 1/l1 and its objective times l1 is ours.
record Liblinear(Path command, Workspace work, Optimum.Set set) {

    private static final double STOP_AT_ONCE = 1e30;

    /// The command: times of the whole process.
    Trial train(double tolerance) throws IOException, InterruptedException {
        Child.Run run = Child.run(
                List.of(
                        command.toString(),
                        "-s",
                        "6",
                        "-c",
                        String.valueOf(1 / set.l1()),
                        "-e",
                        String.valueOf(tolerance),
                        set.file().toString(),
                        work.file("liblinear.model").toString()),
                work.folder());
        return run.trial()
                .withObjective(run.after("Objective value = ") * set.l1(), (long) run.after("#nonzeros/#features = "));
    }

    /// The command, less what it takes to start, read and write: a run at a tolerance that stops at once.
    Trial trainOnly(double tolerance) throws IOException, InterruptedException {
        return train(tolerance).minus(train(STOP_AT_ONCE));
    }

    /// The port to Java, in a fresh JVM: times of its training only.
    Trial trainInJava(double tolerance) throws IOException, InterruptedException {
        List<String> arguments =
                List.of(set.file().toString(), String.valueOf(1 / set.l1()), String.valueOf(tolerance));
        Child.Run run =
                Child.run(Child.java(List.of(), List.of(), LiblinearDriver.class.getName(), arguments), work.folder());
        return Trial.of(run.after("train seconds "), run.after("train cpu "))
                .withPeakBytes(run.trial().peakBytes())
                .withObjective(run.after("Objective value = ") * set.l1(), (long) run.after("#nonzeros/#features = "));
    }
}
