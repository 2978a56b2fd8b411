package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;

/// What filters that lose something do to delayed block proximal gradient: it sends less at first, and ends where it
/// would have ended.
class BlockFiltersTest {

    private static final Linear LASSO = Linear.DEFAULT
            .withThreads(1)
            .withIntercept(false)
            .withPenalty(Separable.l1(1))
            .withSolver(Solver.Blocks.DEFAULT);

    private static final ClusterPlan PLAN = ClusterPlan.DEFAULT
            .withNodes(3, 2)
            .withBatchRows(32)
            .withConsistency("bounded:8")
            .withWhere(Where.Simulated.DEFAULT);

    private static final int ROWS = 300;

    @TempDir
    Path directory;

    private Data clicks;

    @BeforeEach
    void write() throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(100).withSeed(3).write(file, 1, _ -> {});
        clicks = Data.of(file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"push=skip:0.3", "kkt,push=skip:0.3,push=fixed:2", "push=bf16", "kkt,push=fixed:1"})
    void the_optimum_is_the_same_whatever_is_lost_on_the_way(String filters) throws IOException {
        double least = run(LASSO.withSolver(new Solver.Batch(1e-8, 10_000)), null)
                .report()
                .tree()
                .get("objective")
                .asDouble();
        JsonNode report = run(LASSO, PLAN.withFilters(filters)).report().tree();
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
        double gap = TrainingKit.gap(report);
        String lossy = filters.replaceAll(".*push=|:.*", "");
        JsonNode bytes = report.at("/bytes/byFilter/" + lossy);
        assertTrue(bytes.get("after").asLong() < bytes.get("before").asLong(), bytes.toString());
        assertTrue(report.get("objective").asDouble() - least <= gap + 1e-9 * least && gap <= 1e-4 * least, "" + gap);
    }

    /// Weights at rest are in it too: it is kkt that leaves them out before anything is asked.
    @ParameterizedTest
    @CsvSource({"bounded:8, pull=significant:0.01, 0.9", "bsp, 'keycache,kkt,pull=significant:0.01,lz4', 0.8"})
    void small_steps_that_are_left_for_later_are_not_sent_and_change_no_optimum(
            String consistency, String filters, double share) throws IOException {
        double least = run(LASSO.withSolver(new Solver.Batch(1e-8, 10_000)), null)
                .report()
                .tree()
                .get("objective")
                .asDouble();
        JsonNode report = run(LASSO, PLAN.withConsistency(consistency).withFilters(filters))
                .report()
                .tree();
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-4 * least);
        double gap = TrainingKit.gap(report);
        assertTrue(report.get("objective").asDouble() - least <= gap + 1e-9 * least && gap <= 1e-4 * least, "" + gap);
        JsonNode bytes = report.at("/bytes/byFilter/significant");
        assertTrue(bytes.get("after").asLong() < share * bytes.get("before").asLong(), bytes.toString());
    }

    /// All steps are small for a while, then for as long as it would take to give up.
    @Test
    void a_threshold_that_lets_nothing_move_is_given_up() throws IOException {
        JsonNode report = run(LASSO, PLAN.withFilters("kkt,pull=significant:1000"))
                .report()
                .tree();
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(
                report.get("iterations").asLong() > 10, report.get("iterations").toString());
    }

    @Test
    void filters_that_lose_nothing_change_no_bit() throws IOException {
        ClusterPlan plan = PLAN.withConsistency("bsp");
        Linear settings = LASSO.withSolver(Solver.Blocks.DEFAULT.withMaxPasses(30));
        Trained plain = run(settings, plan.withFilters("none"));
        for (String filters :
                new String[] {"push=skip:0", "push=fixed:0", "push=bf16:exact", "pull=significant:0", "lz4"}) {
            Trained filtered = run(settings, plan.withFilters(filters));
            assertArrayEquals(plain.model().ids(), filtered.model().ids(), filters);
            assertArrayEquals(plain.model().weights()[0], filtered.model().weights()[0], filters);
        }
    }

    /// Not convex: where it ends no weight can be improved by itself, though it need not be the least objective.
    @Test
    void the_sigmoid_loss_ends_at_a_stationary_point() throws IOException {
        Linear sigmoid = LASSO.withLoss(Loss.named("sigmoid")).withSolver(Solver.Blocks.DEFAULT.withTolerance(1e-6));
        JsonNode report = run(sigmoid, PLAN.withFilters("kkt,push=skip:0.2,push=fixed:2"))
                .report()
                .tree();
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(
                report.at("/certificate/kktResidual").asDouble() <= 1e-4,
                report.get("certificate").toString());
        assertTrue(
                report.get("objective").asDouble() < 0.45 * ROWS,
                report.get("objective").toString());
    }

    /// Li et al. 2014, Theorem 2, by the weights that are saved: though blocks are as late as they may be, filters lose
    /// something, and the loss need not be convex.
    @ParameterizedTest
    @CsvSource({
        "logistic, bounded:8, 'kkt,push=skip:0.3,push=fixed:2'",
        "logistic, bounded:8, 'kkt,pull=significant:0.01'",
        "sigmoid, bounded:8, 'kkt,push=skip:0.2,push=fixed:2'",
        "sigmoid, bounded:4, 'push=skip:0.5,pull=significant:0.01'"
    })
    void late_blocks_whose_filters_lose_something_end_at_a_stationary_point(
            String loss, String consistency, String filters) throws IOException {
        Where.Simulated far = new Where.Simulated(new Network(50_000_000, 0, 1.25e9, 0, 0), 25, 0, 1);
        Linear settings = LASSO.withLoss(Loss.named(loss))
                .withSolver(Solver.Blocks.DEFAULT.withBlocks(24).withTolerance(1e-6));
        Trained trained = run(
                settings, PLAN.withConsistency(consistency).withFilters(filters).withWhere(far));
        JsonNode report = trained.report().tree();
        assertEquals("converged", report.get("stopped").asText());
        int delay = Integer.parseInt(consistency.substring("bounded:".length()));
        assertEquals(delay, report.at("/staleness/max").asInt(), "delays are shorter than they may be");
        double left = TrainingKit.residual(
                directory.resolve("clicks.svm"), trained, Loss.named(loss), Separable.l1(1), false);
        assertTrue(left <= 1e-4, "a residual of " + left);
        assertTrue(trained.model().nonZero() > 5, trained.model().nonZero() + " weights");
    }

    @Test
    void weights_travel_as_they_are() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> run(LASSO, PLAN.withFilters("fixed:2")));
        assertTrue(refused.getMessage().contains("push=fixed:2"), refused.getMessage());
    }

    private Trained run(Linear settings, ClusterPlan plan) throws IOException {
        LinearTraining training =
                LinearTraining.of(settings, clicks).withCache(new CacheUse.Auto(directory.resolve("cache")));
        return (plan == null ? training : training.withCluster(plan)).run();
    }
}
