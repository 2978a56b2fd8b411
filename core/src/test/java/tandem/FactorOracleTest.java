package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.math.Mix;
import tandem.model.BatchScorer;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.problem.Logistic;
import tandem.problem.Separable;
import tandem.report.Moment;
import tandem.solver.AdaGrad;
import tandem.solver.DiFacto;
import tandem.solver.FactorStep;
import tandem.solver.Ftrl;

/// Factorisation machines on servers and workers against linear FTRL, a plain loop over maps, the formulas of gradient
/// descent and the objective of what is saved.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FactorOracleTest extends FactorKit {

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
}
