package tandem.bench.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tandem.bench.Child;
import tandem.report.Json;

/// A [SparkStage] in a process of its own, seen from the one that asks.
final class StageProcess implements AutoCloseable {

    private static final long LEAVING_SECONDS = 20;

    /// It ended before it had answered.
    static final class Ended extends IOException {

        private static final long serialVersionUID = 1;

        private Ended(String why) {
            super("a session of Spark's ended early: " + why);
        }
    }

    private final Process process;
    private final BufferedReader answers;
    private final Writer orders;
    private final Path log;

    /// Waits until its data frames are in memory.
    ///
    /// @param heap as for -Xmx
    StageProcess(Play play, String heap) throws IOException {
        Path place = Files.createDirectories(Path.of(play.place()));
        Path what = place.resolve("play.json");
        Files.write(what, Json.bytes(play));
        log = place.resolve("log");
        List<String> command = Child.java(
                List.of("-Xmx" + heap, "--add-modules=jdk.incubator.vector"),
                List.of(),
                SparkStage.class.getName(),
                List.of(what.toString()));
        process = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectError(log.toFile())
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        orders = process.outputWriter(StandardCharsets.UTF_8);
        boolean ready = false;
        try {
            answer();
            ready = true;
        } finally {
            if (!ready) {
                process.destroyForcibly();
            }
        }
    }

    Answer play(Order order) throws IOException {
        orders.write(new String(Json.bytes(order), StandardCharsets.UTF_8) + "\n");
        orders.flush();
        return Json.read(answer().getBytes(StandardCharsets.UTF_8), Answer.class);
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(SparkStage.MARK)) {
                return line.substring(SparkStage.MARK.length());
            }
        }
        List<String> lines = Files.readAllLines(log);
        throw new Ended(lines.stream()
                .filter(line -> line.contains("Error") || line.contains("Exception"))
                .findFirst()
                .orElse(lines.isEmpty() ? "it said nothing" : lines.getLast()));
    }

    @Override
    public void close() throws IOException {
        orders.close();
        try {
            if (!process.waitFor(LEAVING_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
