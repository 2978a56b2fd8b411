package tandem.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.CacheUse;
import tandem.Checkpointing;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Rhythm;
import tandem.Solver;
import tandem.Watch;
import tandem.data.Clicks;
import tandem.data.Data;

/// A disk that is really full: a small file system in memory, which only root can mount.
@Timeout(240)
class DiskFullTest {

    private static final int FILLER = 1 << 19;

    @TempDir
    private Path at;

    private Path disk;
    private Path data;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(at.resolve("disk"));
        assumeTrue(
                call("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()) == 0,
                "a small file system cannot be mounted; run this as root");
        data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(4_000).withFeatures(5_000).write(data, 1, _ -> {});
    }

    @AfterEach
    void unmount() throws Exception {
        call("umount", disk.toString());
    }

    private static int call(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    private Object[] train(Path model, Object... more) {
        return Stream.of(
                        Stream.of("train", "linear", "--data", data, "--model", model, "--cache", at.resolve("cache")),
                        Stream.of("--workers", 2, "--servers", 2, "--deterministic", "--passes", 3, "--patience", 0),
                        Stream.of(more))
                .flatMap(words -> words)
                .toArray();
    }

    /// Leaves so little that nothing of any size fits any more.
    private void fill() throws IOException {
        for (int size = FILLER, number = 0; size >= 1 << 12; number++) {
            Path file = disk.resolve("filler-" + number);
            try {
                Files.write(file, new byte[size]);
            } catch (IOException full) {
                Files.delete(file);
                size /= 2;
            }
        }
    }

    private static byte[] weights(Path model) throws IOException {
        try (Stream<Path> files = Files.list(model)) {
            var all = new ByteArrayOutputStream();
            for (Path file : files.filter(name -> name.toString().endsWith(".safetensors"))
                    .sorted()
                    .toList()) {
                all.write(Files.readAllBytes(file));
            }
            return all.toByteArray();
        }
    }

    @Test
    void parts_are_all_there_or_none() throws IOException {
        Files.write(disk.resolve("filler"), new byte[(1 << 20) + FILLER]);
        Path out = disk.resolve("parts");
        String said = Call.bad(1, "partition", "--data", data, "--parts", 4, "--out", out, "--cache", at);
        assertTrue(said.startsWith(out + " could not be written: No space left on device; delete something"), said);
        try (Stream<Path> left = Files.list(disk)) {
            assertEquals(List.of(disk.resolve("filler")), left.toList());
        }
    }

    @Test
    void pictures_are_refused_in_one_line() throws IOException {
        Files.write(disk.resolve("filler"), new byte[(2 << 20) - (1 << 14)]);
        String said = Call.bad(
                1,
                "compare",
                "--data",
                data,
                "--run",
                "solver=ftrl,passes=2",
                "--run",
                "solver=adagrad,passes=2",
                "--pictures",
                "png",
                "--cache",
                at,
                "--out",
                disk.resolve("compared"));
        assertTrue(said.contains("could not be written: No space left on device"), said);
    }

    @Test
    void a_checkpoint_that_does_not_fit_is_told_and_training_goes_on_to_the_same_bits() throws IOException {
        Call.good(train(at.resolve("free")));
        fill();
        Path kept = disk.resolve("kept");
        Call call = Call.good(train(at.resolve("full"), "--checkpoint", kept, "--checkpoint-every", "1ms"));
        assertTrue(
                call.err().contains("no checkpoint was made: ")
                        && call.err().contains("No space left on device")
                        && call.err().contains("Training goes on"),
                call.err());
        assertEquals(-1, call.err().indexOf("\tat "), "a stack trace: " + call.err());
        assertArrayEquals(weights(at.resolve("free")), weights(at.resolve("full")));
    }

    @Test
    void a_model_that_does_not_fit_is_one_message_and_the_old_one_stays() throws IOException {
        Path model = disk.resolve("model");
        Call.good(train(model));
        byte[] before = weights(model);
        fill();
        String said = Call.bad(1, train(model, "--overwrite", "--seed", 5));
        assertTrue(said.contains("No space left on device") && said.contains(disk.toString()), said);
        assertArrayEquals(before, weights(model));
        Call.good("evaluate", "--model", model, "--data", data);
        try (Stream<Path> left = Files.list(disk)) {
            assertEquals(
                    1,
                    left.filter(path -> !path.getFileName().toString().startsWith("filler"))
                            .count(),
                    "something is left of the model that did not fit");
        }
    }

    /// Stops a run once it is so far, and hears what is noted.
    private static final class Stop implements Watch {

        private final double at;
        private final List<String> notes = new CopyOnWriteArrayList<>();
        private volatile boolean stopping;

        Stop(double at) {
            this.at = at;
        }

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            stopping |= stage.startsWith("pass") && done >= at;
        }

        @Override
        public void note(String line) {
            notes.add(line);
        }

        @Override
        public boolean stopping() {
            return stopping;
        }
    }

    private LinearTraining training(String model) {
        return LinearTraining.of(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(4)),
                        Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withModel(at.resolve(model), false)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(2, 2)
                        .withStreams(4)
                        .withBatchRows(100)
                        .withRhythm(Rhythm.DEFAULT.withConsistency("bsp").withDeterminism()));
    }

    @Test
    void the_checkpoint_before_stays_where_the_next_one_does_not_fit() throws IOException {
        training("alone").run();
        Path kept = disk.resolve("kept");
        Checkpointing seldom = new Checkpointing(kept, Duration.ofHours(1), false);
        assertFalse(training("stopped")
                .withCheckpointing(seldom)
                .withWatch(new Stop(0.3))
                .run()
                .finished());
        fill();
        Stop second = new Stop(0.7);
        Checkpointing often = new Checkpointing(kept, Duration.ofMillis(1), true);
        assertFalse(training("stopped")
                .withCheckpointing(often)
                .withWatch(second)
                .run()
                .finished());
        assertTrue(
                second.notes.stream().anyMatch(note -> note.contains("no checkpoint was made: ")),
                second.notes::toString);
        Stop third = new Stop(2);
        assertTrue(training("stopped")
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), true))
                .withWatch(third)
                .run()
                .finished());
        assertTrue(third.notes.stream().noneMatch(note -> note.contains("cannot be used")), third.notes::toString);
        assertArrayEquals(weights(at.resolve("alone")), weights(at.resolve("stopped")));
    }
}
