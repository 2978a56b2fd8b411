package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.solver.BlockProximal;
import tandem.worker.Local;

/// What is proven of solvers, with delays as long as they may be.
class ConvergenceTest {

    private static final Separable LASSO = Separable.l1(1);

    @TempDir
    Path directory;

    /// How an adversary may have gradients be late, by up to a bound.
    enum Adversary {
        ALWAYS_AS_LATE_AS_MAY_BE,
        /// A worker falls behind clock by clock, then catches up at once.
        SAWTOOTH,
        /// Each of three workers, that have some of the coordinates, has a delay of its own.
        ONE_OF_THREE,
        RANDOM;

        LateProximal.Delay with(int most) {
            Random random = new Random(most);
            return switch (this) {
                case ALWAYS_AS_LATE_AS_MAY_BE -> (_, _) -> most;
                case SAWTOOTH -> (clock, _) -> clock % (most + 1);
                case ONE_OF_THREE -> (_, coordinate) -> coordinate % 3 == 0 ? most : 0;
                case RANDOM -> (_, _) -> random.nextInt(most + 1);
            };
        }
    }

    /// Zhou et al. 2016: with steps below 1/(L + 2sL) the length of the path is finite, and it leads to the
    /// optimum. That workers and servers take these steps is shown by
    /// [ProximalTrainingTest#it_is_proximal_gradient_with_late_gradients].
    @ParameterizedTest
    @EnumSource
    void late_proximal_gradient_has_a_path_of_finite_length_to_the_optimum(Adversary adversary) throws IOException {
        List<double[]> rows = alike();
        LateProximal late = new LateProximal(rows, new Logistic(), LASSO);
        double least = optimum(late);
        for (int most : new int[] {1, 4, 15}) {
            int clocks = 600 * (1 + 2 * most);
            List<double[]> all = late.iterates(adversary.with(most), 1 + 2 * most, clocks);
            double half = length(all.subList(0, clocks / 2));
            double whole = length(all);
            String said = adversary + " by " + most + ": " + half + ", then " + whole;
            assertTrue(whole - half < 0.01 * half, said);
            assertEquals(least, late.objective(all.getLast()), 1e-6 * least, said);
        }
    }

    /// The adversary is one: with steps that take no account of it there is no such end.
    @Test
    void without_regard_to_delays_late_gradients_lead_nowhere() {
        LateProximal late = new LateProximal(alike(), new Logistic(), LASSO);
        List<double[]> all = late.iterates(Adversary.ALWAYS_AS_LATE_AS_MAY_BE.with(15), 1, 2_000);
        double half = length(all.subList(0, 1_000));
        assertTrue(length(all) > 1.9 * half, half + ", then " + length(all));
    }

    private static double length(List<double[]> points) {
        double sum = 0;
        for (int t = 1; t < points.size(); t++) {
            double square = 0;
            for (int j = 0; j < points.get(t).length; j++) {
                double by = points.get(t)[j] - points.get(t - 1)[j];
                square += by * by;
            }
            sum += Math.sqrt(square);
        }
        return sum;
    }

    /// The mean of the first t points is within C/t of the least objective, where C is half the squared distance to
    /// the optimum in the metric of the steps, as without delays.
    @ParameterizedTest
    @EnumSource
    void the_mean_point_of_late_proximal_gradient_comes_nearer_like_one_by_the_clocks(Adversary adversary)
            throws IOException {
        LateProximal late = new LateProximal(alike(), new Logistic(), LASSO);
        double least = optimum(late);
        double[] best = late.iterates((_, _) -> 0, 1, 2_000).getLast();
        for (int most : new int[] {0, 3, 7}) {
            double[] u = late.curvatures(1 + 2 * most);
            double far = 0;
            for (int j = 1; j < u.length; j++) {
                far += 0.5 * u[j] * best[j] * best[j];
            }
            List<double[]> all = late.iterates(adversary.with(most), 1 + 2 * most, 8192);
            double before = Double.POSITIVE_INFINITY;
            for (int t = 32; t <= 8192; t *= 2) {
                double now = above(late, all, t, least);
                String said = adversary + " by " + most + ", at " + t + ": " + now + " after " + before + ", C " + far;
                assertTrue(now <= far / t, said);
                assertTrue(now <= (t > 1024 ? 0.51 : 1) * before, said);
                before = now;
            }
        }
    }

    private static double above(LateProximal late, List<double[]> points, int many, double least) {
        double[] mean = new double[points.getFirst().length];
        for (double[] point : points.subList(1, many + 1)) {
            for (int j = 0; j < mean.length; j++) {
                mean[j] += point[j] / many;
            }
        }
        return late.objective(mean) - least;
    }

    /// The same in a cluster, whose messages travel for so long that nobody knows anything before it must.
    @ParameterizedTest
    @EnumSource
    void with_guaranteed_steps_the_objective_falls_round_by_round_and_the_path_ends(Solver.Proximal.Split split)
            throws IOException {
        Data data = written(alike());
        Where.Simulated far = new Where.Simulated(new Network(50_000_000, 0, 1.25e9, 0, 0), 25, 0, 1);
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(3, 2)
                .withConsistency("ssp:3")
                .withBatchRows(32)
                .withWhere(far);
        double[] paths = new double[2];
        for (int k = 0; k < paths.length; k++) {
            Solver solver = Solver.Proximal.by(split)
                    .withGuaranteedSteps()
                    .withTolerance(1e-12)
                    .withMaxClocks(700 * (k + 1));
            List<Double> objectives = new ArrayList<>();
            JsonNode report = LinearTraining.of(settings("logistic").withSolver(solver), data)
                    .withCache(new CacheUse.Auto(directory.resolve("cache")))
                    .withCluster(plan)
                    .withWatch(new Watch() {
                        @Override
                        public void progress(String stage, double share, long examples, double objective) {
                            if (stage.contains("iteration")) {
                                objectives.add(objective);
                            }
                        }
                    })
                    .run()
                    .report()
                    .tree();
            paths[k] = report.at("/step/path").asDouble();
            assertTrue(
                    report.at("/staleness/max").asLong() >= 3,
                    report.get("staleness").toString());
            for (int round = 1; round < objectives.size(); round++) {
                assertTrue(objectives.get(round) <= objectives.get(round - 1), objectives::toString);
            }
        }
        assertTrue(paths[1] - paths[0] < 0.1 * paths[0], paths[0] + ", then " + paths[1]);
    }

    /// Li et al. 2014, Theorem 2: block after block, of which each is worked on without what came of the τ before
    /// it, ends at a stationary point, whether the loss is convex or not, with the step that [SafeStep] finds.
    @ParameterizedTest
    @CsvSource({"logistic, 0", "logistic, 8", "sigmoid, 4", "sigmoid, 8"})
    void late_blocks_end_at_a_stationary_point(String loss, int late) throws IOException {
        int blocks = 12;
        List<double[]> rows = alike();
        double step;
        try (var batches = written(rows).known().cache(directory.resolve("cache"), _ -> {}, 1)) {
            step = SafeStep.of(batches, blocks, false).under("bounded:" + late, 1);
        }
        // The step is for keys that are cut at random, some of which are in one block; here each has its own.
        double residual = residual(rows, Loss.named(loss), late, step, 3_000);
        assertTrue(residual < 1e-4, "the largest residual is " + residual);
    }

    /// The largest residual after so many rounds over one feature after the other, scaled by that of zero weights.
    private static double residual(List<double[]> rows, Loss loss, int late, double step, int rounds) {
        int n = rows.getFirst().length;
        BlockProximal rule = new BlockProximal(LASSO);
        double[][] entries = new double[n][2 * rule.columns()];
        List<double[]> points = new ArrayList<>();
        double scale = 0;
        double residual = 0;
        for (int t = 0; t < rounds * (n - 1); t++) {
            points.add(Arrays.stream(entries).mapToDouble(e -> e[0]).toArray());
            double[] known = points.get(Math.max(0, t - late)).clone();
            int j = 1 + t % (n - 1);
            known[j] = entries[j][0];
            double g = 0;
            double u = 0;
            for (double[] row : rows) {
                double score = 0;
                for (int k = 1; k < n; k++) {
                    score += row[k] * known[k];
                }
                g += loss.derivative(score, row[0]) * row[j];
                u += loss.maxCurvature() * row[j] * row[j];
            }
            residual = t % (n - 1) == 0 ? 0 : residual;
            residual = Math.max(residual, LASSO.residual(known[j], g));
            scale = t < n - 1 ? Math.max(scale, Math.abs(g)) : scale;
            rule.update(entries[j], 0, g);
            rule.update(entries[j], rule.columns(), u / step);
            rule.settle(entries[j], 0, 2);
        }
        return residual / scale;
    }

    /// Li et al. 2014: after a pass over N examples, EMSO is within O(1/√N) of the optimum whatever the size b of
    /// its batches, and minibatch SGD within O(1/√N + b/N), though it has the best of several learning rates for
    /// each size.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void larger_batches_cost_minibatch_sgd_much_of_what_a_pass_learns_and_emso_little(long seed) throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(8_000).withFeatures(1_000).withSeed(seed);
        Data train = written(clicks, "train.svm");
        Data held = written(clicks.next(2_000), "held.svm");
        int[] sizes = {100, 400, 2_000};
        double[] emso = new double[sizes.length];
        double[] sgd = new double[sizes.length];
        for (int k = 0; k < sizes.length; k++) {
            emso[k] = loss(Solver.Online.emso(Local.Emso.By.COORDINATE), sizes[k], train, held);
            sgd[k] = Double.POSITIVE_INFINITY;
            for (double rate : new double[] {10, 3, 1}) {
                Solver.Online by = Solver.Online.of(Solver.Rule.SGD).withAlpha(rate / sizes[k]);
                sgd[k] = Math.min(sgd[k], loss(by, sizes[k], train, held));
            }
        }
        String all = "emso " + Arrays.toString(emso) + ", sgd " + Arrays.toString(sgd);
        assertTrue(Math.max(emso[1], emso[2]) < 1.03 * emso[0], all);
        assertTrue(sgd[1] > 1.03 * sgd[0] && sgd[2] > 1.03 * sgd[1] && sgd[2] > 1.08 * sgd[0], all);
    }

    /// Held-out loss after one pass by one worker, in simulated time.
    private double loss(Solver.Online solver, int batchRows, Data train, Data held) throws IOException {
        return LinearTraining.of(Linear.DEFAULT.withThreads(1).withSolver(solver.withPasses(1)), train)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withValidation(held)
                .withMeasured(false)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(1, 1)
                        .withConsistency("bsp")
                        .withBatchRows(batchRows)
                        .withWhere(Where.Simulated.DEFAULT))
                .run()
                .report()
                .tree()
                .at("/metrics/logloss")
                .asDouble();
    }

    private static Linear settings(String loss) {
        return Linear.DEFAULT
                .withThreads(1)
                .withIntercept(false)
                .withLoss(Loss.named(loss))
                .withPenalty(LASSO);
    }

    private double optimum(LateProximal late) throws IOException {
        return LinearTraining.of(settings("logistic").withSolver(new Solver.Batch(1e-10, 10_000)), written(late.rows()))
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .run()
                .report()
                .tree()
                .get("objective")
                .asDouble();
    }

    /// Twelve features that are much the same: each would make most of the move that the others make.
    private static List<double[]> alike() {
        List<double[]> rows = new ArrayList<>();
        Random random = new Random(4);
        for (int row = 0; row < 100; row++) {
            double common = random.nextGaussian();
            double[] x = new double[13];
            for (int id = 1; id < x.length; id++) {
                x[id] = Math.round(100 * (common + random.nextGaussian())) / 128.0; // as text and as a float the same
            }
            x[0] = common + random.nextGaussian() > 0 ? 1 : -1;
            rows.add(x);
        }
        return rows;
    }

    private Data written(List<double[]> rows) throws IOException {
        StringBuilder text = new StringBuilder();
        for (double[] row : rows) {
            text.append((int) row[0]);
            for (int id = 1; id < row.length; id++) {
                text.append(String.format(Locale.ROOT, " %d:%.7f", id, row[id]));
            }
            text.append('\n');
        }
        return Data.of(Files.writeString(directory.resolve("alike.svm"), text).toString());
    }

    private Data written(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }
}
