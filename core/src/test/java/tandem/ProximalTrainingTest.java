package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tandem.data.Data;
import tandem.model.StoredModel;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.wire.Address;

/// Proximal gradient under staleness, by examples and by features, against the batch solver, and against a plain
/// proximal gradient with the same delays.
class ProximalTrainingTest extends TrainingKit {

    private static final Linear LASSO = Linear.DEFAULT
            .withThreads(1)
            .withIntercept(false)
            .withPenalty(Separable.l1(1))
            .withSolver(Solver.Proximal.by(Solver.Proximal.Split.EXAMPLES));

    private static final ClusterPlan PLAN = ClusterPlan.DEFAULT.withConsistency("ssp:2");

    /// Messages travel much longer than anybody computes, so that what a worker knows is always as old as it may
    /// be.
    private static final Where.Simulated FAR = new Where.Simulated(new Network(50_000_000, 0, 1.25e9, 0, 0), 25, 0, 1);

    @ParameterizedTest
    @CsvSource({
        "EXAMPLES, 1, 1, bsp, none",
        "EXAMPLES, 3, 1, ssp:2, keycache",
        "EXAMPLES, 2, 3, bounded:4..0, 'keycache,lz4'",
        "EXAMPLES, 4, 2, async, 'keycache,delta'",
        "FEATURES, 1, 2, bsp, none",
        "FEATURES, 3, 1, ssp:2, keycache",
        "FEATURES, 2, 3, bounded:4..0, 'keycache,lz4'",
        "FEATURES, 4, 2, async, 'keycache'"
    })
    void it_ends_at_the_optimum(
            Solver.Proximal.Split split, int workers, int servers, String consistency, String filters)
            throws IOException {
        Data clicks = clicks(500, 100);
        double least = optimum(LASSO, clicks);
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(workers, servers)
                .withConsistency(consistency)
                .withFilters(filters);
        JsonNode report = report(LASSO.withSolver(Solver.Proximal.by(split)), clicks, plan);
        assertEquals("converged", report.get("stopped").asText());
        double above = report.get("objective").asDouble() - least;
        double gap = gap(report);
        assertTrue(above < 1e-5 * least && above <= gap + 1e-8 * least && gap < 0.05 * least, above + ", gap " + gap);
    }

    @ParameterizedTest
    @CsvSource({
        "EXAMPLES, logistic",
        "EXAMPLES, sigmoid",
        "EXAMPLES, squared",
        "FEATURES, squared-hinge",
        "FEATURES, sigmoid",
        "FEATURES, huber"
    })
    void it_takes_losses_of_bounded_curvature_with_an_intercept_and_the_elastic_net(
            Solver.Proximal.Split split, String loss) throws IOException {
        Data data = Loss.named(loss).binary() ? clicks(500, 100) : numbers();
        Linear settings = LASSO.withLoss(Loss.named(loss))
                .withIntercept(true)
                .withPenalty(Separable.l1(0.5).withL2(0.5))
                .withSolver(Solver.Proximal.by(split).withTolerance(1e-3));
        Trained trained = job(settings, data, PLAN.withNodes(2, 2)).run();
        JsonNode report = trained.report().tree();
        assertEquals("converged", report.get("stopped").asText());
        Path rows = directory.resolve(Loss.named(loss).binary() ? "clicks.svm" : "numbers.svm");
        Separable penalty = Separable.l1(0.5).withL2(0.5);
        double left = residual(rows, trained, Loss.named(loss), penalty, true);
        assertTrue(left <= 1e-3 * (1 + 1e-6), "a residual of " + left);
        if (Loss.named(loss).convex()) {
            double least = optimum(settings, data);
            double above = report.get("objective").asDouble() - least;
            double gap = gap(report);
            assertTrue(above < 2e-3 * least && above <= gap + 1e-6 * least, above + " above " + least + ", gap " + gap);
        }
    }

    @ParameterizedTest
    @EnumSource
    void it_keeps_weights_within_a_box(Solver.Proximal.Split split) throws IOException {
        Linear settings =
                LASSO.withPenalty(Separable.l1(0.1).between(-0.2, 0.3)).withSolver(Solver.Proximal.by(split));
        Data clicks = clicks(400, 100);
        double least = optimum(settings, clicks);
        JsonNode report = report(settings, clicks, PLAN);
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-5 * least);
    }

    /// Clock by clock, with everybody's weights as they were as many clocks ago as they may be.
    @ParameterizedTest
    @CsvSource({
        "EXAMPLES, 0, 30, 1",
        "EXAMPLES, 3, 30, 7",
        "FEATURES, 0, 30, 1",
        "FEATURES, 3, 30, 7",
        "EXAMPLES, 5, 7, 11",
        "FEATURES, 5, 7, 11"
    })
    void it_is_proximal_gradient_with_late_gradients(
            Solver.Proximal.Split split, int staleness, int clocks, double caution) throws IOException {
        List<double[]> rows = new ArrayList<>();
        Data data = few(rows);
        Linear settings = LASSO.withSolver(Solver.Proximal.by(split)
                .withGuaranteedSteps()
                .withTolerance(1e-12)
                .withMaxClocks(clocks));
        ClusterPlan plan =
                ClusterPlan.DEFAULT.withConsistency("ssp:" + staleness).withBatchRows(64);
        Trained trained =
                job(settings, data, plan.withNodes(3, 2).withWhere(FAR)).run();
        // What all make of a round is known before the next.
        int round = ProximalCourse.length(staleness);
        List<double[]> plain = new LateProximal(rows, new Logistic(), Separable.l1(1))
                .iterates((clock, _) -> Math.min(staleness, clock % round), caution, clocks);
        assertArrayEquals(plain.getLast(), weights(trained, 21), 1e-11, "after " + clocks);
        assertTrue(trained.model().nonZero() > 3);
    }

    /// Nobody knows yet how late things will be.
    @ParameterizedTest
    @EnumSource
    void the_first_steps_are_as_short_as_if_all_came_as_late_as_it_may(Solver.Proximal.Split split) throws IOException {
        List<double[]> rows = new ArrayList<>();
        Data data = few(rows);
        int round = ProximalCourse.length(3);
        Linear settings = LASSO.withSolver(Solver.Proximal.by(split).withMaxClocks(round));
        ClusterPlan plan = PLAN.withConsistency("ssp:3").withBatchRows(64);
        Trained trained =
                job(settings, data, plan.withNodes(3, 2).withWhere(FAR)).run();
        List<double[]> plain = new LateProximal(rows, new Logistic(), Separable.l1(1))
                .iterates((clock, _) -> Math.min(3, clock), 3.5, round);
        assertArrayEquals(plain.getLast(), weights(trained, 21), 1e-11);
    }

    private static double[] weights(Trained trained, int n) {
        double[] found = new double[n];
        for (int k = 0; k < trained.model().ids().length; k++) {
            found[(int) trained.model().ids()[k]] = trained.model().weights()[0][k];
        }
        return found;
    }

    @Test
    void by_examples_and_by_features_it_takes_the_same_steps() throws IOException {
        Data clicks = clicks(800, 300);
        ClusterPlan plan = PLAN.withConsistency("bsp");
        List<Trained> all = new ArrayList<>();
        for (Solver.Proximal.Split split : Solver.Proximal.Split.values()) {
            Linear settings = LASSO.withIntercept(true)
                    .withSolver(Solver.Proximal.by(split).withMaxClocks(50));
            all.add(job(settings, clicks, plan.withNodes(1, 1)).run());
            all.add(job(settings, clicks, plan.withNodes(4, 3)).run());
        }
        for (Trained other : all) {
            assertArrayEquals(all.getFirst().model().ids(), other.model().ids());
            assertArrayEquals(all.getFirst().model().weights()[0], other.model().weights()[0], 1e-9);
            assertEquals(all.getFirst().model().intercepts()[0], other.model().intercepts()[0], 1e-9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_starts_at_the_optimum_is_done(Solver.Proximal.Split split) throws IOException {
        Data clicks = clicks(400, 100);
        Linear settings = LASSO.withIntercept(true).withSolver(Solver.Proximal.by(split));
        Path model = directory.resolve("model");
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
        assertTrue(again.get("iterations").asLong() <= 8, again.toString());
        double objective = first.get("objective").asDouble();
        assertEquals(objective, again.get("objective").asDouble(), 1e-8 * objective);
    }

    @ParameterizedTest
    @EnumSource
    void several_classes_are_learned_one_after_the_other(Solver.Proximal.Split split) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(2);
        for (int row = 0; row < 300; row++) {
            int label = random.nextInt(3);
            text.append(String.format("%d %d:1 9:%.3f%n", label, 1 + label, random.nextGaussian()));
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("three.svm"), text).toString());
        Linear settings = LASSO.withPenalty(Separable.l2(1)).withSolver(Solver.Proximal.by(split));
        double least = optimum(settings, data);
        JsonNode report = report(settings, data, PLAN);
        assertEquals(least, report.get("objective").asDouble(), 1e-6 * least);
        assertEquals(1, report.at("/metrics/accuracy").asDouble());
    }

    @ParameterizedTest
    @EnumSource
    void steps_that_are_too_long_are_shortened(Solver.Proximal.Split split) throws IOException {
        Linear settings =
                LASSO.withSolver(Solver.Proximal.by(split).withStep(40).withTolerance(1e-3));
        Data clicks = clicks(300, 100);
        JsonNode report = report(settings, clicks, PLAN);
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(report.at("/step/used").asDouble() < 40, report.get("step").toString());
    }

    @ParameterizedTest
    @CsvSource({"EXAMPLES, bsp, 1", "EXAMPLES, ssp:3, 7", "FEATURES, ssp:3, 7", "EXAMPLES, bounded:4..0, 1"})
    void the_report_has_the_step_that_is_proven_for_the_delays_there_may_be(
            Solver.Proximal.Split split, String consistency, double caution) throws IOException {
        Solver.Proximal solver = Solver.Proximal.by(split).withMaxClocks(10);
        Data clicks = clicks(200, 100);
        ClusterPlan plan = PLAN.withConsistency(consistency);
        JsonNode free = report(LASSO.withSolver(solver), clicks, plan);
        assertEquals(1, free.at("/step/used").asDouble());
        assertEquals(1 / caution, free.at("/step/guaranteed").asDouble(), 1e-12);
        JsonNode safe = report(LASSO.withSolver(solver.withGuaranteedSteps()), clicks, plan);
        assertEquals(1 / caution, safe.at("/step/used").asDouble(), 1e-12);
        assertEquals(1 / caution, safe.at("/step/guaranteed").asDouble(), 1e-12);
    }

    /// Where features have different units, a small gradient says little.
    @ParameterizedTest
    @EnumSource
    void it_has_not_converged_while_the_duality_gap_is_wide(Solver.Proximal.Split split) throws IOException {
        Solver.Proximal solver = Solver.Proximal.by(split);
        StringBuilder text = new StringBuilder();
        Random random = new Random(3);
        for (int row = 0; row < 200; row++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            text.append(String.format(
                    "%.6f 1:%.6f 2:%.6f 3:%.6f%n",
                    a + b + 0.1 * random.nextGaussian(), 1000 + 100 * a, 30 + a + b, 0.01 * b));
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("scales.svm"), text).toString());
        Linear settings = LASSO.withLoss(Loss.named("squared"))
                .withIntercept(true)
                .withPenalty(Separable.l2(1))
                .withSolver(solver);
        double least = optimum(settings, data);
        JsonNode report = report(settings, data, PLAN.withConsistency("bsp"));
        assertEquals("converged", report.get("stopped").asText());
        double objective = report.get("objective").asDouble();
        assertTrue(gap(report) <= 1e-4 * objective, "gap " + gap(report) + " of " + objective);
        assertTrue(objective <= (1 + 1e-4) * least, objective + ", least " + least);
        JsonNode early = report(settings.withSolver(solver.withMaxClocks(800)), data, PLAN.withConsistency("bsp"));
        assertEquals("limit", early.get("stopped").asText());
    }

    /// Nothing bounds the objective then, so there is no gap that could close.
    @ParameterizedTest
    @CsvSource({"EXAMPLES, logistic, true", "EXAMPLES, squared, false", "FEATURES, logistic, false"})
    void without_a_penalty_a_small_gradient_has_to_do(Solver.Proximal.Split split, String loss, boolean intercept)
            throws IOException {
        Linear settings = LASSO.withLoss(Loss.named(loss))
                .withIntercept(intercept)
                .withPenalty(Separable.NONE)
                .withSolver(Solver.Proximal.by(split));
        Data data = overlapping();
        JsonNode report = report(settings, data, PLAN);
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(report.at("/certificate/dualityGap").isNull(), report.toString());
        double least = optimum(settings, data);
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
    }

    /// Rows whose classes cannot be told apart.
    private Data overlapping() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int row = 0; row < 300; row++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            text.append(a + random.nextGaussian() > 0 ? "1" : "-1").append(String.format(" 1:%.6f 2:%.6f 3:1%n", a, b));
        }
        return Data.of(
                Files.writeString(directory.resolve("overlapping.svm"), text).toString());
    }

    /// While workers are apart, so that whoever takes over cannot do again what was done.
    @ParameterizedTest
    @EnumSource
    void it_ends_at_the_same_optimum_though_a_worker_and_a_server_are_killed(Solver.Proximal.Split split)
            throws IOException {
        Data clicks = clicks(500, 100);
        double least = optimum(LASSO, clicks);
        Linear settings = LASSO.withSolver(Solver.Proximal.by(split));
        ClusterPlan plan = PLAN.withNodes(3, 3).withReplicas(1).withBatchRows(32);
        double seconds = report(settings, clicks, plan.withWhere(Where.Simulated.DEFAULT))
                .at("/simulated/seconds")
                .asDouble();
        Where.Simulated killing = Where.Simulated.DEFAULT.withKills(
                new Where.Simulated.Kill(Address.worker(1), Duration.ofNanos((long) (0.2e9 * seconds))),
                new Where.Simulated.Kill(Address.server(0), Duration.ofNanos((long) (0.4e9 * seconds))));
        JsonNode killed = report(settings, clicks, plan.withWhere(killing));
        assertTrue(killed.at("/simulated/seconds").asDouble() > seconds + 1, "nobody was missed");
        assertEquals("converged", killed.get("stopped").asText());
        assertEquals(least, killed.get("objective").asDouble(), 1e-5 * least);
    }

    @ParameterizedTest
    @EnumSource
    void a_run_that_was_stopped_goes_on_to_the_same_bits_with_other_numbers_of_nodes(Solver.Proximal.Split split)
            throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 500);
        Linear settings = LASSO.withIntercept(true)
                .withSolver(Solver.Proximal.by(split).withTolerance(1e-9).withMaxClocks(60));
        ClusterPlan plan = ClusterBits.PLAN.withNodes(2, 2);
        String first = ClusterBits.bits(cluster.job(plan, settings));
        Path kept = directory.resolve("kept");
        boolean[] stopping = {false};
        Trained stopped = cluster.job(plan, settings)
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), false))
                .withWatch(new Watch() {
                    @Override
                    public void progress(String stage, double done, long examples, double loss) {
                        stopping[0] |= stage.contains("iteration") && examples >= 500 * 20;
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
    void what_does_not_suit_it_is_refused() {
        Data data = Data.of("none.svm");
        assertRefused("kkt", () -> job(LASSO, data, PLAN.withFilters("kkt")));
        assertRefused("fixed", () -> job(LASSO, data, PLAN.withFilters("keycache,fixed:1")));
        assertRefused("essp:2", () -> job(LASSO, data, PLAN.withConsistency("essp:2")));
        assertRefused("fraction", () -> job(LASSO, data, PLAN.withConsistency("fraction:0.5")));
        assertRefused("poisson", () -> LASSO.withLoss(Loss.named("poisson")));
        assertRefused("hinge", () -> LASSO.withLoss(Loss.named("hinge")));
    }

    /// All but one stream are without examples: nothing but the delay keeps them from going on.
    @Test
    void a_delay_may_be_longer_than_there_is_room_for_updates() throws IOException {
        Data data = few(new ArrayList<>());
        double least = optimum(LASSO, data);
        ClusterPlan plan = PLAN.withNodes(4, 2).withConsistency("ssp:600").withWhere(FAR);
        JsonNode report = report(LASSO, data, plan.withBatchRows(300));
        assertEquals(least, report.get("objective").asDouble(), 5e-2 * least); // such a delay makes small steps
    }

    private Data numbers() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int row = 0; row < 500; row++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            text.append(String.format("%.6f 1:%.6f 7:%.6f 9:%.6f%n", 3 * x - 2 * y + 5, x, y, random.nextGaussian()));
        }
        return Data.of(Files.writeString(directory.resolve("numbers.svm"), text).toString());
    }
}
