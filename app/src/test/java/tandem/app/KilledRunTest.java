package tandem.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;

/// A run all of whose processes are killed at once, while checkpoints are made all the time.
@Timeout(300)
class KilledRunTest {

    private static final int KILLS = 3;

    @TempDir
    private Path at;

    @Test
    void it_goes_on_from_whole_checkpoints_to_the_same_bits() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(6_000).withFeatures(3_000).write(data, 1, _ -> {});
        List<String> args = new ArrayList<>(List.of("train", "linear", "--data", data.toString(), "--deterministic"));
        args.addAll(List.of("--streams", "4", "--workers", "2", "--servers", "2", "--update-rows", "50"));
        args.addAll(List.of(
                "--passes",
                "60",
                "--patience",
                "0",
                "--cache",
                at.resolve("cache").toString()));
        List<String> alone = new ArrayList<>(args);
        alone.addAll(List.of("--model", at.resolve("alone").toString()));
        Call.good(alone.toArray());

        Path kept = at.resolve("kept");
        args.addAll(List.of("--runtime", "processes", "--checkpoint", kept.toString(), "--checkpoint-every", "10ms"));
        args.addAll(List.of("--model", at.resolve("m").toString()));
        SplittableRandom random = new SplittableRandom(3);
        long newest = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process run = start(args, kill > 0);
            awaitGeneration(run, kept, newest + 2 + random.nextInt(3));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(30_000));
            killAll(run);
            long found = newest(kept);
            assertTrue(found > newest, "the run that was killed made no checkpoint");
            newest = found;
        }
        Process last = start(args, true);
        assertTrue(last.waitFor(180, TimeUnit.SECONDS));
        String said = Files.readString(at.resolve("said"));
        assertTrue(last.exitValue() == 0, said);
        assertFalse(said.contains("cannot be used"), said);
        LinearModel whole = ModelDirectory.load(at.resolve("alone"));
        LinearModel resumed = ModelDirectory.load(at.resolve("m"));
        assertArrayEquals(whole.ids(), resumed.ids());
        assertArrayEquals(whole.weights()[0], resumed.weights()[0]);
        assertFalse(Files.exists(kept), "the checkpoints of a run that is over are left");
        try (Stream<Path> left = Files.list(at.resolve("tmp"))) {
            assertEquals(List.of(), left.toList(), "left behind by a run that was killed");
        }
    }

    private Process start(List<String> args, boolean resumed) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectories(at.resolve("tmp")),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "tandem.app.Tandem"));
        command.addAll(args);
        if (resumed) {
            command.add("--resume");
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve("said").toFile())
                .start();
    }

    private static void killAll(Process run) throws InterruptedException {
        List<ProcessHandle> nodes = run.descendants().toList();
        run.destroyForcibly();
        nodes.forEach(ProcessHandle::destroyForcibly);
        assertTrue(run.waitFor(20, TimeUnit.SECONDS));
        nodes.forEach(node -> node.onExit().join());
    }

    private void awaitGeneration(Process run, Path kept, long number) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (newest(kept) < number) {
            assertTrue(run.isAlive(), () -> "it ended before checkpoint " + number + ": " + said());
            assertTrue(System.nanoTime() < deadline, () -> "no checkpoint " + number + ": " + said());
            run.waitFor(2, TimeUnit.MILLISECONDS);
        }
    }

    private String said() {
        try {
            return Files.readString(at.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static long newest(Path kept) throws IOException {
        if (!Files.isDirectory(kept)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(kept)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("generation-"))
                    .mapToLong(name -> Long.parseLong(name.substring("generation-".length())))
                    .max()
                    .orElse(0);
        }
    }
}
