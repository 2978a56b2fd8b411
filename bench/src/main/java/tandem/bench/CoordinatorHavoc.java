package tandem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tandem.JobControl;
import tandem.JobDirectory;
import tandem.JobStatus;
import tandem.app.Tandem;
import tandem.data.Clicks;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.runtime.Processes;

/// Kills the coordinator of a real job, a command that trains, somewhere in the middle of it, and compares the model in
/// the end with that of the same command left alone: with `--deterministic` no bit may differ.
final class CoordinatorHavoc {

    private static final int ROWS = 4_000;
    private static final int PASSES = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long WATCH_MILLIS = 50;

    private final Workspace work;
    private final Notes notes;
    private final SplittableRandom random;
    private final String job = "chaos-" + ProcessHandle.current().pid();

    /// The model of the command left alone.
    private LinearModel whole;

    CoordinatorHavoc(Workspace work, long seed, Notes notes) {
        this.work = work;
        this.random = new SplittableRandom(seed);
        this.notes = notes;
    }

    /// One round.
    Havoc.Blow strike() throws IOException {
        if (whole == null) {
            Path alone = work.file("alone");
            Process command = start(alone);
            end(command);
            whole = ModelDirectory.load(alone);
        }
        Path model = work.file("killed");
        Process command = start(model);
        try {
            long from = 1 + random.nextLong((long) ROWS * PASSES * 3 / 4);
            long first = coordinator(await(command, status -> examples(status) >= from));
            ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
            long killed = System.nanoTime();
            await(command, status -> coordinator(status) != first);
            double seconds = (System.nanoTime() - killed) * 1e-9;
            end(command);
            LinearModel found = ModelDirectory.load(model);
            return new Havoc.Blow(
                    ChaosKind.KILL_COORDINATOR,
                    "the coordinator",
                    alike(found),
                    whole.ids().length,
                    seconds,
                    (long) ROWS * PASSES);
        } finally {
            command.destroyForcibly();
        }
    }

    private Process start(Path model) throws IOException {
        Path data = work.clicks(
                "job.svm", Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).withSeed(1), notes);
        List<String> words = new ArrayList<>(List.of(Processes.java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Tandem.class.getName()));
        words.addAll(List.of("train", "linear", "--data", data.toString(), "--solver", "ftrl"));
        words.addAll(List.of("--passes", Integer.toString(PASSES), "--update-rows", "10", "--deterministic"));
        words.addAll(List.of("--runtime", "processes", "--workers", "2", "--servers", "3", "--replicas", "1"));
        words.addAll(List.of("--cache", work.file("cache").toString(), "--job", job));
        words.addAll(List.of("--model", model.toString(), "--overwrite"));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(work.file("said").toFile())
                .start();
    }

    private JobStatus await(Process command, Predicate<JobStatus> condition) throws IOException {
        while (command.isAlive()) {
            try {
                JobStatus status =
                        JobControl.of(JobDirectory.usual(), job, PATIENCE).status();
                if (condition.test(status)) {
                    return status;
                }
            } catch (IOException _) {
                // It is not there yet, or there is no coordinator.
            }
            sleep();
        }
        throw new IOException("the command that is to be disturbed ended too soon: " + said());
    }

    private void end(Process command) throws IOException {
        while (command.isAlive()) {
            sleep();
        }
        if (command.exitValue() != 0) {
            throw new IOException(
                    "a job whose coordinator was killed ended with code " + command.exitValue() + ": " + said());
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String said() throws IOException {
        return Files.readString(work.file("said"));
    }

    private static long coordinator(JobStatus status) {
        return status.nodes().stream()
                .filter(node -> node.role().equals("coordinator"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static long examples(JobStatus status) {
        return status.nodes().stream().mapToLong(JobStatus.Node::examples).sum();
    }

    /// How many weights are the same to the last bit.
    private int alike(LinearModel found) {
        int alike = 0;
        for (int k = 0; k < whole.ids().length; k++) {
            boolean same = k < found.ids().length
                    && found.ids()[k] == whole.ids()[k]
                    && found.weights()[0][k] == whole.weights()[0][k];
            alike += same ? 1 : 0;
        }
        return alike;
    }
}
