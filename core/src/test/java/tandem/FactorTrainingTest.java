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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.math.Mix;
import tandem.model.BatchScorer;
import tandem.model.Export;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.report.Moment;
import tandem.solver.AdaGrad;
import tandem.solver.DiFacto;
import tandem.solver.FactorStep;
import tandem.solver.Ftrl;

/// Factorisation machines on servers and workers: against linear FTRL, against a plain loop over maps, and on data
/// whose pairs matter.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FactorTrainingTest {

    private static final Solver.Factors PLAIN = Solver.Factors.PLAIN
            .withDimension(4)
            .withWeights(Solver.Factors.PLAIN.weights().withPasses(6).withPatience(0));

    private static final ClusterPlan ALONE =
            ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp").withBatchRows(64);

    @TempDir
    Path directory;

    private int models;

    @Test
    void a_machine_without_factors_is_linear_ftrl_to_the_bit() throws IOException {
        Data data = pairs("train.svm", 3_000, true, 1);
        Linear linear = settings(PLAIN.weights()).withPenalty(Separable.l1(0.2).withL2(1));
        Linear machine =
                linear.withSolver(Solver.Factors.ADAPTIVE.withDimension(0).withWeights(PLAIN.weights()));
        LinearModel one = ModelDirectory.load(job(linear, data, ALONE).run().directory());
        LinearModel other = ModelDirectory.load(job(machine, data, ALONE).run().directory());
        assertTrue(one.nonZero() > 10);
        assertArrayEquals(one.ids(), other.ids());
        assertArrayEquals(one.weights()[0], other.weights()[0]);
        assertArrayEquals(one.intercepts(), other.intercepts());
    }

    /// One worker that waits for every update does what a loop over the batches does.
    @ParameterizedTest
    @CsvSource({"30, 0", "0, 8", "3, 5"})
    void a_plain_machine_is_what_a_plain_loop_makes_of_the_batches(double l2, double group) throws IOException {
        Data data = pairs("train.svm", 1_500, true, 2);
        Solver.Factors solver =
                PLAIN.withL2(l2).withGroup(group).withRates(0.1, 1).withScale(0.05);
        Linear settings = settings(solver).withIntercept(false);
        Path model = job(settings, data, ALONE).run().directory();
        List<Map<Long, float[]>> rows = List.of(new TreeMap<>(), new TreeMap<>());
        try (Batches batches =
                data.withBatchRows(ALONE.batchRows()).known().cache(directory.resolve("cache"), _ -> {}, 1)) {
            plainLoop(batches, rows.getFirst(), solver, settings);
            double[] scores = new double[ALONE.batchRows()];
            try (BatchScorer scorer = StoredModel.at(model).scorer()) {
                Batch batch = new Batch();
                Batches.Pass pass = batches.pass(0, 0);
                while (pass.next(batch)) {
                    scorer.scores(batch, scores);
                    for (int row = 0; row < batch.rows(); row++) {
                        assertEquals(score(batch, row, rows.getFirst(), PLAIN.dimension()), scores[row], 1e-4);
                    }
                }
            }
        }
    }

    /// By key (w, z, √n), then (v, √G) for each factor.
    private static void plainLoop(Batches batches, Map<Long, float[]> rows, Solver.Factors solver, Linear settings)
            throws IOException {
        int k = solver.dimension();
        Separable penalty = (Separable) settings.penalty().over(new long[0]);
        Ftrl ftrl =
                new Ftrl(0.1, 1, penalty.withL2(penalty.l2() * solver.weights().passes()));
        double share = (double) ALONE.batchRows() / batches.rows();
        AdaGrad adaGrad = new AdaGrad(solver.alpha(), solver.beta(), Separable.NONE);
        DiFacto first = new DiFacto(
                ftrl, new FactorStep(adaGrad, 0), k, 0, false, solver.scale(), Mix.mix(settings.seed()) >>> 11);
        Map<Long, Integer> met = new TreeMap<>();
        int push = 0;
        Batch batch = new Batch();
        for (int p = 0; p < solver.weights().passes(); p++) {
            Batches.Pass pass = batches.pass(p, 0);
            while (pass.next(batch)) {
                for (int i = 0; i < batch.keyCount(); i++) {
                    rows.computeIfAbsent(batch.keys()[i], key -> {
                        float[] drawn = new float[2 * DiFacto.width(k)];
                        first.begin(key, drawn, 0, 0, DiFacto.width(k));
                        float[] row = new float[3 + 2 * k];
                        System.arraycopy(drawn, 2, row, 3, 2 * k);
                        return row;
                    });
                }
                double[][] gradients = new double[batch.keyCount()][1 + k];
                for (int row = 0; row < batch.rows(); row++) {
                    double label = batch.labels()[row] > 0 ? 1 : -1;
                    double slope = new Logistic().derivative(score(batch, row, rows, k), label);
                    addGradient(batch, row, slope, rows, gradients, k);
                }
                push++;
                for (int i = 0; i < batch.keyCount(); i++) {
                    float[] entry = rows.get(batch.keys()[i]);
                    Integer last = met.put(batch.keys()[i], push);
                    ftrl.update(entry, 0, (float) gradients[i][0]);
                    double due = share * (last == null ? 1 : push - last);
                    step(entry, gradients[i], solver, due * solver.l2(), due * solver.group());
                }
            }
        }
    }

    /// AdaGrad's step of the factors of a feature: where Σ (root + β)/α·(x − v)²/2 + g·x + l2/2·x² + group·‖x‖ is
    /// least, with the norm of x found by halving.
    private static void step(float[] entry, double[] gradients, Solver.Factors solver, double l2, double group) {
        int k = gradients.length - 1;
        double[] inverse = new double[k];
        double[] pull = new double[k];
        for (int f = 0; f < k; f++) {
            int v = 3 + 2 * f;
            double g = (float) gradients[1 + f];
            entry[v + 1] = (float) Math.hypot(entry[v + 1], g);
            inverse[f] = (entry[v + 1] + solver.beta()) / solver.alpha();
            pull[f] = inverse[f] * entry[v] - g;
        }
        double low = 0;
        double high = 1e6;
        for (int halving = 0; halving < 200; halving++) {
            double norm = (low + high) / 2;
            double squares = 0;
            for (int f = 0; f < k; f++) {
                squares += Math.pow(pull[f] * norm / ((inverse[f] + l2) * norm + group), 2);
            }
            low = Math.sqrt(squares) > norm ? norm : low;
            high = Math.sqrt(squares) > norm ? high : norm;
        }
        for (int f = 0; f < k; f++) {
            entry[3 + 2 * f] = (float)
                    (group == 0 ? pull[f] / (inverse[f] + l2) : pull[f] * low / ((inverse[f] + l2) * low + group));
        }
    }

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

    private static double score(Batch batch, int row, Map<Long, float[]> rows, int k) {
        double score = 0;
        for (int a = batch.starts()[row]; a < batch.starts()[row + 1]; a++) {
            float[] one = rows.get(batch.keys()[batch.positions()[a]]);
            score += one[0] * batch.values()[a];
            for (int b = a + 1; b < batch.starts()[row + 1]; b++) {
                float[] other = rows.get(batch.keys()[batch.positions()[b]]);
                for (int f = 0; f < k; f++) {
                    score += (double) one[3 + 2 * f] * other[3 + 2 * f] * batch.values()[a] * batch.values()[b];
                }
            }
        }
        return score;
    }

    private static void addGradient(
            Batch batch, int row, double slope, Map<Long, float[]> rows, double[][] gradients, int k) {
        for (int a = batch.starts()[row]; a < batch.starts()[row + 1]; a++) {
            double[] into = gradients[batch.positions()[a]];
            into[0] += slope * batch.values()[a];
            for (int b = batch.starts()[row]; b < batch.starts()[row + 1]; b++) {
                float[] other = rows.get(batch.keys()[batch.positions()[b]]);
                for (int f = 0; f < k && a != b; f++) {
                    into[1 + f] += slope * batch.values()[a] * batch.values()[b] * other[3 + 2 * f];
                }
            }
        }
    }

    /// By what the files of the model say.
    @ParameterizedTest
    @CsvSource({"0.5, 0", "0, 0.3", "0.2, 0.2"})
    void the_objective_is_the_loss_and_the_penalties_of_what_is_saved(double l2, double group) throws IOException {
        Data data = pairs("train.svm", 1_500, true, 2);
        Linear settings = settings(PLAIN.withL2(l2).withGroup(group))
                .withPenalty(Separable.l1(0.2).withL2(1));
        Trained trained = job(settings, data, ALONE).run();
        double objective;
        try (BatchScorer scorer = StoredModel.at(trained.directory()).scorer()) {
            objective = Evaluation.of(scorer, data, 1, Watch.SILENT).loss();
        }
        double onFactors = 0;
        for (double[] of : numbers(trained.directory()).values()) {
            objective += 0.2 * Math.abs(of[0]) + 0.5 * of[0] * of[0];
            double squares = 0;
            for (int f = 1; f < of.length; f++) {
                squares += of[f] * of[f];
            }
            onFactors += l2 / 2 * squares + group * Math.sqrt(squares);
        }
        assertTrue(onFactors > 0.01 * objective, onFactors + " of " + objective);
        objective += onFactors;
        assertEquals(objective, trained.report().tree().get("objective").asDouble(), 1e-6 * objective);
    }

    /// Rare features too meet the penalty on factors that the objective has: if they did only when they come, it would
    /// rise from the second pass on.
    /// What factors begin with is part of it from the first pass on, and the norm of small ones is not small.
    @ParameterizedTest
    @CsvSource({"fm, 0, 30, 0, 1", "fm, 0, 0, 8, 2", "difacto, 1, 5, 0, 2", "difacto, 1, 0, 8, 2"})
    void the_objective_falls_from_pass_to_pass(String who, double l1, double l2, double group, int from)
            throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT
                .withRows(6_000)
                .withFeatures(20_000)
                .withInteractions(2.5)
                .write(file, 1, _ -> {});
        List<Double> objectives = new ArrayList<>();
        Solver.Factors solver = PLAIN.withThreshold(who.equals("fm") ? 0 : 10).withSparse(!who.equals("fm"));
        Linear settings = settings(solver.withL2(l2).withGroup(group));
        job(settings.withPenalty(Separable.l1(l1).withL2(1)), Data.of(file.toString()), ALONE)
                .withWatch(new Watch() {

                    @Override
                    public boolean wantsObjective() {
                        return true;
                    }

                    @Override
                    public void reached(Moment now) {
                        objectives.add(now.objective());
                    }
                })
                .run();
        assertEquals(1 + PLAIN.weights().passes(), objectives.size());
        for (int pass = from; pass < objectives.size(); pass++) {
            assertTrue(objectives.get(pass) < objectives.get(pass - 1), objectives.toString());
        }
    }

    /// Stochastic gradient descent on a factorisation machine, batch after batch, written down from the formulas alone:
    /// each number x moves by −α/(β + √Σg²)·g. What factors begin with is read from a run that moves nothing.
    @ParameterizedTest
    @ValueSource(ints = {64, 128, 640})
    void difacto_without_threshold_and_penalty_goes_the_way_of_plain_gradient_descent(int rows) throws IOException {
        Data data = pairs("few.svm", rows, true, 6);
        int k = 3;
        Solver.Online weights =
                Solver.Online.of(Solver.Rule.FTRL).withAlpha(0.3).withPasses(1).withPatience(0);
        Solver.Factors solver = new Solver.Factors(weights, k, 0, false, 0.2, 1, 0, 0, 0.3, true);
        Solver.Factors still = solver.withWeights(weights.withAlpha(1e-30)).withRates(1e-30, 1);
        Linear free = settings(solver).withPenalty(Separable.NONE).withIntercept(false);
        Map<Long, double[]> begun = numbers(job(free.withSolver(still), data, ALONE));
        Map<Long, double[]> found = numbers(job(free, data, ALONE));
        Map<Long, double[]> squares = new TreeMap<>();
        begun.forEach((id, of) -> squares.put(id, new double[of.length]));
        try (Batches batches =
                data.withBatchRows(ALONE.batchRows()).known().cache(directory.resolve("cache"), _ -> {}, 1)) {
            Batches.Pass pass = batches.pass(0, 0);
            for (Batch batch = new Batch(); pass.next(batch); ) {
                descend(batch, begun, squares, k);
            }
        }
        assertEquals(begun.keySet(), found.keySet());
        double moved = 0;
        for (Long id : begun.keySet()) {
            assertArrayEquals(begun.get(id), found.get(id), 2e-6, "feature " + id);
            moved = Math.max(moved, Math.abs(begun.get(id)[0]));
        }
        assertTrue(moved > 0.05, "weights have hardly moved: " + moved);
    }

    private static void descend(Batch batch, Map<Long, double[]> numbers, Map<Long, double[]> squares, int k) {
        Map<Long, double[]> gradients = new TreeMap<>();
        for (int row = 0; row < batch.rows(); row++) {
            int from = batch.starts()[row];
            int to = batch.starts()[row + 1];
            double[] sums = new double[k];
            double score = 0;
            for (int e = from; e < to; e++) {
                double[] of = numbers.get(id(batch, e));
                double x = batch.values()[e];
                score += of[0] * x;
                for (int f = 0; f < k; f++) {
                    sums[f] += of[1 + f] * x;
                    score -= of[1 + f] * of[1 + f] * x * x / 2;
                }
            }
            for (double sum : sums) {
                score += sum * sum / 2;
            }
            double y = batch.labels()[row] > 0 ? 1 : -1;
            double slope = -y / (1 + Math.exp(y * score));
            for (int e = from; e < to; e++) {
                double[] of = numbers.get(id(batch, e));
                double[] gradient = gradients.computeIfAbsent(id(batch, e), _ -> new double[1 + k]);
                double x = batch.values()[e];
                gradient[0] += slope * x;
                for (int f = 0; f < k; f++) {
                    gradient[1 + f] += slope * x * (sums[f] - of[1 + f] * x);
                }
            }
        }
        gradients.forEach((id, gradient) -> {
            for (int n = 0; n <= k; n++) {
                squares.get(id)[n] += gradient[n] * gradient[n];
                double rate = (n == 0 ? 0.3 : 0.2) / (1 + Math.sqrt(squares.get(id)[n]));
                numbers.get(id)[n] -= rate * gradient[n];
            }
        });
    }

    private static long id(Batch batch, int entry) {
        return Mix.unmix(batch.keys()[batch.positions()[entry]]);
    }

    /// By id, the weight and then the factors that a run ends with.
    private static Map<Long, double[]> numbers(LinearTraining job) throws IOException {
        return numbers(job.run().directory());
    }

    /// By id the weight of a feature, then its factors.
    private static Map<Long, double[]> numbers(Path directory) throws IOException {
        FactorModel model = StoredModel.at(directory).loadFactors();
        Map<Long, double[]> all = new TreeMap<>();
        int k = model.dimension();
        for (int j = 0; j < model.weights().ids().length; j++) {
            double[] of = new double[1 + k];
            of[0] = model.weights().weights()[0][j];
            for (int f = 0; f < k; f++) {
                of[1 + f] = model.factors()[0][j * k + f];
            }
            all.put(model.weights().ids()[j], of);
        }
        return all;
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

    private static Linear settings(Solver solver) {
        return Linear.DEFAULT.withThreads(1).withSolver(solver);
    }

    private static JsonNode held(LinearTraining job) throws IOException {
        return job.run().report().tree();
    }

    private LinearTraining job(Linear settings, Data data, ClusterPlan plan) {
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model-" + models++), false)
                .withCluster(plan);
    }

    /// Rows with a feature of each of four fields, thirty common ones and many rare ones a field; what a row is
    /// depends on how its features go together.
    private Data pairs(String name, int rows, boolean classes, long seed) throws IOException {
        Random truth = new Random(1);
        double[][] factors = new double[120][3];
        for (double[] of : factors) {
            Arrays.setAll(of, _ -> truth.nextGaussian());
        }
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows; row++) {
            StringBuilder features = new StringBuilder();
            double[] sums = new double[3];
            double squares = 0;
            for (int field = 0; field < 4; field++) {
                int id = 30 * field + random.nextInt(30);
                features.append(' ').append(1 + id).append(":1");
                for (int f = 0; f < 3; f++) {
                    sums[f] += factors[id][f];
                    squares += factors[id][f] * factors[id][f];
                }
            }
            features.append(' ').append(1_000 + random.nextInt(5_000)).append(":1");
            double score = 0.5 * (Arrays.stream(sums).map(s -> s * s).sum() - squares);
            double noise = random.nextGaussian();
            text.append(classes ? score + noise > 0 ? "1" : "-1" : Double.toString(score + 0.1 * noise))
                    .append(features)
                    .append('\n');
        }
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return Data.of(file.toString());
    }
}
