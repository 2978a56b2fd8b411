package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;

/// What happens to a process that is told to end. SIGTERM goes the way of Ctrl-C, and cannot be ignored
/// by accident as SIGINT is in a background job.
class InterruptTest {

    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path at;

    @Test
    void a_run_that_is_stopped_says_how_to_go_on_and_does_so() throws Exception {
        Path data = at.resolve("ctr.svm");
        Call.good("generate", "ctr", "--rows", 20_000, "--features", 20_000, "--out", data, "--quiet");
        List<String> args = List.of(
                "train",
                "linear",
                "--data",
                data.toString(),
                "--passes",
                "1000",
                "--checkpoint-every",
                "10ms",
                "--model",
                at.resolve("m").toString());
        Process process = start(args);
        awaitFile(process, at.resolve("m.checkpoint").resolve("run.checkpoint"));
        long began = System.nanoTime();
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        double seconds = (System.nanoTime() - began) / 1e9;
        String err = Files.readString(at.resolve("said"));
        assertEquals(TERMINATED, process.exitValue(), err);
        assertFalse(Files.exists(at.resolve("m")), "a model was written");
        String resume = Words.command(args) + " --resume";
        assertTrue(err.contains(resume), err);
        assertTrue(seconds < 5, "it took " + seconds + " s to stop");

        List<String> fewer = new ArrayList<>(args);
        fewer.add("--resume");
        fewer.set(fewer.indexOf("1000"), "2");
        assertTrue(Call.bad(1, fewer.toArray()).contains("another run"), "other settings must not resume");
    }

    /// Servers and workers are there though nobody asked for them; their checkpoint takes a while.
    @Test
    void a_machine_that_is_stopped_says_how_to_go_on() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(5_000).withFeatures(20_000).write(data, 1, _ -> {});
        List<String> args = new ArrayList<>(List.of("train", "factor", "--data", data.toString(), "--solver", "fm"));
        args.addAll(List.of("--dimension", "128", "--passes", "100000", "--threads", "1"));
        args.addAll(List.of("--checkpoint-keep", "1", "--model", at.resolve("m").toString()));
        Process process = start(args);
        await(process, "a pass", () -> said().contains("pass "));
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String said = said();
        assertEquals(TERMINATED, process.exitValue(), said);
        assertTrue(said.contains(Words.command(args) + " --resume"), said);
        try (var left = Files.list(at.resolve("m.checkpoint"))) {
            assertEquals(
                    List.of("generation-000001"),
                    left.map(path -> path.getFileName().toString()).toList());
        }
    }

    @Test
    void writing_that_is_stopped_leaves_no_file() throws Exception {
        Path out = at.resolve("big.svm");
        Process process = start(List.of("generate", "ctr", "--rows", "100000000", "--out", out.toString()));
        awaitFile(process, at.resolve("big.svm.part"));
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(TERMINATED, process.exitValue());
        assertFalse(Files.exists(out));
        assertFalse(Files.exists(at.resolve("big.svm.part")));
    }

    @Test
    void parts_that_are_being_written_leave_no_draft() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(100_000).withFeatures(100_000).write(data, 1, _ -> {});
        Path out = Files.createDirectory(at.resolve("cut")).resolve("parts");
        List<String> args = new ArrayList<>(List.of("partition", "--data", data.toString(), "--parts", "2"));
        args.addAll(List.of("--block", "1000", "--out", out.toString()));
        args.addAll(List.of("--cache", at.resolve("cache").toString()));
        Process process = start(args);
        awaitFile(process, out.resolveSibling(".parts." + process.pid() + ".part"));
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String said = said();
        assertEquals(TERMINATED, process.exitValue(), said);
        assertTrue(said.contains("tandem: stopped; nothing was written to " + out), said);
        try (var left = Files.list(out.getParent())) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void servers_and_workers_that_are_stopped_leave_nothing() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(20_000).withFeatures(2_000).write(data, 1, _ -> {});
        Path models = Files.createDirectory(at.resolve("models"));
        List<String> args = new ArrayList<>(List.of("train", "linear", "--data", data.toString(), "--split", "0.1"));
        args.addAll(List.of("--passes", "100000", "--patience", "0", "--runtime", "processes", "--job", "stopped"));
        args.addAll(List.of("--model", models.resolve("m").toString()));
        Process process = start(args);
        awaitFile(process, at.resolve("jobs").resolve("stopped").resolve("job.json"));
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(TERMINATED, process.exitValue(), Files.readString(at.resolve("said")));
        for (Path directory : List.of(models, at.resolve("tmp"), at.resolve("jobs"))) {
            try (var left = Files.list(directory)) {
                // The JVM keeps performance counters there.
                assertEquals(
                        List.of(),
                        left.filter(path -> !path.getFileName().toString().startsWith("hsperf"))
                                .toList());
            }
        }
    }

    /// As when a service is stopped, or the terminal is closed: nodes hear of it too.
    @Test
    void a_run_all_of_whose_processes_are_told_to_end_makes_a_last_checkpoint() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(5_000).withFeatures(2_000).write(data, 1, _ -> {});
        List<String> args = new ArrayList<>(List.of("train", "linear", "--data", data.toString()));
        args.addAll(List.of("--passes", "100000", "--runtime", "processes", "--checkpoint-every", "1h"));
        args.addAll(List.of("--model", at.resolve("m").toString()));
        Process process = start(List.of("setsid"), args);
        await(process, "a pass", () -> said().contains("pass "));
        new ProcessBuilder("kill", "-TERM", "--", "-" + process.pid()).start().waitFor();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String said = said();
        assertEquals(TERMINATED, process.exitValue(), said);
        assertFalse(said.contains("signal"), said);
        assertTrue(said.contains(Words.command(args) + " --resume"), said);
    }

    @Test
    void a_comparison_that_is_stopped_has_what_was_done() throws Exception {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(500).write(data, 1, _ -> {});
        Path out = at.resolve("compared");
        List<String> args = new ArrayList<>(List.of("compare", "--data", data.toString(), "--out", out.toString()));
        args.addAll(List.of("--cache", at.resolve("cache").toString()));
        args.addAll(List.of("--run", "solver=ftrl,passes=1", "--run", "solver=sgd,passes=10000000,patience=0"));
        Process process = start(args);
        await(process, "the second run", () -> said().contains("run 2 of 2"));
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        String said = said();
        assertEquals(TERMINATED, process.exitValue(), said);
        assertTrue(said.contains("stopped; " + out + " has what was done until then"), said);
        String json = Files.readString(out.resolve("compare.json"));
        assertTrue(json.contains("\"done\"") && json.contains("\"interrupted\""), json);
    }

    private Process start(List<String> args) throws IOException {
        return start(List.of(), args);
    }

    private Process start(List<String> by, List<String> args) throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectories(at.resolve("tmp")),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "tandem.app.Tandem"));
        command.addAll(args);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve("said").toFile());
        builder.environment().put("TANDEM_JOBS", at.resolve("jobs").toString());
        return builder.start();
    }

    private String said() throws IOException {
        return Files.readString(at.resolve("said"));
    }

    private static void awaitFile(Process process, Path file) throws Exception {
        await(process, file.toString(), () -> Files.exists(file));
    }

    private static void await(Process process, String what, Callable<Boolean> there) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!there.call()) {
            assertTrue(process.isAlive(), "it ended before " + what + " was there");
            assertTrue(System.nanoTime() < deadline, what + " did not appear");
            process.waitFor(10, TimeUnit.MILLISECONDS);
        }
    }
}
