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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Data;
import tandem.model.StoredModel;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.wire.Address;

/// L-BFGS and OWL-QN on servers and workers against a plain one, and against the batch solver.
class LbfgsTrainingTest extends TrainingKit {

    private static final Linear RIDGE = Linear.DEFAULT
            .withThreads(1)
            .withPenalty(Separable.l2(1))
            .withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-6));

    private static final Linear LASSO =
            RIDGE.withPenalty(Separable.l1(1)).withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-4));

    private static final ClusterPlan PLAN =
            ClusterPlan.DEFAULT.withConsistency("bsp").withBatchRows(64);

    @ParameterizedTest
    @CsvSource({"1, 1, none", "2, 1, keycache", "1, 2, keycache", "3, 3, 'keycache,lz4'"})
    void it_ends_at_the_optimum(int workers, int servers, String filters) throws IOException {
        Data clicks = clicks(800, 300);
        double least = optimum(RIDGE, clicks);
        JsonNode report = report(RIDGE, clicks, PLAN.withNodes(workers, servers).withFilters(filters));
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-8 * least);
        double gap = gap(report);
        assertTrue(gap >= 0 && gap < 1e-4 * least, "gap " + gap);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, true", "3, 2, false"})
    void with_l1_it_ends_at_the_optimum_too(int workers, int servers, boolean intercept) throws IOException {
        Data clicks = clicks(500, 100);
        Linear settings = LASSO.withIntercept(intercept);
        double least = optimum(settings, clicks);
        JsonNode report = report(settings, clicks, PLAN.withNodes(workers, servers));
        assertEquals("converged", report.get("stopped").asText());
        double above = report.get("objective").asDouble() - least;
        double gap = gap(report);
        assertTrue(above < 1e-6 * least && above <= gap + 1e-8 * least && gap < 0.05 * least, above + ", gap " + gap);
    }

    /// Each row has one value of each field, so the features of a field add up to those of another.
    @Test
    void with_l1_features_that_add_up_to_each_other_do_not_hold_it_up() throws IOException {
        Random random = new Random(3);
        double[] truth = random.doubles(12 * 8, -2, 2).toArray();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            double score = -1;
            StringBuilder row = new StringBuilder();
            for (int field = 0; field < 12; field++) {
                double chance = random.nextDouble();
                int id = 8 * field + (int) (8 * chance * chance);
                score += truth[id];
                row.append(' ').append(id + 1).append(":1");
            }
            text.append(random.nextDouble() < 1 / (1 + Math.exp(-score)) ? "1" : "-1")
                    .append(row)
                    .append('\n');
        }
        Data fields =
                Data.of(Files.writeString(directory.resolve("fields.svm"), text).toString());
        Linear settings = LASSO.withIntercept(false)
                .withPenalty(Separable.l1(0.5))
                .withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-5));
        JsonNode report = report(settings, fields, PLAN.withNodes(1, 1));
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(report.get("iterations").asInt() < 220, () -> "iterations " + report.get("iterations"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared-hinge", "huber", "sigmoid", "squared", "poisson"})
    void it_takes_all_smooth_losses_with_the_elastic_net(String loss) throws IOException {
        Data data = Loss.named(loss).binary() ? clicks(500, 100) : numbers(500);
        Linear settings = LASSO.withLoss(Loss.named(loss))
                .withPenalty(Separable.l1(0.5).withL2(0.5))
                .withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-5));
        Trained trained = job(settings, data, PLAN.withNodes(2, 2)).run();
        JsonNode report = trained.report().tree();
        assertEquals("converged", report.get("stopped").asText());
        Path rows = directory.resolve(Loss.named(loss).binary() ? "clicks.svm" : "numbers.svm");
        Separable penalty = Separable.l1(0.5).withL2(0.5);
        double left = residual(rows, trained, Loss.named(loss), penalty, true);
        assertTrue(left <= 1e-5 * (1 + 1e-6), "a residual of " + left);
        if (Loss.named(loss).convex()) {
            double least = optimum(settings, data);
            assertEquals(least, report.get("objective").asDouble(), 1e-6 * least);
        }
    }

    /// With the classic two loops over whole vectors, by one thread, for weights that are each measured by the root of
    /// what its curvature can be. The intercept is one more, without a penalty.
    @ParameterizedTest
    @CsvSource({
        "1, 0, false",
        "2, 0, false",
        "8, 0, false",
        "1, 0.7, false",
        "2, 0.7, false",
        "8, 0.7, false",
        "2, 0, true",
        "2, 0.7, true"
    })
    void iterates_are_those_of_a_plain_one(int servers, double l1, boolean intercept) throws IOException {
        List<double[]> rows = new ArrayList<>();
        Data data = few(rows);
        for (int iterations : new int[] {1, 2, 5, 12}) {
            Linear settings = RIDGE.withIntercept(intercept)
                    .withPenalty(Separable.l1(l1).withL2(0.1))
                    .withSolver(new Solver.Lbfgs(1e-12, iterations, 3));
            Trained trained = job(settings, data, PLAN.withNodes(2, servers)).run();
            double[] expected = plain(rows, intercept, l1, 0.1, iterations, 3);
            double[] found = new double[expected.length];
            found[0] = trained.model().intercepts()[0];
            for (int k = 0; k < trained.model().ids().length; k++) {
                found[(int) trained.model().ids()[k]] = trained.model().weights()[0][k];
            }
            assertArrayEquals(expected, found, 1e-10, "after " + iterations);
        }
    }

    private static double[] plain(
            List<double[]> rows, boolean intercept, double l1, double l2, int iterations, int memory) {
        int n = rows.getFirst().length;
        double[] w = new double[n];
        double[] g = gradient(rows, w, intercept, l2);
        double[] unit = new double[n];
        double[] inverse = new double[n];
        for (int j = 0; j < n; j++) {
            int at = j;
            double squares = rows.stream().mapToDouble(row -> row[at] * row[at]).sum();
            unit[j] = j == 0 ? Math.sqrt(0.25 * rows.size()) : Math.sqrt(0.25 * squares + l2);
            inverse[j] = 1 / unit[j];
        }
        List<double[]> steps = new ArrayList<>();
        List<double[]> changes = new ArrayList<>();
        boolean whole = false;
        for (int k = 0; k < iterations; k++) {
            double[] v = new double[n];
            for (int j = 0; j < n; j++) {
                double by = j == 0 ? 0 : l1;
                v[j] = w[j] != 0 ? g[j] + by * Math.signum(w[j]) : Math.signum(g[j]) * Math.max(0, Math.abs(g[j]) - by);
            }
            double[] d = times(twoLoops(steps, changes, times(v, inverse)), inverse);
            for (int j = 1; j < n; j++) {
                d[j] = l1 > 0 && (w[j] == 0 || !whole) && d[j] * v[j] >= 0 ? 0 : d[j];
            }
            double before = objective(rows, w, l1, l2);
            whole = false;
            double low = 0;
            double high = Double.POSITIVE_INFINITY;
            double step = steps.isEmpty() ? 1 / Math.sqrt(dot(times(v, inverse), times(v, inverse))) : 1;
            while (true) {
                double[] z = moved(w, d, step, l1);
                double[] s = minus(z, w);
                double[] there = gradient(rows, z, intercept, l2);
                if (objective(rows, z, l1, l2) > before + 1e-4 * dot(v, s)) {
                    high = step;
                } else if (l1 == 0 && dot(there, d) < 0.9 * dot(v, d)) {
                    low = step;
                } else {
                    steps.add(times(s, unit));
                    changes.add(times(minus(there, g), inverse));
                    w = z;
                    g = there;
                    break;
                }
                whole = true;
                step = high < Double.POSITIVE_INFINITY ? (low + high) / 2 : 2 * step;
            }
            if (steps.size() > memory) {
                steps.removeFirst();
                changes.removeFirst();
            }
        }
        return w;
    }

    private static double[] twoLoops(List<double[]> steps, List<double[]> changes, double[] v) {
        double[] q = v.clone();
        double[] alpha = new double[steps.size()];
        for (int i = steps.size() - 1; i >= 0; i--) {
            alpha[i] = dot(steps.get(i), q) / dot(steps.get(i), changes.get(i));
            add(q, -alpha[i], changes.get(i));
        }
        if (!steps.isEmpty()) {
            double scale = dot(steps.getLast(), changes.getLast()) / dot(changes.getLast(), changes.getLast());
            add(q, scale - 1, q.clone());
        }
        for (int i = 0; i < steps.size(); i++) {
            add(q, alpha[i] - dot(changes.get(i), q) / dot(steps.get(i), changes.get(i)), steps.get(i));
        }
        add(q, -2, q.clone());
        return q;
    }

    private static double[] moved(double[] w, double[] d, double step, double l1) {
        double[] z = w.clone();
        add(z, step, d);
        for (int j = 1; j < z.length; j++) {
            z[j] = l1 > 0 && z[j] * w[j] < 0 ? 0 : z[j];
        }
        return z;
    }

    /// The first number of a row is its label, and that of the weights the intercept.
    private static double score(double[] row, double[] w) {
        return dot(row, w) + (1 - row[0]) * w[0];
    }

    private static double objective(List<double[]> rows, double[] w, double l1, double l2) {
        double sum = 0;
        for (int j = 1; j < w.length; j++) {
            sum += l1 * Math.abs(w[j]) + 0.5 * l2 * w[j] * w[j];
        }
        for (double[] row : rows) {
            sum += new Logistic().value(score(row, w), row[0]);
        }
        return sum;
    }

    private static double[] gradient(List<double[]> rows, double[] w, boolean intercept, double l2) {
        double[] g = new double[w.length];
        add(g, l2, w);
        double slopes = 0;
        for (double[] row : rows) {
            double slope = new Logistic().derivative(score(row, w), row[0]);
            add(g, slope, row);
            slopes += slope;
        }
        g[0] = intercept ? slopes : 0;
        return g;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    private static double[] times(double[] a, double[] b) {
        double[] c = a.clone();
        Arrays.setAll(c, j -> a[j] * b[j]);
        return c;
    }

    private static double[] minus(double[] a, double[] b) {
        double[] c = a.clone();
        add(c, -1, b);
        return c;
    }

    private static void add(double[] to, double by, double[] what) {
        for (int j = 0; j < to.length; j++) {
            to[j] += by * what[j];
        }
    }

    /// Values of the smallest feature are a ten-millionth of those of the largest.
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void features_of_any_scale_are_learned_alike(double l1) throws IOException {
        Random random = new Random(4);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 300; row++) {
            double score = 0;
            StringBuilder features = new StringBuilder();
            for (int id = 1; id <= 8; id++) {
                double value = random.nextGaussian();
                score += (id % 3 - 1) * value;
                features.append(' ').append(id).append(':').append((float) (value * Math.pow(10, id - 4)));
            }
            text.append(random.nextDouble() < 1 / (1 + Math.exp(-score)) ? "1" : "-1");
            text.append(features).append('\n');
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("scales.svm"), text).toString());
        Linear settings =
                RIDGE.withPenalty(Separable.l1(l1).withL2(1e-3)).withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-4));
        double least = optimum(settings, data);
        JsonNode report = report(settings, data, PLAN.withNodes(2, 2));
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
        assertTrue(
                report.get("iterations").asInt() < 60, report.get("iterations").asText());
    }

    /// Besides the looks for units, the start and the bound, which come before and after.
    @Test
    void the_curve_counts_every_look_at_the_data() throws IOException {
        Data clicks = clicks(500, 100);
        JsonNode report = report(LASSO, clicks, PLAN.withNodes(2, 1));
        long last = report.get("curve")
                .get(report.get("curve").size() - 1)
                .get("examples")
                .asLong();
        assertEquals(report.get("examples").asLong() - 3 * 500, last);
        assertTrue(last > 500L * report.get("iterations").asLong(), "no iteration took a second look");
    }

    @Test
    void any_number_of_workers_takes_the_same_steps() throws IOException {
        Data clicks = clicks(800, 300);
        for (Linear settings : List.of(RIDGE, LASSO)) {
            Linear short_ = settings.withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(15));
            Trained one = job(short_, clicks, PLAN.withNodes(1, 1)).run();
            Trained four = job(short_, clicks, PLAN.withNodes(4, 3)).run();
            assertArrayEquals(one.model().ids(), four.model().ids());
            assertArrayEquals(one.model().weights()[0], four.model().weights()[0], 1e-9);
            assertEquals(one.model().intercepts()[0], four.model().intercepts()[0], 1e-9);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5})
    void a_deterministic_run_has_the_same_bits_with_any_number_of_nodes(double l1) throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 800);
        Linear settings =
                RIDGE.withPenalty(Separable.l1(l1).withL2(0.2)).withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(15));
        String first = ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(1, 1), settings));
        for (int workers = 1; workers <= 3; workers++) {
            for (int servers = 1; servers <= 2; servers++) {
                ClusterPlan plan = ClusterBits.PLAN.withNodes(workers, servers).withReplicas(servers - 1);
                assertEquals(first, ClusterBits.bits(cluster.job(plan, settings)), workers + ", " + servers);
            }
        }
        Where unreliable = new Where.Simulated(Network.DEFAULT.withFaults(0.02, 0.02, 300_000), 25, 0.5, 3);
        ClusterPlan simulated = ClusterBits.PLAN.withNodes(3, 2).withWhere(unreliable);
        assertEquals(first, ClusterBits.bits(cluster.job(simulated, settings)));
    }

    @Test
    void a_deterministic_run_has_the_same_bits_though_nodes_are_killed() throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 4_000);
        Linear settings = RIDGE.withSolver(new Solver.Lbfgs(1e-12, 30, 10));
        String first = ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(1, 1), settings));
        ClusterBits.Killer worker = new ClusterBits.Killer("WORKER", 1, 5);
        ClusterBits.Killer server = new ClusterBits.Killer("SERVER", 0, 12);
        ClusterPlan processes =
                ClusterBits.PLAN.withNodes(2, 3).withReplicas(1).withWhere(new Where.Processes(Where.Transport.UNIX));
        Watch watch = new Watch() {
            @Override
            public void progress(String stage, double share, long examples, double loss) {
                if (stage.startsWith("lbfgs")) {
                    worker.andThen(server).accept(examples / 4_000.0);
                }
            }
        };
        assertEquals(first, ClusterBits.bits(cluster.job(processes, settings).withWatch(watch)));
        assertTrue(worker.killed && server.killed, "the run was over before both were killed");
    }

    @Test
    void simulated_time_gives_what_threads_give() throws IOException {
        Data clicks = clicks(500, 200);
        double least = optimum(RIDGE, clicks);
        JsonNode report = report(RIDGE, clicks, PLAN.withNodes(4, 2).withWhere(Where.Simulated.DEFAULT));
        assertEquals(least, report.get("objective").asDouble(), 1e-8 * least);
    }

    /// Streams that come to another worker between a look and the push of what was seen: it looks at their portions
    /// itself. Times are so many that some fall there, with more streams than workers and as many.
    @ParameterizedTest
    @ValueSource(ints = {3, 7})
    void a_worker_may_be_killed_at_any_time(int streams) throws IOException {
        Data clicks = clicks(600, 200);
        Linear settings = RIDGE.withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(6));
        ClusterPlan plan = PLAN.withNodes(3, 2).withStreams(streams).withBatchRows(16);
        Where.Simulated where = new Where.Simulated(Network.DEFAULT, 2_000, 0, 1);
        Trained whole = job(settings, clicks, plan.withWhere(where)).run();
        double seconds = whole.report().tree().at("/simulated/seconds").asDouble();
        for (int k = 1; k < 40; k++) {
            Duration when = Duration.ofNanos((long) (seconds * 1e9 * k / 40));
            Where killing = where.withKills(new Where.Simulated.Kill(Address.worker(k % 3), when));
            Trained killed = job(settings, clicks, plan.withWhere(killing)).run();
            assertArrayEquals(
                    whole.model().weights()[0], killed.model().weights()[0], 1e-9, "killed " + k + " fortieths in");
        }
    }

    /// It had been told that all batches count for somebody, and was killed before it said that it is done: who comes
    /// in its place knows nothing of that, and would ask for batches for ever.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void who_begins_anew_is_told_again_that_a_round_is_over() throws IOException {
        Data clicks = clicks(150, 100);
        Linear settings = RIDGE.withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(2));
        ClusterPlan plan = PLAN.withNodes(3, 2).withStreams(3).withBatchRows(16);
        Where.Simulated where = new Where.Simulated(Network.DEFAULT.withFaults(0.1, 0, 0), 2_000, 0, 1);
        Trained whole = job(settings, clicks, plan.withWhere(where)).run();
        double seconds = whole.report().tree().at("/simulated/seconds").asDouble();
        Duration when = Duration.ofNanos((long) (seconds * 1e9 * 31 / 60));
        Where killing = where.withKills(new Where.Simulated.Kill(Address.worker(1), when));
        Trained killed = job(settings, clicks, plan.withWhere(killing)).run();
        assertArrayEquals(whole.model().weights()[0], killed.model().weights()[0], 1e-9);
    }

    /// Nobody else is there to do what it had in hand, and it asks for batches from the first on.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void the_only_worker_may_be_killed_at_any_time() throws IOException {
        Data clicks = clicks(300, 100);
        Linear settings = RIDGE.withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(3));
        ClusterPlan plan = PLAN.withNodes(1, 2).withStreams(2).withBatchRows(16);
        Where.Simulated where = new Where.Simulated(Network.DEFAULT, 2_000, 0, 1);
        Trained whole = job(settings, clicks, plan.withWhere(where)).run();
        double seconds = whole.report().tree().at("/simulated/seconds").asDouble();
        for (int k = 1; k < 30; k++) {
            Duration when = Duration.ofNanos((long) (seconds * 1e9 * k / 30));
            Where killing = where.withKills(new Where.Simulated.Kill(Address.worker(0), when));
            Trained killed = job(settings, clicks, plan.withWhere(killing)).run();
            assertArrayEquals(
                    whole.model().weights()[0], killed.model().weights()[0], 1e-9, "killed " + k + " thirtieths in");
        }
    }

    /// One of eight workers takes a thousand times as long: others do its work, and what it has in hand.
    @Test
    void a_round_does_not_wait_for_a_worker_that_is_slow() throws IOException {
        Data clicks = clicks(4_000, 300);
        Linear settings = RIDGE.withSolver(Solver.Lbfgs.DEFAULT.withMaxIterations(10));
        // Slow enough that computing is what takes the time; which worker is slow follows from the seed.
        Where.Simulated even = new Where.Simulated(Network.DEFAULT, 20_000, 0, 1);
        Where.Simulated uneven = new Where.Simulated(Network.DEFAULT, 20_000, 0.1, 1_000);
        ClusterPlan plan = PLAN.withNodes(8, 2).withBatchRows(16);
        Trained alike = job(settings, clicks, plan.withWhere(even)).run();
        Trained unlike = job(settings, clicks, plan.withWhere(uneven)).run();
        double fast = alike.report().tree().at("/simulated/seconds").asDouble();
        double slow = unlike.report().tree().at("/simulated/seconds").asDouble();
        assertTrue(slow < 1.5 * fast && slow > 1.05 * fast, slow + " s, without one that is slow " + fast);
        assertArrayEquals(alike.model().weights()[0], unlike.model().weights()[0], 1e-9);
        Where.Simulated tenTimes = new Where.Simulated(Network.DEFAULT, 20_000, 0.1, 10);
        double ten = job(settings, clicks, plan.withWhere(tenTimes))
                .run()
                .report()
                .tree()
                .at("/simulated/seconds")
                .asDouble();
        assertTrue(ten < 1.3 * fast, ten + " s with one that is ten times slower, else " + fast);
    }

    /// LIBLINEAR minimises its penalty plus C times the loss, without an intercept; C is 1.
    @ParameterizedTest
    @CsvSource({"L2R_LR, 0, 1", "L1R_LR, 1, 0"})
    void the_optimum_is_that_of_liblinear(SolverType type, double l1, double l2) throws IOException {
        List<double[]> rows = new ArrayList<>();
        Data data = few(rows);
        Linear settings = RIDGE.withIntercept(false)
                .withPenalty(Separable.l1(l1).withL2(l2))
                .withSolver(Solver.Lbfgs.DEFAULT.withTolerance(1e-8));
        double ours =
                report(settings, data, PLAN.withNodes(2, 2)).get("objective").asDouble();
        Problem problem = new Problem();
        problem.l = rows.size();
        problem.n = rows.getFirst().length - 1;
        problem.bias = -1;
        problem.y = rows.stream().mapToDouble(row -> row[0]).toArray();
        problem.x = rows.stream()
                .map(row -> IntStream.rangeClosed(1, problem.n)
                        .filter(id -> row[id] != 0)
                        .mapToObj(id -> (Feature) new FeatureNode(id, row[id]))
                        .toArray(Feature[]::new))
                .toArray(Feature[][]::new);
        de.bwaldvogel.liblinear.Linear.disableDebugOutput();
        Model model = de.bwaldvogel.liblinear.Linear.train(problem, new Parameter(type, 1, 1e-9));
        double[] weights = new double[problem.n + 1];
        for (int id = 1; id <= problem.n; id++) {
            weights[id] = model.getFeatureWeights()[id - 1] * model.getLabels()[0];
        }
        double theirs = objective(rows, weights, l1, l2);
        assertEquals(theirs, ours, 1e-5 * theirs);
        assertTrue(ours <= theirs * (1 + 1e-8), ours + ", LIBLINEAR " + theirs);
    }

    @Test
    void who_starts_at_the_optimum_is_soon_done() throws IOException {
        Data clicks = clicks(800, 300);
        Path model = directory.resolve("model");
        JsonNode first =
                job(LASSO, clicks, PLAN).withModel(model, false).run().report().tree();
        JsonNode again = job(LASSO, clicks, PLAN)
                .withStart(StoredModel.at(model))
                .run()
                .report()
                .tree();
        assertEquals("converged", again.get("stopped").asText());
        assertTrue(again.get("iterations").asLong() <= 1, again.toString());
        double objective = first.get("objective").asDouble();
        assertEquals(objective, again.get("objective").asDouble(), 1e-8 * objective);
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
        assertEquals(least, report.get("objective").asDouble(), 1e-8 * least);
        assertEquals(1, report.at("/metrics/accuracy").asDouble());
    }

    @Test
    void what_does_not_suit_it_is_refused() {
        Data data = Data.of("none.svm");
        assertRefused("hinge", () -> RIDGE.withLoss(Loss.named("hinge")));
        assertRefused("weights ≥ 0", () -> RIDGE.withPenalty(Separable.NONE.between(0, Double.POSITIVE_INFINITY)));
        assertRefused("kkt", () -> job(RIDGE, data, PLAN.withFilters("kkt")));
        assertRefused("fixed", () -> job(RIDGE, data, PLAN.withFilters("keycache,fixed:1")));
        assertRefused("fraction", () -> job(RIDGE, data, PLAN.withConsistency("fraction:0.8")));
        assertRefused("memory", () -> new Solver.Lbfgs(1e-4, 10, 0));
    }
}
