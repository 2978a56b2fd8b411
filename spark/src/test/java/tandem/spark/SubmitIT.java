package tandem.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Penalty;
import tandem.Solver;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.Scorer;
import tandem.problem.Separable;

/// The jar for `spark-submit`, as that starts it: Spark's own jars and this one, and nothing else.
@Timeout(300)
class SubmitIT {

    @TempDir
    Path directory;

    @Test
    void a_jar_that_is_submitted_trains_as_the_command_line_does() throws Exception {
        Path data = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(2_000).write(data, 1, _ -> {});
        Path model = directory.resolve("model");
        Path report = directory.resolve("report.json");

        Done done = submit(
                List.of("--master", "local-cluster[2,1,512]", "--conf", "spark.executor.memory=512m"),
                "train linear --solver dbpg --l2 1 --consistency bounded:4 --workers 2 --servers 1 --data " + data
                        + " --model " + model + " --report " + report);

        assertEquals(0, done.code, done.said);
        JsonNode told = new ObjectMapper().readTree(report.toFile());
        assertTrue(told.get("command").asText().contains("train linear --runtime spark"), told.toString());
        LinearTraining alone = LinearTraining.of(
                Linear.DEFAULT.withSolver(Solver.Blocks.DEFAULT).withPenalty(new Penalty.Plain(Separable.l2(1))),
                Data.of(data.toString()));
        double objective = alone.run().report().tree().get("objective").asDouble();
        assertEquals(objective, told.get("objective").asDouble(), 1e-3 * objective);
        assertTrue(Double.isFinite(Scorer.load(model).probability(new long[] {3}, new float[] {1})));
    }

    @Test
    void a_command_that_fails_fails_what_submitted_it() throws Exception {
        Done done = submit(
                List.of("--master", "local[2]"),
                "train linear --data " + directory.resolve("nothing.svm") + " --model " + directory.resolve("model"));
        assertEquals(1, done.code, done.said);
        assertTrue(done.said.contains("nothing.svm: there is no such file"), done.said);
    }

    @Test
    void training_is_on_spark_unless_something_else_is_said() {
        assertArrayEquals(
                new String[] {"train", "linear", "--runtime", "spark", "--data", "a", "b"},
                Submit.words("train", "linear", "--data", "a", "b"));
        assertArrayEquals(
                new String[] {"train", "linear", "--runtime=threads"},
                Submit.words("train", "linear", "--runtime=threads"));
        assertArrayEquals(new String[] {"inspect", "--model", "m"}, Submit.words("inspect", "--model", "m"));
    }

    private record Done(int code, String said) {}

    private Done submit(List<String> settings, String command) throws IOException, InterruptedException {
        Path home = Path.of(System.getenv("SPARK_HOME"));
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Collections.addAll(words, JavaModuleOptions.defaultModuleOptions().split(" "));
        Collections.addAll(words, "-Xmx1g", "-cp", home.resolve("jars") + "/*", "org.apache.spark.deploy.SparkSubmit");
        words.addAll(settings);
        words.add(home.resolveSibling("tandem-spark.jar").toString());
        Collections.addAll(words, command.split(" "));
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertTrue(process.waitFor(200, TimeUnit.SECONDS), () -> text(said));
        } finally {
            process.destroy();
        }
        return new Done(process.exitValue(), text(said));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
