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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Generate, train, evaluate, predict, inspect and export, as a user would.
class RoundTripTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path at;

    private static Path train;
    private static Path test;
    private static Path model;
    private static Call trained;

    @BeforeAll
    static void train() {
        train = at.resolve("ctr.svm.gz");
        test = at.resolve("ctr-test.svm");
        model = at.resolve("model");
        Call.good(
                "generate",
                "ctr",
                "--rows",
                20_000,
                "--features",
                20_000,
                "--out",
                train,
                "--test-out",
                test,
                "--quiet");
        trained = Call.good(
                "train",
                "linear",
                "--data",
                train,
                "--validate",
                test,
                "--passes",
                1,
                "--model",
                model,
                "--report",
                at.resolve("r.json"));
    }

    @Test
    void training_ends_with_held_out_metrics_beside_the_baseline_and_the_next_step() {
        assertTrue(trained.out().contains("20,000 examples in "), trained.out());
        assertTrue(trained.out().contains("validation      training      constant"), trained.out());
        assertTrue(trained.out().contains("./tandem evaluate --model " + model + " --data " + test), trained.out());
    }

    @Test
    void the_report_holds_what_was_printed() throws IOException {
        JsonNode report = JSON.readTree(at.resolve("r.json").toFile());
        assertTrue(report.path("command").asText().startsWith("./tandem train linear --data "));
        assertEquals(20_000, report.path("examples").asLong());
        assertEquals(2_000, report.path("metrics").path("examples").asLong());
        assertTrue(
                report.path("metrics").path("auc").asDouble() > 0.7,
                report.path("metrics").toString());
        assertTrue(report.path("objective").asDouble() > 0);
        assertTrue(report.path("peakMemoryBytes").asLong() > 0);
        assertTrue(report.path("machine").path("cores").asInt() > 0);
    }

    @Test
    void evaluating_gives_the_metrics_that_training_gave() throws IOException {
        JsonNode report = JSON.readTree(at.resolve("r.json").toFile());
        Call call = Call.good("evaluate", "--model", model, "--data", test, "--json");
        double auc = JSON.readTree(call.out()).path("metrics").path("auc").asDouble();
        assertEquals(report.path("metrics").path("auc").asDouble(), auc, 1e-6);
        assertEquals("", call.err());
    }

    @Test
    void evaluating_prints_a_table_and_how_probabilities_are_calibrated() {
        String out = Call.good("evaluate", "--model", model, "--data", test).out();
        assertTrue(out.contains("AUC") && out.contains("constant") && out.contains("predicted"), out);
    }

    @Test
    void predictions_keep_order_and_kind() throws IOException {
        Path out = at.resolve("p.txt");
        Call.good("predict", "--model", model, "--data", test, "--out", out);
        List<String> file = Files.readAllLines(out);
        assertEquals(2_000, file.size());
        Call scores = Call.good("predict", "--model", model, "--data", test, "--out", "-", "--kind", "scores");
        Call labels = Call.good("predict", "--model", model, "--data", test, "--out", "-", "--kind", "labels");
        List<String> score = scores.out().lines().toList();
        List<String> label = labels.out().lines().toList();
        for (int row = 0; row < 2_000; row++) {
            double s = Double.parseDouble(score.get(row));
            assertEquals(1 / (1 + Math.exp(-s)), Double.parseDouble(file.get(row)), 1e-12);
            assertEquals(s > 0, label.get(row).equals("1"));
        }
    }

    @Test
    void a_model_can_be_looked_at() {
        String out = Call.good("inspect", "--model", model, "--top", 3).out();
        assertTrue(out.contains("logistic") && out.contains("largest weights"), out);
        assertTrue(Call.good("inspect", "--model", model, "--json").out().startsWith("{"));
    }

    @Test
    void a_model_can_be_exported_in_every_form() throws IOException {
        for (String format : List.of("liblinear", "json", "csv")) {
            Path out = at.resolve("export." + format);
            Call.good("export", "--model", model, "--format", format, "--out", out);
            assertEquals(
                    Files.readString(out),
                    Call.good("export", "--model", model, "--format", format, "--out", "-")
                            .out());
        }
        assertTrue(Files.readString(at.resolve("export.liblinear")).contains("nr_class 2"));
        assertTrue(JSON.readTree(at.resolve("export.json").toFile())
                        .path("weights")
                        .size()
                > 100);
        assertTrue(Files.readString(at.resolve("export.csv")).startsWith("id,name,class,weight\n"));
    }

    @Test
    void the_export_to_liblinear_says_how_it_was_trained_and_has_every_feature_seen() throws IOException {
        Path rows = at.resolve("rows.svm");
        Files.writeString(rows, "1 1:1 9:0\n-1 2:1\n1 1:1\n-1 2:1 12:0.001\n");
        Path sparse = at.resolve("sparse");
        Call.good("train", "linear", "--data", rows, "--solver", "batch", "--l1", 0.1, "--model", sparse);
        String text = Call.good("export", "--model", sparse, "--format", "liblinear", "--out", "-")
                .out();
        assertTrue(text.startsWith("solver_type L1R_LR\n"), text);
        assertTrue(text.contains("\nnr_feature 12\n"), text);
    }

    @Test
    void a_share_can_be_held_out_and_more_passes_stop_early() {
        Path other = at.resolve("split");
        String out = Call.good(
                        "train",
                        "linear",
                        "--data",
                        train,
                        "--split",
                        0.2,
                        "--passes",
                        20,
                        "--l2",
                        0,
                        "--patience",
                        1,
                        "--threads",
                        1,
                        "--model",
                        other)
                .out();
        assertTrue(out.contains("validation"), out);
        assertTrue(out.contains("stopped early"), out);
    }

    @Test
    void every_online_solver_learns() throws IOException {
        for (String solver : List.of("ftrl", "adagrad", "sgd")) {
            Path report = at.resolve(solver + ".json");
            Call.good(
                    "train",
                    "linear",
                    "--data",
                    train,
                    "--validate",
                    test,
                    "--solver",
                    solver,
                    "--model",
                    at.resolve(solver),
                    "--report",
                    report,
                    "--quiet");
            double auc =
                    JSON.readTree(report.toFile()).path("metrics").path("auc").asDouble();
            assertTrue(auc > 0.65, solver + " reached only " + auc);
        }
    }

    @Test
    void a_model_can_start_from_another_and_replace_it() {
        Path other = at.resolve("warm");
        Call.good("train", "linear", "--data", train, "--model", other, "--quiet");
        Call.good(
                "train", "linear", "--data", train, "--model", other, "--warm-start", model, "--overwrite", "--quiet");
    }

    @Test
    void quiet_means_no_word() {
        Call call = Call.good("train", "linear", "--data", test, "--model", at.resolve("quiet"), "--quiet");
        assertEquals("", call.out());
        assertEquals("", call.err());
        assertFalse(Files.exists(at.resolve("quiet.checkpoint")));
    }

    @Test
    void a_model_that_is_no_better_than_the_mean_says_so() throws IOException {
        Path line = at.resolve("line.svm");
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 2_000; row++) {
            text.append(300_000 + 100_000 * (row % 7)).append(" 1:" + row % 7 + "\n");
        }
        Files.writeString(line, text);
        Call usual = line(line, "usual");
        assertTrue(usual.out().matches("(?s).*\nRMSE +[0-9.e+]+ +[0-9.e+]+\n.*"), usual.out());
        assertFalse(usual.out().contains("no better"), usual.out());
        Call still = line(line, "still", "--learning-rate", 1e-9);
        assertTrue(still.out().contains("is no better than always predicting the mean (199937)"), still.out());
        assertTrue(still.out().contains("Try --solver batch"), still.out());
    }

    private static Call line(Path data, String name, Object... more) {
        return Call.good(Stream.concat(
                        Stream.of("train", "linear", "--loss", "squared", "--data", data, "--model", at.resolve(name)),
                        Stream.of(more))
                .toArray());
    }
}
