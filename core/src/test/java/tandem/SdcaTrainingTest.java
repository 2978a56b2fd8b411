package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tandem.data.Data;
import tandem.model.StoredModel;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.report.Moment;

/// Dual coordinate ascent on servers and workers, against the normal equations and against the batch solver.
class SdcaTrainingTest extends TrainingKit {

    private static final Linear RIDGE =
            Linear.DEFAULT.withThreads(1).withPenalty(Separable.l2(1)).withSolver(new Solver.Sdca(1e-7, 2_000));

    private static final ClusterPlan PLAN =
            ClusterPlan.DEFAULT.withConsistency("bsp").withBatchRows(64);

    @ParameterizedTest
    @CsvSource({
        "logistic, 1, 1, true, 0",
        "logistic, 3, 2, true, 0",
        "logistic, 2, 1, false, 0.5",
        "squared-hinge, 2, 2, true, 0",
        "squared, 2, 1, true, 0.5",
        "huber, 2, 1, true, 0",
        "poisson, 2, 1, true, 0"
    })
    void it_ends_at_the_optimum(String loss, int workers, int servers, boolean intercept, double l1)
            throws IOException {
        Data data = Loss.named(loss).binary() ? clicks(600, 200) : numbers(400);
        Linear settings = RIDGE.withLoss(Loss.named(loss))
                .withIntercept(intercept)
                .withPenalty(Separable.l1(l1).withL2(4));
        double least = optimum(settings, data);
        JsonNode report = report(settings, data, PLAN.withNodes(workers, servers));
        assertEquals("converged", report.get("stopped").asText());
        double above = report.get("objective").asDouble() - least;
        double gap = gap(report);
        assertTrue(gap < 1e-6 * Math.abs(least) && above <= gap + 1e-8 * Math.abs(least), above + ", gap " + gap);
    }

    /// That two bounds meet is proof enough: the objective is that of the model, found by scoring it, and slopes of
    /// examples bound it from below.
    @ParameterizedTest
    @CsvSource({"hinge, 1, 1e-6", "hinge, 2, 1e-6", "quantile:0.3, 1, 1e-4"})
    void losses_with_kinks_have_a_certificate_too(String loss, int workers, double tolerance) throws IOException {
        Data data = Loss.named(loss).binary() ? clicks(200, 100) : numbers(100);
        Linear settings = RIDGE.withLoss(Loss.named(loss)).withSolver(new Solver.Sdca(tolerance, 5_000));
        JsonNode report = report(settings, data, PLAN.withNodes(workers, 1));
        assertEquals("converged", report.get("stopped").asText());
        double gap = gap(report);
        assertTrue(gap <= tolerance * report.get("objective").asDouble(), "gap " + gap);
        JsonNode better =
                report(settings.withSolver(new Solver.Sdca(tolerance / 10, 20_000)), data, PLAN.withNodes(1, 1));
        double above =
                report.get("objective").asDouble() - better.get("objective").asDouble();
        assertTrue(above <= gap, above + " above another one, with a gap of " + gap);
    }

    /// Weights that are not held take thousands of passes, and more yet where a feature has large numbers.
    @ParameterizedTest
    @CsvSource({
        "squared, 0.02, 1, 1, 100",
        "hinge, 0.02, 1, 1, 600",
        "hinge, 0.02, 1, 3, 1500",
        "hinge, 0.02, 1e5, 1, 600",
        "squared-hinge, 1, 1e6, 1, 100",
        "logistic, 1, 1e6, 1, 100"
    })
    void neither_a_small_penalty_nor_large_numbers_make_it_slow(
            String loss, double l2, double unit, int workers, int most) throws IOException {
        Linear settings =
                RIDGE.withLoss(Loss.named(loss)).withPenalty(Separable.l2(l2)).withSolver(new Solver.Sdca(1e-4, most));
        JsonNode report = report(settings, noise(300, 20, unit), PLAN.withNodes(workers, 1));
        assertEquals(
                "converged",
                report.get("stopped").asText(),
                report.get("certificate").toString());
    }

    /// Far from 0, features pull at the intercept too: for hundreds of passes neither the least objective nor the
    /// highest bound moves by much of what is between them.
    @ParameterizedTest
    @CsvSource({"squared, 100", "hinge, 10"})
    void what_comes_slowly_nearer_is_no_standstill(String loss, double mean) throws IOException {
        Linear settings = RIDGE.withLoss(Loss.named(loss))
                .withPenalty(Separable.l2(0.01))
                .withSolver(new Solver.Sdca(1e-4, 20_000));
        JsonNode report = report(settings, noise(400, 5, 1, mean), PLAN.withNodes(1, 1));
        assertEquals(
                "converged",
                report.get("stopped").asText(),
                report.get("certificate").toString());
        assertTrue(report.get("iterations").asInt() > 600, "it was not slow: " + report.get("iterations"));
    }

    /// The bound is of slopes that balance; the model is that of the last pass, whose slopes do not.
    @ParameterizedTest
    @CsvSource({"logistic, 10, 20, 1", "squared, 1, 5, 1", "hinge, 3, 20, 2"})
    void finding_the_bound_leaves_the_model_of_the_last_pass(String loss, double mean, int most, int workers)
            throws IOException {
        Linear settings = RIDGE.withLoss(Loss.named(loss))
                .withPenalty(Separable.l2(0.01))
                .withSolver(new Solver.Sdca(1e-6, most));
        Data data = noise(400, 5, 1, mean);
        Curve curve = new Curve();
        JsonNode report = LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model"), true)
                .withCluster(PLAN.withNodes(workers, 1))
                .withWatch(curve)
                .run()
                .report()
                .tree();
        assertEquals("limit", report.get("stopped").asText());
        double objective = report.get("objective").asDouble();
        assertEquals(curve.last, objective, 1e-9 * objective);
        double least = loss.equals("hinge")
                ? objective(settings.withSolver(new Solver.Sdca(1e-6, 50_000)), data)
                : optimum(settings, data);
        assertTrue(objective - gap(report) <= least * (1 + 1e-9), "the bound of " + objective + " is above " + least);
    }

    private double objective(Linear settings, Data data) throws IOException {
        JsonNode report = report(settings, data, PLAN.withNodes(1, 1));
        assertEquals("converged", report.get("stopped").asText());
        return report.get("objective").asDouble();
    }

    private static final class Curve implements Watch {
        private double last;

        @Override
        public boolean wantsObjective() {
            return true;
        }

        @Override
        public void reached(Moment now) {
            last = now.objective();
        }
    }

    /// Labels that hardly follow from features, of which the first has a unit of its own.
    private Data noise(int rows, int features, double unit) throws IOException {
        return noise(rows, features, unit, 0);
    }

    private Data noise(int rows, int features, double unit, double mean) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(8);
        for (int row = 0; row < rows; row++) {
            double score = random.nextGaussian();
            StringBuilder line = new StringBuilder();
            for (int id = 1; id <= features; id++) {
                double x = random.nextGaussian();
                score += id == 3 ? x : 0;
                line.append(String.format(" %d:%.4g", id, mean + (id == 1 ? unit * x : x)));
            }
            text.append(score > 0 ? "1" : "-1").append(line).append('\n');
        }
        return Data.of(Files.writeString(directory.resolve("noise.svm"), text).toString());
    }

    /// Where workers only went over their own examples, it took more than ten times as many passes.
    @ParameterizedTest
    @EnumSource(
            value = Placement.class,
            names = {"EXAMPLES", "PARSA"})
    void it_takes_hardly_more_passes_where_examples_are_placed(Placement placement) throws IOException {
        Linear settings = RIDGE.withSolver(new Solver.Sdca(1e-5, 5_000));
        ClusterPlan plan = PLAN.withNodes(3, 2);
        Data data = clicks(1_000, 1_000);
        JsonNode any = report(settings, data, plan);
        JsonNode placed = report(settings, data, plan.withPlacement(placement));
        assertEquals("converged", placed.get("stopped").asText());
        double objective = any.get("objective").asDouble();
        assertEquals(objective, placed.get("objective").asDouble(), 1e-4 * objective);
        int passes = placed.get("iterations").asInt();
        assertTrue(passes < 1.5 * any.get("iterations").asInt(), passes + " passes, and " + any.get("iterations"));
    }

    /// LIBLINEAR's dual solver for the support vector machine, whose C is 1 / l2.
    @ParameterizedTest
    @CsvSource({"hinge, L2R_L1LOSS_SVC_DUAL", "squared-hinge, L2R_L2LOSS_SVC_DUAL", "logistic, L2R_LR_DUAL"})
    void weights_are_those_of_liblinear(String loss, SolverType type) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(6);
        Problem theirs = new Problem();
        theirs.l = 200;
        theirs.n = 12;
        theirs.bias = -1;
        theirs.y = new double[theirs.l];
        theirs.x = new Feature[theirs.l][theirs.n];
        for (int row = 0; row < theirs.l; row++) {
            double score = random.nextGaussian();
            StringBuilder line = new StringBuilder();
            for (int id = 1; id <= theirs.n; id++) {
                float x = Math.round(1000 * random.nextGaussian()) / 1000f;
                theirs.x[row][id - 1] = new FeatureNode(id, x);
                score += x * (id - 6) / 4;
                line.append(' ').append(id).append(':').append(x);
            }
            theirs.y[row] = score > 0 ? 1 : -1;
            text.append(score > 0 ? "1" : "-1").append(line).append('\n');
        }
        de.bwaldvogel.liblinear.Linear.disableDebugOutput();
        Model model = de.bwaldvogel.liblinear.Linear.train(theirs, new Parameter(type, 0.5, 1e-8, 100_000));
        Data data =
                Data.of(Files.writeString(directory.resolve("svm.svm"), text).toString());
        Linear settings = RIDGE.withLoss(Loss.named(loss))
                .withIntercept(false)
                .withPenalty(Separable.l2(2))
                .withSolver(new Solver.Sdca(1e-11, 20_000));
        Trained trained = job(settings, data, PLAN.withNodes(2, 1)).run();
        double sign = model.getLabels()[0];
        for (int j = 0; j < theirs.n; j++) {
            assertEquals(sign * model.getFeatureWeights()[j], trained.model().weights()[0][j], 1e-4, "feature " + j);
        }
    }

    /// (XᵀCX + l2·I) w = XᵀCy, with the intercept as a column that the penalty leaves alone.
    @Test
    void least_squares_are_those_of_the_normal_equations() throws IOException {
        double[][] a = new double[4][5];
        StringBuilder text = new StringBuilder();
        Random random = new Random(4);
        for (int row = 0; row < 100; row++) {
            double[] x = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian(), 1};
            float weight = 1 + row % 3;
            double y = Math.round(1000 * (x[0] - 2 * x[1] + 3 + random.nextGaussian())) / 1000.0;
            StringBuilder line = new StringBuilder();
            for (int j = 0; j < 3; j++) {
                String value = String.format("%.4f", x[j]);
                x[j] = Float.parseFloat(value);
                line.append(' ').append(j + 1).append(':').append(value);
            }
            for (int r = 0; r < weight; r++) {
                text.append(String.format("%.3f", y)).append(line).append('\n');
                for (int i = 0; i < 4; i++) {
                    for (int j = 0; j < 4; j++) {
                        a[i][j] += x[i] * x[j];
                    }
                    a[i][4] += x[i] * y;
                }
            }
        }
        for (int j = 0; j < 3; j++) {
            a[j][j] += 2;
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("ridge.svm"), text).toString());
        Linear settings = RIDGE.withLoss(Loss.named("squared"))
                .withPenalty(Separable.l2(2))
                .withSolver(new Solver.Sdca(1e-14, 5_000));
        Trained trained = job(settings, data, PLAN.withNodes(2, 2)).run();
        double[] expected = solved(a);
        for (int j = 0; j < 3; j++) {
            assertEquals(expected[j], trained.model().weights()[0][j], 1e-6);
        }
        assertEquals(expected[3], trained.model().intercepts()[0], 1e-6);
    }

    /// Gauss and Jordan.
    private static double[] solved(double[][] a) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                double by = i == k ? 0 : a[i][k] / a[k][k];
                for (int j = k; j <= n; j++) {
                    a[i][j] -= by * a[k][j];
                }
            }
        }
        double[] x = new double[n];
        for (int k = 0; k < n; k++) {
            x[k] = a[k][n] / a[k][k];
        }
        return x;
    }

    /// An example of weight 3 counts as three that are alike do.
    @Test
    void weights_and_positives_count_as_often_as_they_say() throws IOException {
        Data clicks = clicks(300, 100);
        Linear settings = RIDGE.withPositiveWeight(2.5);
        double least = optimum(settings, clicks);
        double found = report(settings, clicks, PLAN).get("objective").asDouble();
        assertEquals(least, found, 1e-7 * least);
    }

    @Test
    void the_same_run_again_gives_the_same_bits() throws IOException {
        Data clicks = clicks(300, 100);
        Linear short_ = RIDGE.withSolver(new Solver.Sdca(1e-9, 5));
        Trained one = job(short_, clicks, PLAN.withNodes(3, 2)).run();
        Trained other = job(short_, clicks, PLAN.withNodes(3, 1)).run();
        assertArrayEquals(one.model().weights()[0], other.model().weights()[0]);
        assertEquals(one.model().intercepts()[0], other.model().intercepts()[0]);
    }

    @Test
    void simulated_time_gives_what_threads_give() throws IOException {
        Data clicks = clicks(300, 100);
        double least = optimum(RIDGE, clicks);
        JsonNode report = report(
                RIDGE.withSolver(new Solver.Sdca(1e-6, 1_000)),
                clicks,
                PLAN.withNodes(3, 2).withWhere(Where.Simulated.DEFAULT));
        assertEquals(least, report.get("objective").asDouble(), 1e-6 * least);
    }

    @Test
    void who_starts_at_the_optimum_is_soon_done() throws IOException {
        Data clicks = clicks(600, 200);
        Path model = directory.resolve("model");
        Linear settings = RIDGE.withPenalty(Separable.l1(0.5).withL2(1)).withSolver(new Solver.Sdca(1e-7, 1_000));
        JsonNode first = job(settings, clicks, PLAN)
                .withModel(model, false)
                .run()
                .report()
                .tree();
        JsonNode again = job(settings, clicks, PLAN)
                .withStart(StoredModel.at(model))
                .run()
                .report()
                .tree();
        assertEquals("converged", again.get("stopped").asText());
        long passes = first.get("iterations").asLong();
        assertTrue(again.get("iterations").asLong() < passes / 3, again.get("iterations") + " after " + passes);
        double objective = first.get("objective").asDouble();
        assertEquals(objective, again.get("objective").asDouble(), 1e-6 * objective);
    }

    @Test
    void several_classes_are_learned_one_after_the_other() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(2);
        for (int row = 0; row < 300; row++) {
            int label = random.nextInt(3);
            text.append(String.format("%d %d:1 9:%.3f%n", label, 1 + label, random.nextGaussian()));
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("three.svm"), text).toString());
        double least = optimum(RIDGE, data);
        JsonNode report = report(RIDGE, data, PLAN);
        assertEquals(least, report.get("objective").asDouble(), 1e-7 * least);
        assertEquals(1, report.at("/metrics/accuracy").asDouble());
    }

    @Test
    void what_does_not_suit_it_is_refused() {
        Data data = Data.of("none.svm");
        assertRefused("sigmoid", () -> RIDGE.withLoss(Loss.named("sigmoid")));
        assertRefused("--l2", () -> RIDGE.withPenalty(Separable.l1(1)));
        assertRefused("kkt", () -> job(RIDGE, data, PLAN.withFilters("kkt")));
        assertRefused("fixed", () -> job(RIDGE, data, PLAN.withFilters("keycache,fixed:1")));
        assertRefused("fraction", () -> job(RIDGE, data, PLAN.withConsistency("fraction:0.8")));
        assertRefused("tolerance", () -> new Solver.Sdca(0, 10));
    }
}
