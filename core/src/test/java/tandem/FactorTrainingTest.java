package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.BatchScorer;
import tandem.model.Export;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// Factorisation machines on servers and workers: what they learn, from what, and what they have in common with other
/// solvers.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FactorTrainingTest extends FactorKit {

    @ParameterizedTest
    @CsvSource({
        "logistic, 12, 1, 5.0, 0.0",
        "logistic, 13, 1, 0.0, 8.0",
        "logistic, 50, 0.5, 0.0, 8.0",
        "logistic, 13, 0.5, 5.0, 0.0",
        "squared, 13, 1, 5.0, 0.0", // 10 times how far labels are from their mean
        "hinge, 2, 1, 5.0, 0.0"
    })
    void penalties_on_factors_suit_the_data_unless_one_is_given(
            String loss, int features, String value, double l2, double group) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 60; row++) {
            text.append(row % 2);
            for (int f = 0; f < features; f++) {
                text.append(' ').append(1 + 3 * f + (row + f) % 3).append(':').append(value);
            }
            text.append('\n');
        }
        Path file = Files.writeString(directory.resolve("rows.svm"), text);
        Linear settings = settings(PLAIN).withLoss(Loss.named(loss));
        JsonNode chosen = penalties(settings, file);
        assertEquals(l2, chosen.path("factor-l2").asDouble(), 1e-9);
        assertEquals(group, chosen.path("factor-group").asDouble());
        JsonNode given = penalties(settings.withSolver(PLAIN.withGroup(3)), file);
        assertEquals("0.0", given.path("factor-l2").asText());
        assertEquals("3.0", given.path("factor-group").asText());
    }

    private JsonNode penalties(Linear settings, Path file) throws IOException {
        return job(settings, Data.of(file.toString()), ALONE)
                .run()
                .report()
                .tree()
                .path("settings");
    }

    /// Of the 39 fields of a row eight mean something in pairs.
    @Test
    void a_penalty_on_norms_keeps_features_whose_pairs_mean_nothing_without_factors() throws IOException {
        Clicks clicks = Clicks.DEFAULT
                .withRows(10_000)
                .withFeatures(4_000)
                .withInteractions(2.5)
                .withClickRate(0.5);
        Path file = directory.resolve("clicks.svm");
        Path later = directory.resolve("later.svm");
        clicks.write(file, 1, _ -> {});
        clicks.next(4_000).write(later, 1, _ -> {});
        double[] losses = new double[2];
        long[] used = new long[2];
        for (int group = 0; group < 2; group++) {
            Solver.Factors solver = group == 0 ? PLAIN.withL2(30) : PLAIN.withGroup(8);
            solver = solver.withWeights(solver.weights().withPasses(15));
            Trained trained = job(settings(solver).withPenalty(Separable.l2(1)), Data.of(file.toString()), ALONE)
                    .run();
            used[group] = trained.report().tree().path("factors").path("used").asLong();
            try (BatchScorer scorer = StoredModel.at(trained.directory()).scorer()) {
                losses[group] = Evaluation.of(scorer, Data.of(later.toString()), 1, Watch.SILENT)
                        .metrics()
                        .logloss();
            }
        }
        assertTrue(used[1] < used[0] / 2, Arrays.toString(used));
        assertTrue(losses[1] < 0.98 * losses[0], Arrays.toString(losses));
    }

    /// Two numbers for each factor of a feature that occurs often enough, which is counted here in the text, and none
    /// for the others.
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void factors_take_memory_only_for_features_that_occur_as_often_as_they_must(int dimension) throws IOException {
        Data data = pairs("train.svm", 2_000, true, 3);
        Map<String, Integer> counts = new TreeMap<>();
        for (String line : Files.readAllLines(directory.resolve("train.svm"))) {
            String[] fields = line.split(" ");
            for (int f = 1; f < fields.length; f++) {
                counts.merge(fields[f].substring(0, fields[f].indexOf(':')), 1, Integer::sum);
            }
        }
        // Between counts that are nearly as large.
        int threshold = counts.values().stream()
                .filter(count -> count > 10)
                .sorted()
                .skip(60)
                .findFirst()
                .orElseThrow();
        long often =
                counts.values().stream().filter(count -> count >= threshold).count();
        assertTrue(often > 20 && often < counts.size() / 2, often + " of " + counts.size());
        JsonNode factors = job(
                        settings(PLAIN.withDimension(dimension).withThreshold(threshold)), data, ALONE.withNodes(2, 2))
                .run()
                .report()
                .tree()
                .get("factors");
        assertEquals(often, factors.get("features").asLong());
        assertEquals(often * 2 * dimension * Float.BYTES, factors.get("bytes").asLong());
        assertEquals(
                counts.size() * 2L * dimension * Float.BYTES,
                factors.get("plainBytes").asLong());
    }

    @Test
    void pairs_that_matter_are_found_with_fewer_factors_than_a_plain_machine_has() throws IOException {
        Data train = pairs("train.svm", 8_000, true, 3);
        Data held = pairs("held.svm", 3_000, true, 4);
        ClusterPlan plan = ClusterPlan.DEFAULT.withNodes(2, 2).withBatchRows(64);
        double linear = held(job(settings(PLAIN.weights()), train, plan).withValidation(held))
                .at("/metrics/logloss")
                .asDouble();
        JsonNode plain = held(job(settings(PLAIN), train, plan).withValidation(held));
        Solver.Factors adaptive = PLAIN.withThreshold(10).withSparse(true);
        JsonNode report = held(job(settings(adaptive), train, plan).withValidation(held));
        double loss = report.at("/metrics/logloss").asDouble();
        assertTrue(loss < 0.8 * linear, loss + " with factors, " + linear + " without");
        assertTrue(loss < 1.05 * plain.at("/metrics/logloss").asDouble(), loss + ", and a plain one " + plain);
        JsonNode memory = report.get("factors");
        assertEquals(
                plain.at("/factors/bytes").asLong(), memory.get("plainBytes").asLong());
        assertTrue(memory.get("bytes").asLong() < 0.4 * memory.get("plainBytes").asLong(), memory.toString());
        assertEquals("difacto", report.at("/settings/solver").asText());
    }

    @Test
    void numbers_that_pairs_decide_are_predicted() throws IOException {
        Data train = pairs("train.svm", 6_000, false, 5);
        Data held = pairs("held.svm", 2_000, false, 6);
        Loss squared = Loss.named("squared");
        ClusterPlan plan = ClusterPlan.DEFAULT.withNodes(2, 1).withBatchRows(64);
        double linear = held(job(settings(PLAIN.weights()).withLoss(squared), train, plan)
                        .withValidation(held))
                .at("/metrics/rmse")
                .asDouble();
        double machine = held(job(settings(PLAIN).withLoss(squared), train, plan)
                        .withValidation(held))
                .at("/metrics/rmse")
                .asDouble();
        assertTrue(machine < 0.7 * linear, machine + " with factors, " + linear + " without");
    }

    /// The unit of labels changes that of predictions, and nothing else.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void numbers_are_predicted_alike_in_any_unit(boolean plain) throws IOException {
        Data train = pairs("train.svm", 2_000, false, 5);
        Solver.Factors solver = (plain ? PLAIN : Solver.Factors.ADAPTIVE).withWeights(PLAIN.weights());
        Linear settings = settings(solver)
                .withLoss(Loss.named("squared"))
                .withPenalty(new Penalty.Usual(Separable.l2(1).withL1(plain ? 0 : 0.1)));
        double[] usual = predicted(settings, train, train);
        for (double unit : new double[] {1e5, 1e-3}) {
            double[] other = predicted(settings, inUnit(unit), train);
            for (int row = 0; row < usual.length; row++) {
                assertEquals(usual[row], other[row] / unit, 1e-3, "row " + row + " in a unit of " + unit);
            }
        }
    }

    /// The labels of those rows times `unit`.
    private Data inUnit(double unit) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(directory.resolve("train.svm"))) {
            int end = line.indexOf(' ');
            text.append(unit * Double.parseDouble(line.substring(0, end)))
                    .append(line.substring(end))
                    .append('\n');
        }
        return Data.of(Files.writeString(directory.resolve("train-" + unit + ".svm"), text)
                .toString());
    }

    private double[] predicted(Linear settings, Data train, Data rows) throws IOException {
        StringBuilder numbers = new StringBuilder();
        try (BatchScorer scorer =
                StoredModel.at(job(settings, train, ALONE).run().directory()).scorer()) {
            Prediction.write(scorer, rows, Prediction.Kind.LABELS, numbers, Watch.SILENT);
        }
        return numbers.toString().lines().mapToDouble(Double::parseDouble).toArray();
    }

    /// Of a row whose features are all larger than any that it has learned from.
    @Test
    void predicted_numbers_stay_within_those_of_training_unless_that_is_not_wanted() throws IOException {
        Path train = directory.resolve("line.svm");
        Path far = directory.resolve("far.svm");
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 300; row++) {
            text.append(row % 3).append(" 1:").append(row % 3).append(" 2:1\n");
        }
        Files.writeString(train, text);
        Files.writeString(far, "2 1:50 2:50\n0 1:-50 2:50\n");
        Linear settings = settings(PLAIN).withLoss(Loss.named("squared"));
        for (boolean clipped : new boolean[] {true, false}) {
            LinearTraining job = job(settings.withSolver(PLAIN.withClipped(clipped)), Data.of(train.toString()), ALONE);
            Data held = Data.of(far.toString());
            Trained trained = job.withValidation(held).run();
            StringBuilder predicted = new StringBuilder();
            StringBuilder scores = new StringBuilder();
            try (BatchScorer scorer = StoredModel.at(trained.directory()).scorer()) {
                Prediction.write(scorer, held, Prediction.Kind.LABELS, predicted, Watch.SILENT);
                Prediction.write(scorer, held, Prediction.Kind.SCORES, scores, Watch.SILENT);
                double rmse =
                        Evaluation.of(scorer, held, 1, Watch.SILENT).metrics().rmse();
                assertEquals(trained.report().tree().at("/metrics/rmse").asDouble(), rmse);
                assertEquals(clipped, rmse == 0, scores.toString());
                assertEquals(clipped, predicted.toString().equals("2.0\n0.0\n"), predicted.toString());
                assertEquals(!clipped, predicted.toString().contentEquals(scores));
            }
        }
    }

    /// After a pass from where another run has ended it is about as good as that, not as after a first pass.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void it_starts_from_an_earlier_machine_with_its_factors(boolean plain) throws IOException {
        Data train = pairs("train.svm", 6_000, true, 3);
        Data held = pairs("held.svm", 2_000, true, 4);
        Solver.Factors solver = plain ? PLAIN : PLAIN.withThreshold(5).withSparse(true);
        ClusterPlan plan = ALONE.withNodes(1, 2).withReplicas(1);
        Trained before = job(settings(solver), train, plan).withValidation(held).run();
        Solver.Factors once = solver.withWeights(solver.weights().withPasses(1));
        double first = loss(job(settings(once), train, plan).withValidation(held));
        double started = loss(
                job(settings(once), train, plan).withValidation(held).withStart(StoredModel.at(before.directory())));
        double whole = before.report().tree().at("/metrics/logloss").asDouble();
        assertTrue(first > 1.2 * whole, first + " after the first pass, " + whole + " after all");
        assertTrue(started < 1.1 * whole, started + " from there, which was " + whole);
        assertThrows(
                IOException.class,
                () -> job(settings(solver.withDimension(3)), train, plan)
                        .withStart(StoredModel.at(before.directory()))
                        .run());
    }

    /// With rates of next to nothing a run ends where it starts, also where the penalty on norms made factors 0.
    @ParameterizedTest
    @ValueSource(doubles = {0, 2})
    void what_it_starts_from_is_what_was_written(double group) throws IOException {
        Data data = pairs("train.svm", 1_500, true, 3);
        Solver.Factors solver = PLAIN.withL2(1).withGroup(group);
        Trained before = job(settings(solver), data, ALONE).run();
        JsonNode factors = before.report().tree().get("factors");
        assertEquals(
                group > 0,
                factors.get("used").asLong() < factors.get("features").asLong(),
                factors.toString());
        Solver.Online still = PLAIN.weights().withAlpha(1e-30).withPasses(1);
        Trained after = job(settings(solver.withWeights(still).withRates(1e-30, 1)), data, ALONE.withNodes(1, 2))
                .withStart(StoredModel.at(before.directory()))
                .run();
        assertArrayEquals(scores(data, before), scores(data, after), 1e-5);
    }

    @Test
    void it_starts_from_a_linear_model() throws IOException {
        Data data = pairs("train.svm", 3_000, true, 3);
        Linear linear = settings(PLAIN.weights());
        Trained before = job(linear, data, ALONE).run();
        Solver.Online still = PLAIN.weights().withAlpha(1e-30).withPasses(1);
        Linear machine = settings(PLAIN.withWeights(still).withRates(1e-30, 1).withScale(1e-6));
        Trained after = job(machine, data, ALONE)
                .withStart(StoredModel.at(before.directory()))
                .run();
        LinearModel weights = ModelDirectory.load(before.directory());
        LinearModel kept = StoredModel.at(after.directory()).loadWeights();
        assertArrayEquals(weights.ids(), kept.ids());
        assertArrayEquals(weights.weights()[0], kept.weights()[0], 1e-6);
        assertTrue(StoredModel.at(after.directory()).factored() > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "delta", "keycache,runs,lz4", "zstd:3", "fixed:0", "fp16:exact,lz4"})
    void filters_that_lose_nothing_change_no_bit(String filters) throws IOException {
        Data data = pairs("train.svm", 1_500, true, 3);
        Solver.Factors solver = PLAIN.withThreshold(5).withSparse(true);
        ClusterPlan plan = ALONE.withNodes(1, 2).withReplicas(1);
        Trained plain = job(settings(solver), data, plan).run();
        Trained filtered =
                job(settings(solver), data, plan.withFilters(filters)).run();
        assertArrayEquals(scores(data, plain), scores(data, filtered));
    }

    @Test
    void filters_say_rows_with_and_without_factors_in_fewer_bytes() throws IOException {
        Data train = pairs("train.svm", 6_000, true, 3);
        Data held = pairs("held.svm", 2_000, true, 4);
        ClusterPlan plan = ALONE.withNodes(2, 2).withWhere(Where.Simulated.DEFAULT);
        Linear settings = settings(PLAIN.withThreshold(5).withSparse(true));
        JsonNode plain = held(job(settings, train, plan).withValidation(held));
        JsonNode fixed = held(
                job(settings, train, plan.withFilters("keycache,fixed:2,lz4")).withValidation(held));
        double bytes =
                fixed.at("/bytes/sent").asDouble() / plain.at("/bytes/sent").asDouble();
        assertTrue(bytes < 0.7, bytes + " of the bytes");
        double loss = plain.at("/metrics/logloss").asDouble();
        assertEquals(loss, fixed.at("/metrics/logloss").asDouble(), 0.02 * loss);
    }

    /// As a program of theirs would score with it.
    @Test
    void the_text_for_libfm_has_the_scores_of_ours() throws IOException {
        Data data = pairs("train.svm", 1_500, true, 3);
        Trained trained = job(settings(PLAIN.withThreshold(5).withSparse(true)), data, ALONE)
                .run();
        StringWriter text = new StringWriter();
        Export.LIBFM.write(StoredModel.at(trained.directory()).loadFactors(), text, _ -> null);
        List<String> lines = text.toString().lines().toList();
        int weights = lines.indexOf("#unary interactions Wj") + 1;
        int factors = lines.indexOf("#pairwise interactions Vj,f") + 1;
        assertEquals("#global bias W0", lines.getFirst());
        assertEquals(factors - 1 - weights, lines.size() - factors);
        double[] ours = scores(data, trained);
        List<String> rows = Files.readAllLines(directory.resolve("train.svm"));
        for (int row = 0; row < rows.size(); row++) {
            double score = Double.parseDouble(lines.get(1));
            double[] sums = new double[PLAIN.dimension()];
            double squares = 0;
            for (String feature :
                    rows.get(row).substring(rows.get(row).indexOf(' ') + 1).split(" ")) {
                int id = Integer.parseInt(feature.substring(0, feature.indexOf(':')));
                score += Double.parseDouble(lines.get(weights + id));
                String[] numbers = lines.get(factors + id).split(" ");
                for (int f = 0; f < sums.length; f++) {
                    double v = Double.parseDouble(numbers[f]);
                    sums[f] += v;
                    squares += v * v;
                }
            }
            score += 0.5 * (Arrays.stream(sums).map(s -> s * s).sum() - squares);
            assertEquals(ours[row], score, 1e-5);
        }
    }

    private static double loss(LinearTraining job) throws IOException {
        return held(job).at("/metrics/logloss").asDouble();
    }

    private static double[] scores(Data data, Trained trained) throws IOException {
        StringBuilder scores = new StringBuilder();
        try (BatchScorer scorer = StoredModel.at(trained.directory()).scorer()) {
            Prediction.write(scorer, data, Prediction.Kind.SCORES, scores, Watch.SILENT);
        }
        return scores.toString().lines().mapToDouble(Double::parseDouble).toArray();
    }

    @Test
    void every_runtime_and_any_number_of_nodes_gives_the_same_bits_though_nodes_are_killed() throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 6_000);
        Linear settings = settings(Solver.Factors.ADAPTIVE
                .withDimension(3)
                .withWeights(PLAIN.weights().withPasses(4)));
        ClusterPlan plan = ClusterBits.PLAN;
        String first = ClusterBits.bits(cluster.job(plan.withNodes(1, 1), settings));
        assertEquals(first, ClusterBits.bits(cluster.job(plan.withNodes(3, 2).withReplicas(1), settings)));
        assertEquals(
                first,
                ClusterBits.bits(cluster.job(plan.withNodes(3, 2).withWhere(Where.Simulated.DEFAULT), settings)));
        ClusterBits.Killer worker = new ClusterBits.Killer("WORKER", 1, 0.2);
        ClusterBits.Killer server = new ClusterBits.Killer("SERVER", 0, 0.5);
        ClusterPlan processes =
                plan.withNodes(2, 3).withReplicas(1).withWhere(new Where.Processes(Where.Transport.UNIX));
        assertEquals(
                first,
                ClusterBits.bits(
                        cluster.job(processes, settings).withWatch(ClusterBits.watch(worker.andThen(server)))));
        assertTrue(worker.killed && server.killed, "the run was over before both were killed");
    }

    @Test
    void a_run_that_was_stopped_goes_on_to_the_same_bits() throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 6_000);
        Linear settings = settings(Solver.Factors.ADAPTIVE
                .withDimension(3)
                .withWeights(PLAIN.weights().withPasses(4)));
        ClusterPlan plan = ClusterBits.PLAN.withNodes(2, 2);
        String first = ClusterBits.bits(cluster.job(plan, settings));
        Path kept = directory.resolve("kept");
        Checkpointing seldom = new Checkpointing(kept, Duration.ofHours(1), false);
        boolean[] stopping = {false};
        Trained stopped = cluster.job(plan, settings)
                .withCheckpointing(seldom)
                .withWatch(new Watch() {
                    @Override
                    public void progress(String stage, double done, long examples, double loss) {
                        stopping[0] |= stage.startsWith("pass") && done > 0.3;
                    }

                    @Override
                    public boolean stopping() {
                        return stopping[0];
                    }
                })
                .run();
        assertFalse(stopped.finished());
        assertEquals(
                first,
                ClusterBits.bits(cluster.job(plan.withNodes(3, 1), settings)
                        .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), true))));
    }

    @Test
    void several_classes_have_a_machine_each() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(11);
        for (int row = 0; row < 3_000; row++) {
            int a = random.nextInt(4);
            int b = random.nextInt(4);
            text.append((a + b) % 3)
                    .append(' ')
                    .append(1 + a)
                    .append(":1 ")
                    .append(5 + b)
                    .append(":1\n");
        }
        Path file = directory.resolve("classes.svm");
        Files.writeString(file, text);
        JsonNode report =
                held(job(settings(PLAIN), Data.of(file.toString()), ALONE).withMeasured(true));
        assertTrue(
                report.at("/metrics/accuracy").asDouble() > 0.95,
                report.get("metrics").toString());
    }

    @Test
    void what_does_not_suit_it_is_refused() {
        Data data = Data.of("none.svm");
        Linear settings = settings(PLAIN);
        assertRefused("skip:0.5", () -> job(settings, data, ALONE.withFilters("keycache,skip:0.5")));
        assertRefused("significant", () -> job(settings, data, ALONE.withFilters("significant,lz4")));
        assertRefused("essp", () -> job(settings, data, ALONE.withConsistency("essp:2")));
        assertRefused("ftrl", () -> PLAIN.withWeights(Solver.Online.of(Solver.Rule.SGD)));
        assertRefused("dimension", () -> PLAIN.withDimension(-1));
        assertRefused(
                "directory",
                () -> LinearTraining.of(settings, pairs("some.svm", 100, true, 7))
                        .withCache(new CacheUse.Auto(directory.resolve("cache")))
                        .run());
    }

    private static void assertRefused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }
}
