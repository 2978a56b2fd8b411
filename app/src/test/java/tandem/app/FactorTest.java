package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Clicks;

/// A factorisation machine from the command line: trained, evaluated, used and looked at.
class FactorTest {

    @TempDir
    private Path at;

    @BeforeEach
    void data() throws IOException {
        write("train.svm", 3_000, 1);
        write("test.svm", 1_000, 2);
    }

    /// Whether two features are of the same kind is all that matters.
    private void write(String name, int rows, long seed) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(seed);
        for (int row = 0; row < rows; row++) {
            int a = random.nextInt(10);
            int b = random.nextInt(10);
            text.append((a + b) % 2 == 0 ? "1 " : "-1 ")
                    .append(1 + a)
                    .append(":1 ")
                    .append(11 + b)
                    .append(":1\n");
        }
        Files.writeString(at.resolve(name), text);
    }

    /// With 64 rows of each of eight streams from the same weights the loss of the first pass is above 8.
    @Test
    void many_streams_in_step_learn_from_fewer_rows_each_and_slower_unless_told_otherwise() throws IOException {
        Path clicks = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(10_000).withFeatures(100_000).write(clicks, 1, _ -> {});
        JsonNode usual = deterministic(clicks);
        assertEquals(16, usual.at("/settings/update-rows").asInt());
        assertEquals(8, usual.at("/settings/streams").asInt());
        assertTrue(
                usual.get("progressiveLoss").asDouble() < 1,
                usual.get("progressiveLoss").asText());
        assertEquals(0.05, usual.at("/settings/factor-rate").asDouble(), 1e-12);
        JsonNode few = deterministic(clicks, "--streams", 2);
        assertEquals(64, few.at("/settings/update-rows").asInt());
        assertEquals(0.1, few.at("/settings/factor-rate").asDouble());
        JsonNode told = deterministic(clicks, "--update-rows", 50, "--factor-rate", 0.02);
        assertEquals(50, told.at("/settings/update-rows").asInt());
        assertEquals(0.02, told.at("/settings/factor-rate").asDouble());
    }

    @Test
    void a_machine_that_came_out_linear_says_why() throws IOException {
        Path clicks = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(500).withFeatures(1_000).write(clicks, 1, _ -> {});
        List<Object> args = List.of("train", "factor", "--data", clicks, "--passes", 2, "--model", at.resolve("d"));
        Call strong = Call.good(
                Stream.concat(args.stream(), Stream.of("--factor-group", 1e6)).toArray());
        assertTrue(strong.err().contains("all factors are 0, so the model is linear"), strong.err());
        assertTrue(strong.out().contains("not all 0 for 0: "), strong.out());
        String rare = Call.good(Stream.concat(args.stream(), Stream.of("--threshold", 501, "--overwrite"))
                        .toArray())
                .err();
        assertTrue(rare.contains("no feature came 501 times and has a weight"), rare);
    }

    @Test
    void rows_of_one_feature_have_no_pairs_that_a_penalty_could_be_too_strong_for() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 2_000; row++) {
            text.append(row % 2 == 0 ? "1 " : "-1 ").append(row % 7).append(":1\n");
        }
        Path single = Files.writeString(at.resolve("single.svm"), text);
        String said = Call.good("train", "factor", "--data", single, "--model", at.resolve("m"), "--factor-group", 8)
                .err();
        assertTrue(said.contains("rows have one feature each, so there are no pairs and the model is linear"), said);
        assertFalse(said.contains("--factor-group"), said);
    }

    /// What factors cannot have at all is not told what it needs.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--push-budget 1MB | have them; leave out --push-budget",
                "--push-budget 1MB --clock 8 | have them; leave out --push-budget",
                "--consistency essp:2 | they change; use --consistency ssp:2 instead of essp:2",
                "--servers 2 --replicas 1 --replication aggregate | pass on each update; use --replication push"
            })
    void a_machine_is_refused_what_it_cannot_have_and_that_alone(String options, String message) {
        Object[] args = Stream.concat(
                        Stream.of("train", "factor", "--data", at.resolve("train.svm"), "--model", at.resolve("m")),
                        Stream.of(options.split(" ")))
                .toArray();
        String told = Call.bad(2, args);
        assertTrue(told.endsWith(message), told);
        assertEquals(options.contains("budget"), told.contains("budget"), told);
    }

    /// With 64 rows of each of 32 workers it is above 50.
    @ParameterizedTest
    @CsvSource({"--threads, 32, 4, 0.025", "--workers, 8, 16, 0.05"})
    void so_do_many_workers(String option, int workers, int rows, double rate) throws IOException {
        Path clicks = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(10_000).withFeatures(100_000).write(clicks, 1, _ -> {});
        JsonNode usual = trained(clicks, option, workers);
        assertEquals(workers, usual.get("workers").size());
        assertEquals(rows, usual.at("/settings/update-rows").asInt());
        assertEquals(rate, usual.at("/settings/factor-rate").asDouble(), 1e-12);
        assertTrue(
                usual.get("progressiveLoss").asDouble() < 1,
                usual.get("progressiveLoss").asText());
        JsonNode told = trained(clicks, option, workers, "--update-rows", 128, "--factor-rate", 0.01);
        assertEquals(128, told.at("/settings/update-rows").asInt());
        assertEquals(0.01, told.at("/settings/factor-rate").asDouble());
    }

    /// More threads than learn well from so many rows each have nothing to do, and are no reason to be slow.
    @ParameterizedTest
    @CsvSource({"32, 128, 2, 0.1", "100, , 32, 0.025"})
    void factors_are_as_fast_as_suits_the_workers_that_there_are(int threads, Integer rows, int workers, double rate)
            throws IOException {
        JsonNode told = rows == null
                ? trained(at.resolve("train.svm"), "--threads", threads)
                : trained(at.resolve("train.svm"), "--threads", threads, "--update-rows", rows);
        assertEquals(workers, told.get("workers").size());
        assertEquals(rate, told.at("/settings/factor-rate").asDouble(), 1e-12);
    }

    private JsonNode deterministic(Path data, Object... more) throws IOException {
        return trained(
                data,
                Stream.concat(Stream.of("--deterministic"), Stream.of(more)).toArray());
    }

    private JsonNode trained(Path data, Object... more) throws IOException {
        Path file = at.resolve("d.json");
        Stream<Object> args = Stream.of("train", "factor", "--data", data, "--passes", 1);
        Stream<Object> rest = Stream.of("--model", at.resolve("d"), "--overwrite", "--report", file, "--quiet");
        Call.good(Stream.of(args, rest, Stream.of(more)).flatMap(words -> words).toArray());
        return new ObjectMapper().readTree(file.toFile());
    }

    @Test
    void it_is_trained_evaluated_used_and_looked_at() throws IOException {
        Path train = at.resolve("train.svm");
        Path test = at.resolve("test.svm");
        Path model = at.resolve("m");
        Path file = at.resolve("r.json");
        Call.good(
                "train",
                "factor",
                "--data",
                train,
                "--validate",
                test,
                "--dimension",
                8,
                "--solver",
                "difacto",
                "--model",
                model,
                "--report",
                file,
                "--cache",
                at.resolve("cache"),
                "--l1",
                0,
                "--patience",
                0);
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertTrue(
                report.at("/metrics/logloss").asDouble() < 0.2,
                report.get("metrics").toString());
        assertEquals(8, report.at("/factors/dimension").asInt());
        assertEquals(20 * 8 * 2 * 4, report.at("/factors/plainBytes").asLong());
        String evaluated = Call.good("evaluate", "--model", model, "--data", test, "--json")
                .out();
        assertEquals(
                report.at("/metrics/logloss").asDouble(),
                new ObjectMapper().readTree(evaluated).at("/metrics/logloss").asDouble(),
                1e-9);
        Path out = at.resolve("p");
        Call.good("predict", "--model", model, "--data", test, "--out", out, "--kind", "labels");
        List<String> labels = Files.readAllLines(out);
        List<String> rows = Files.readAllLines(test);
        long right = 0;
        for (int row = 0; row < rows.size(); row++) {
            right += rows.get(row).startsWith(labels.get(row) + " ") ? 1 : 0;
        }
        assertTrue(right > 980, right + " of 1,000 rows are right");
        String shown = Call.good("inspect", "--model", model).out();
        assertTrue(shown.contains("factors     8 each of 20 features"), shown);
        assertTrue(shown.contains(", penalty l2 1.0, intercept "), shown);
        Path exported = at.resolve("e");
        Call.good("export", "--model", model, "--format", "libfm", "--out", exported);
        assertEquals(3 + 1 + 21 + 21, Files.readAllLines(exported).size());
        String refused = Call.bad(2, "export", "--model", model, "--format", "liblinear", "--out", at.resolve("l"));
        assertTrue(refused.contains("libfm, json or csv"), refused);
        Call.good(
                "train", "factor", "--data", train, "--model", at.resolve("on"), "--warm-start", model, "--passes", 1);
        String other = Call.bad(
                1,
                "train",
                "factor",
                "--data",
                train,
                "--model",
                at.resolve("n"),
                "--warm-start",
                model,
                "--dimension",
                4);
        assertTrue(other.contains("use --dimension 8"), other);
        Object[] linear = {"train", "linear", "--data", train, "--model", at.resolve("n"), "--warm-start", model};
        assertTrue(Call.bad(1, linear).contains("start from a linear one"));
        Object[] onServers =
                Stream.concat(Stream.of(linear), Stream.of("--workers", 1)).toArray();
        assertTrue(Call.bad(1, onServers).contains("start from a linear one"));
        assertFalse(Files.exists(at.resolve("n")));
    }
}
