package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Batches;
import tandem.data.ColumnLoader;
import tandem.data.Columns;
import tandem.data.Data;
import tandem.math.Hash;
import tandem.math.Mix;
import tandem.model.StoredModel;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.solver.BlockProximal;
import tandem.wire.Address;
import tandem.worker.BlockTask;

/// Delayed block proximal gradient against the batch solver, which is checked against others, and against plain
/// coordinate descent.
class BlockTrainingTest extends TrainingKit {

    private static final Linear LASSO = Linear.DEFAULT
            .withThreads(1)
            .withIntercept(false)
            .withPenalty(Separable.l1(1))
            .withSolver(Solver.Blocks.DEFAULT);

    private static final ClusterPlan PLAN = ClusterPlan.DEFAULT
            .withConsistency("bounded:8")
            .withFilters("keycache,kkt,lz4")
            .withBatchRows(64);

    @ParameterizedTest
    @CsvSource({
        "1, 1, bsp, none",
        "1, 2, bounded:8, keycache",
        "3, 1, ssp:2, kkt",
        "4, 2, bounded:8, 'keycache,kkt,lz4'",
        "2, 3, bounded:8..0, 'keycache,kkt,delta'"
    })
    void it_ends_at_the_optimum(int workers, int servers, String consistency, String filters) throws IOException {
        Data clicks = clicks(800, 300);
        double least = optimum(LASSO, clicks);
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(workers, servers)
                .withBatchRows(64)
                .withConsistency(consistency)
                .withFilters(filters);
        JsonNode report = report(LASSO, clicks, plan);
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
        double gap = gap(report);
        assertTrue(
                gap >= report.get("objective").asDouble() - least - 1e-6 * least && gap <= 1e-4 * least, "gap " + gap);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared-hinge", "sigmoid"})
    void it_takes_smooth_losses_with_an_intercept_and_the_elastic_net(String loss) throws IOException {
        Data clicks = clicks(800, 200);
        Linear settings = LASSO.withLoss(Loss.named(loss))
                .withIntercept(true)
                .withPenalty(Separable.l1(0.5).withL2(0.5))
                .withSolver(Solver.Blocks.DEFAULT.withTolerance(5e-3));
        Trained trained = job(settings, clicks, PLAN.withNodes(2, 2)).run();
        JsonNode report = trained.report().tree();
        assertEquals("converged", report.get("stopped").asText());
        Separable penalty = Separable.l1(0.5).withL2(0.5);
        double left = residual(directory.resolve("clicks.svm"), trained, Loss.named(loss), penalty, true);
        assertTrue(left <= 5e-3 * (1 + 1e-6), "a residual of " + left);
        if (Loss.named(loss).convex()) {
            double least = optimum(settings, clicks);
            double above = report.get("objective").asDouble() - least;
            double gap = gap(report);
            assertTrue(above < 0.01 * least && above <= gap + 1e-6 * least, above + " above " + least + ", gap " + gap);
        }
    }

    /// A gap lags far behind the objective: it is as large as the largest gradient that is too large, and the objective
    /// falls with the square of that.
    @Test
    void it_may_end_once_rounds_win_little_long_before_the_gap_is_proven() throws IOException {
        Data clicks = clicks(3000, 3000);
        Linear settings = LASSO.withIntercept(true).withPenalty(Separable.l1(0.3));
        Solver.Blocks solver = Solver.Blocks.DEFAULT.withTolerance(1e-2);
        double least = optimum(settings, clicks);
        JsonNode proven = report(settings.withSolver(solver), clicks, PLAN.withConsistency("bsp"));
        JsonNode soon = report(settings.withSolver(solver.withProgress(5e-3)), clicks, PLAN.withConsistency("bsp"));
        int rounds = soon.get("iterations").asInt();
        assertEquals("converged", soon.get("stopped").asText());
        assertEquals(0, rounds % Solver.Blocks.SOME);
        assertTrue(proven.get("iterations").asInt() >= 3 * rounds, proven.get("iterations") + " and " + rounds);
        assertTrue(soon.get("objective").asDouble() <= least * (1 + 1e-2), soon.get("objective") + ", least " + least);
        assertTrue(gap(soon) > 1e-2 * least, "the gap is shown as it is");
    }

    @Test
    void it_predicts_numbers() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int row = 0; row < 500; row++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            text.append(String.format("%.6f 1:%.6f 7:%.6f 9:%.6f%n", 3 * x - 2 * y + 5, x, y, random.nextGaussian()));
        }
        Path file = directory.resolve("numbers.svm");
        Files.writeString(file, text);
        Linear settings = LASSO.withLoss(Loss.named("squared"))
                .withIntercept(true)
                .withPenalty(Separable.l2(0.1))
                .withSolver(Solver.Blocks.DEFAULT.withTolerance(1e-8));
        Trained trained = job(settings, Data.of(file.toString()), PLAN).run();
        assertEquals(5, trained.model().intercepts()[0], 1e-3);
        assertEquals(3, trained.model().weights()[0][0], 1e-3);
        assertEquals(-2, trained.model().weights()[0][1], 1e-3);
    }

    /// The loss of counts, without what does not depend on weights, is below 0 where they are large.
    @Test
    void it_ends_where_the_objective_is_below_0() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int row = 0; row < 500; row++) {
            double x = random.nextGaussian();
            long count = Math.round(30 * Math.exp(0.3 * x) + random.nextDouble());
            text.append(String.format("%d 1:1 2:%.6f 3:%.6f%n", count, x, random.nextGaussian()));
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("counts.svm"), text).toString());
        Linear settings = LASSO.withLoss(Loss.named("poisson"));
        double least = optimum(settings, data);
        assertTrue(least < -1_000, "the least is " + least);
        JsonNode report = report(settings, data, PLAN);
        assertEquals("converged", report.get("stopped").asText(), report::toString);
        assertEquals(least, report.get("objective").asDouble(), -1e-4 * least);
    }

    /// All but one stream are without examples: nothing keeps them from going on, however many blocks there are.
    @Test
    void who_has_nothing_to_do_waits_until_there_is_room_for_what_it_says() throws IOException {
        Data data = few(new ArrayList<>());
        Linear settings = LASSO.withSolver(Solver.Blocks.DEFAULT.withBlocks(2_000));
        double least = optimum(LASSO, data);
        JsonNode report = report(settings, data, PLAN.withNodes(4, 2).withBatchRows(300));
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
    }

    @Test
    void without_delay_any_number_of_workers_moves_the_same_way() throws IOException {
        Data clicks = clicks(800, 300);
        Linear settings = LASSO.withSolver(Solver.Blocks.DEFAULT.withMaxPasses(25));
        ClusterPlan plan = PLAN.withConsistency("bsp");
        Trained one = job(settings, clicks, plan.withNodes(1, 1)).run();
        Trained four = job(settings, clicks, plan.withNodes(4, 3)).run();
        assertArrayEquals(one.model().ids(), four.model().ids());
        assertArrayEquals(one.model().weights()[0], four.model().weights()[0], 1e-9);
    }

    @Test
    void simulated_time_gives_what_threads_give() throws IOException {
        Data clicks = clicks(500, 200);
        double least = optimum(LASSO, clicks);
        JsonNode report = report(LASSO, clicks, PLAN.withNodes(4, 2).withWhere(Where.Simulated.DEFAULT));
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
        assertTrue(
                report.at("/staleness/max").asLong() <= 8,
                report.get("staleness").toString());
    }

    /// Round by round, not only in the end: who takes over in the middle of a round knows how far ahead it began.
    @ParameterizedTest
    @ValueSource(strings = {"keycache,kkt,lz4", "keycache,kkt,pull=significant:0.2,lz4"})
    void who_is_killed_changes_no_step(String filters) throws IOException {
        Data clicks = clicks(500, 200);
        Linear settings = LASSO.withSolver(
                Solver.Blocks.DEFAULT.withBlocks(8).withTolerance(1e-9).withMaxPasses(8));
        ClusterPlan plan =
                PLAN.withConsistency("bsp").withFilters(filters).withNodes(3, 3).withReplicas(1);
        Where.Simulated calm = Where.Simulated.DEFAULT;
        JsonNode whole = report(settings, clicks, plan.withWhere(calm));
        double seconds = whole.at("/simulated/seconds").asDouble();
        Where.Simulated killing = calm.withKills(
                new Where.Simulated.Kill(Address.worker(1), Duration.ofNanos((long) (0.45e9 * seconds))),
                new Where.Simulated.Kill(Address.server(0), Duration.ofNanos((long) (0.8e9 * seconds))));
        JsonNode killed = report(settings, clicks, plan.withWhere(killing));
        assertTrue(killed.at("/simulated/seconds").asDouble() > seconds + 1, "nobody was missed");
        double objective = whole.get("objective").asDouble();
        assertEquals(objective, killed.get("objective").asDouble(), 1e-9 * objective);
    }

    /// The filter must not change where it ends: before that, all weights are looked at again.
    @Test
    void leaving_weights_out_sends_less_and_ends_at_the_same_optimum() throws IOException {
        Data clicks = clicks(1_000, 2_000);
        double least = optimum(LASSO, clicks);
        JsonNode all = report(LASSO, clicks, PLAN.withFilters("keycache"));
        JsonNode some = report(LASSO, clicks, PLAN);
        assertEquals(least, all.get("objective").asDouble(), 1e-4 * least);
        assertEquals(least, some.get("objective").asDouble(), 1e-4 * least);
        JsonNode kkt = some.at("/bytes/byFilter/kkt");
        assertTrue(kkt.get("after").asLong() < 0.5 * kkt.get("before").asLong(), kkt.toString());
    }

    /// y = B − A where A is always 1 and B is 0 or 2, so that A has nothing to do with y until B has moved. Rows that
    /// nothing moves make scores look as if they had hardly moved then, and A is left out although it is half of
    /// the
    /// answer.
    @ParameterizedTest
    @CsvSource({"bsp, 0", "bounded:8, 0", "bsp, 5e-3"})
    void a_weight_that_was_left_out_wrongly_has_a_second_chance(String consistency, double progress)
            throws IOException {
        String rows = "-1 1:1\n1 1:1 2:2\n".repeat(10) + "0 3:1\n".repeat(2_000);
        Data data =
                Data.of(Files.writeString(directory.resolve("second.svm"), rows).toString());
        Linear settings = LASSO.withLoss(Loss.named("squared"))
                .withSolver(
                        Solver.Blocks.DEFAULT.withBlocks(1).withTolerance(1e-6).withProgress(progress));
        double least = optimum(settings, data);
        Trained trained = job(
                        settings,
                        data,
                        PLAN.withNodes(2, 1).withConsistency(consistency).withFilters("kkt"))
                .run();
        assertEquals(least, trained.report().tree().get("objective").asDouble(), Math.max(1e-4, progress) * least);
        assertEquals(2, trained.model().nonZero());
    }

    /// Steps that are too small for the round are left for later, as plain coordinate descent would leave them.
    @ParameterizedTest
    @CsvSource({"none, 0", "'keycache,pull=significant:0.2', 0.2", "pull=significant:1.5, 1.5"})
    void features_by_themselves_take_the_steps_of_coordinate_descent(String filters, double hold) throws IOException {
        Data data = few(new ArrayList<>());
        int ranges = 2048;
        Solver.Blocks solver = Solver.Blocks.DEFAULT.withBlocks(ranges).withMaxPasses(7);
        ClusterPlan plan =
                ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp").withFilters(filters);
        Trained trained = job(LASSO.withSolver(solver), data, plan).run();
        double[] expected = coordinateDescent(data, plan, ranges, 7, hold);
        double[] found = new double[expected.length];
        for (int k = 0; k < trained.model().ids().length; k++) {
            found[(int) trained.model().ids()[k]] = trained.model().weights()[0][k];
        }
        assertArrayEquals(expected, found);
        assertTrue(trained.model().nonZero() > 3);
    }

    /// Each weight in turn to the least of a bound of the objective around it, in the order of the blocks, from ahead
    /// of where the round before left it. Not if that is a step of at most `hold` over the number of the round that
    /// does not end at 0; then the reach stays too, unless it would be less than half or more than twice as long.
    private double[] coordinateDescent(Data data, ClusterPlan plan, int ranges, int passes, double hold)
            throws IOException {
        Columns columns;
        try (Batches batches =
                data.withBatchRows(plan.batchRows()).known().cache(directory.resolve("cache"), _ -> {}, 1)) {
            columns = ColumnLoader.load(batches, 0, 1);
        }
        Logistic loss = new Logistic();
        int rows = columns.rows();
        double[] scores = new double[rows];
        double[] scoresBefore = new double[rows];
        double[] weights = new double[columns.count()];
        double[] weightsBefore = new double[columns.count()];
        double[] outlooks = new double[columns.count()];
        for (int j = 0; j < columns.count(); j++) { // the gradient of all was looked at once
            double g = 0;
            double u = 1e-10;
            for (int e = columns.starts()[j]; e < columns.starts()[j + 1]; e++) {
                g += columns.value(j, e) * (columns.labels()[columns.row(e)] > 0 ? -0.5 : 0.5);
                u += 0.25 * columns.value(j, e) * columns.value(j, e);
            }
            outlooks[j] = Math.abs(g) < 1 ? atRest(g, u) : BlockProximal.LEAST;
        }
        for (int pass = 1; pass <= passes; pass++) {
            double momentum = Math.max(0, pass - 2) / (pass + 1.0);
            double[] ahead = new double[weights.length];
            for (int j = 0; j < weights.length; j++) {
                ahead[j] = momentum * (weights[j] - weightsBefore[j]);
                weightsBefore[j] = weights[j];
            }
            for (int i = 0; i < rows; i++) {
                double score = scores[i];
                scores[i] += momentum * (score - scoresBefore[i]);
                scoresBefore[i] = score;
            }
            for (int block : BlockTask.order(ranges, Hash.number(LASSO.seed(), pass))) {
                for (int j = 0; j < columns.count(); j++) {
                    if (BlockTask.block(columns.keys()[j], ranges) != block) {
                        continue;
                    }
                    double reach = outlooks[j] < 0 ? BlockProximal.LEAST : outlooks[j];
                    double g = 0;
                    double u = 0;
                    double[] slope = new double[1];
                    double[] bend = new double[1];
                    for (int e = columns.starts()[j]; e < columns.starts()[j + 1]; e++) {
                        int i = columns.row(e);
                        double x = columns.value(j, e);
                        double[] label = {columns.labels()[i] > 0 ? 1 : -1};
                        loss.derivatives(new double[] {scores[i]}, label, 1, slope, bend);
                        g += x * slope[0];
                        u += x * x * Math.min(loss.growth(Math.abs(x) * reach) * bend[0], loss.maxCurvature());
                    }
                    u += 1e-10;
                    g -= u * ahead[j];
                    double to = Separable.l1(1).prox(weights[j] - g / u, 1 / u);
                    double step = Math.clamp(to - weights[j], -reach, reach);
                    boolean small = Math.abs(step) <= hold / pass && (weights[j] + step != 0 || weights[j] == 0);
                    double before = weights[j];
                    double moved = hold > 0 && small ? before : before + step;
                    columns.add(j, moved - weights[j] - ahead[j], scores);
                    weights[j] = moved;
                    double outlook = moved == 0 && step == 0 && Math.abs(g) < 1
                            ? atRest(g, u)
                            : Math.min(BlockProximal.MOST, 2 * Math.abs(step) + BlockProximal.LEAST);
                    double ratio = outlook / outlooks[j];
                    if (hold == 0 || moved != before || ratio < 0.5 || ratio > 2) {
                        outlooks[j] = outlook;
                    }
                }
            }
        }
        double[] byId = new double[64];
        for (int j = 0; j < weights.length; j++) {
            byId[(int) Mix.unmix(columns.keys()[j])] = weights[j];
        }
        return byId;
    }

    /// To three binary digits, towards 0.
    private static double atRest(double g, double u) {
        double exact = (Math.abs(g) - 1) / u;
        double digit = Math.scalb(0.25, Math.getExponent(exact));
        return digit * (int) (exact / digit);
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
        assertTrue(
                again.get("iterations").asLong() < 0.2 * first.get("iterations").asLong(), again.toString());
        double objective = first.get("objective").asDouble();
        assertEquals(objective, again.get("objective").asDouble(), 1e-5 * objective);
    }

    /// Answers take longer than eight blocks, so every block is worked on without what came of the eight before it, and
    /// all features are nearly the same, so that each of these would have made most of the same move.
    @Test
    void with_guaranteed_steps_delays_as_long_as_they_may_be_do_no_harm() throws IOException {
        Data alike = alike();
        Network slow = new Network(50_000_000, 0, 1.25e9, 0, 0);
        ClusterPlan plan = PLAN.withNodes(2, 1).withFilters("none").withWhere(new Where.Simulated(slow, 25, 0, 1));
        Solver.Blocks solver =
                Solver.Blocks.DEFAULT.withBlocks(12).withTolerance(1e-3).withMaxPasses(400);
        JsonNode safe = report(LASSO.withSolver(solver.withGuaranteedSteps()), alike, plan);
        double least = optimum(LASSO, alike);
        assertEquals(least, safe.get("objective").asDouble(), 5e-3 * least);
        assertEquals(safe.at("/step/guaranteed"), safe.at("/step/used"), "the objective rose");
        assertEquals(8, safe.at("/staleness/max").asDouble(), "delays are shorter than they may be");
        assertTrue(safe.at("/step/used").asDouble() < 0.2, safe.get("step").toString());
        JsonNode full = report(LASSO.withSolver(solver.withStep(1)), alike, plan);
        assertTrue(full.at("/step/used").asDouble() < 1, "steps are as long as if nothing were late");
    }

    /// Every block is worked on without what came of the eight before it, so that three features of a row move as if
    /// they were in one block. With steps as long as without delay it
    /// was 2.2e-3 above the least objective after as many.
    @Test
    void blocks_that_are_always_late_take_shorter_steps_and_few_rounds_more() throws IOException {
        Data clicks = clicks(2000, 4000);
        Network slow = new Network(50_000_000, 0, 1.25e9, 0, 0);
        Where.Simulated far = new Where.Simulated(slow, 25, 0, 1);
        Linear settings = LASSO.withSolver(
                Solver.Blocks.DEFAULT.withBlocks(160).withTolerance(1e-9).withMaxPasses(12));
        JsonNode late = report(settings, clicks, PLAN.withNodes(2, 1).withWhere(far));
        JsonNode known = report(
                settings, clicks, PLAN.withNodes(2, 1).withConsistency("bsp").withWhere(far));
        double least = optimum(settings, clicks);
        assertEquals(8, late.at("/staleness/max").asDouble(), "delays are shorter than they may be");
        assertEquals(1, known.at("/step/used").asDouble(), "steps are shorter although nothing is late");
        assertEquals(least, late.get("objective").asDouble(), 1e-3 * least);
    }

    /// Twelve features that are all nearly the same.
    private Data alike() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(4);
        for (int row = 0; row < 200; row++) {
            double common = random.nextGaussian();
            StringBuilder line = new StringBuilder();
            for (int id = 1; id <= 12; id++) {
                line.append(String.format(" %d:%.4f", id, common + 0.3 * random.nextGaussian()));
            }
            text.append(common + random.nextGaussian() > 0 ? 1 : -1)
                    .append(line)
                    .append('\n');
        }
        Path file = directory.resolve("alike.svm");
        Files.writeString(file, text);
        return Data.of(file.toString());
    }

    @Test
    void steps_that_are_too_long_do_not_go_on_for_ever() throws IOException {
        Linear settings = LASSO.withSolver(
                Solver.Blocks.DEFAULT.withBlocks(1).withStep(1e4).withMaxPasses(3));
        JsonNode report = report(settings, clicks(300, 100), PLAN.withConsistency("bsp"));
        assertEquals("limit", report.get("stopped").asText());
        assertEquals(3, report.get("iterations").asLong());
    }

    @Test
    void what_does_not_suit_it_is_refused() {
        Data data = Data.of("none.svm");
        assertRefused("kkt", () -> job(LASSO.withSolver(Solver.Online.of(Solver.Rule.FTRL)), data, PLAN));
        assertRefused("async", () -> job(LASSO, data, PLAN.withConsistency("async")));
        assertRefused("pull=significant", () -> job(LASSO, data, PLAN.withFilters("significant:0.1")));
        assertRefused(
                "leave out pull=",
                () -> job(
                        LASSO.withSolver(Solver.Online.of(Solver.Rule.FTRL)),
                        data,
                        PLAN.withConsistency("ssp:2").withFilters("pull=significant:0.1")));
        assertRefused(
                "no step is proven",
                () -> report(
                        LASSO.withLoss(Loss.named("poisson")).withSolver(Solver.Blocks.DEFAULT.withGuaranteedSteps()),
                        few(new ArrayList<>()),
                        PLAN));
        assertRefused("hinge", () -> LASSO.withLoss(Loss.named("hinge")));
    }
}
