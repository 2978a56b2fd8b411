package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Ball;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// Which solver `auto` takes.
class ChoiceTest {

    private static final long HEAP = 1_000_000_000;

    /// Takes 23 MB of that.
    private static final Choice.Shape SMALL = new Choice.Shape(100_000, 1_000_000, HEAP);

    /// Takes 23 GB, of which rows without their features are 7.2.
    private static final Choice.Shape LARGE = new Choice.Shape(100_000_000, 1_000_000_000, HEAP);

    /// Takes 16 GB, of which rows are 7 MB.
    private static final Choice.Shape WIDE = new Choice.Shape(100_000, 1_000_000_000, HEAP);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "logistic, 0, 1, small, batch",
        "logistic, 1, 0, small, batch",
        "sigmoid, 0, 1, small, batch",
        "hinge, 0, 1, small, sdca",
        "hinge, 1, 0, small, ftrl",
        "quantile, 1, 1, small, sdca",
        "logistic, 0, 1, wide, lbfgs",
        "logistic, 1, 0, wide, lbfgs",
        "hinge, 0, 1, wide, ftrl",
        "logistic, 0, 1, large, ftrl",
        "logistic, 0, 1, unknown, ftrl"
    })
    void in_one_process_it_follows_from_loss_penalty_and_size(
            String loss, double l1, double l2, String size, String expected) {
        assertEquals(expected, chosen(settings(loss, l1, l2), shape(size), null));
    }

    @ParameterizedTest
    @CsvSource({
        "logistic, 0, 1, small, lbfgs",
        "logistic, 1, 0, small, dbpg",
        "hinge, 0, 1, small, sdca",
        "hinge, 0, 0, small, ftrl",
        "logistic, 1, 0, wide, lbfgs",
        "logistic, 1, 0, large, ftrl"
    })
    void with_workers_it_is_a_solver_for_servers(String loss, double l1, double l2, String size, String expected) {
        assertEquals(expected, chosen(settings(loss, l1, l2), shape(size), ClusterPlan.DEFAULT));
    }

    @Test
    void bounds_and_ties_have_solvers_of_their_own() {
        Linear bounded = settings("logistic", 0, 1).withPenalty(Separable.NONE.between(0, 1));
        assertEquals("batch", chosen(bounded, SMALL, null));
        assertEquals("ftrl", chosen(bounded, WIDE, null));
        assertEquals("dbpg", chosen(bounded, SMALL, ClusterPlan.DEFAULT));
        assertEquals("batch", chosen(settings("logistic", 0, 1).withPenalty(new Ball(3)), WIDE, null));
    }

    @Test
    void with_workers_groups_are_for_servers_and_what_nobody_takes_is_refused_in_a_line() throws IOException {
        Path groups = Files.writeString(directory.resolve("groups.txt"), "a: 1-5\n");
        Linear grouped = settings("logistic", 0, 0).withPenalty(new Penalty.Grouped(10, Groups.read(groups)));
        assertEquals("batch", chosen(grouped, SMALL, null));
        assertEquals("dbpg", chosen(grouped, SMALL, ClusterPlan.DEFAULT));
        assertRefused("kink", settings("hinge", 0, 0).withPenalty(grouped.penalty()), ClusterPlan.DEFAULT);
        assertRefused("fraction", grouped, ClusterPlan.DEFAULT.withConsistency("fraction:0.5"));
        assertRefused(
                "leave out --runtime, --workers",
                settings("logistic", 0, 1).withPenalty(new Ball(3)),
                ClusterPlan.DEFAULT);
    }

    private static void assertRefused(String why, Linear settings, ClusterPlan cluster) {
        String message = assertThrows(IllegalArgumentException.class, () -> Choice.of(settings, SMALL, cluster))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    /// A solver to the optimum would refuse these, and FTRL does not.
    @Test
    void options_of_servers_that_need_an_online_solver_get_one() {
        assertEquals("ftrl", chosen(settings("logistic", 0, 1), SMALL, ClusterPlan.DEFAULT.withFilters("fixed:2")));
        assertEquals("ftrl", chosen(settings("logistic", 1, 0), SMALL, ClusterPlan.DEFAULT.withConsistency("async")));
    }

    private static String chosen(Linear settings, Choice.Shape shape, ClusterPlan cluster) {
        Choice choice = Choice.of(settings, shape, cluster);
        settings.withSolver(choice.solver()); // refuses what does not fit
        assertTrue(choice.reason().length() > 10, choice.reason());
        return choice.solver().label();
    }

    private static Choice.Shape shape(String size) {
        return switch (size) {
            case "small" -> SMALL;
            case "large" -> LARGE;
            case "wide" -> WIDE;
            default -> null;
        };
    }

    private static Linear settings(String loss, double l1, double l2) {
        return Linear.DEFAULT
                .withThreads(1)
                .withLoss(Loss.named(loss))
                .withPenalty(Separable.l1(l1).withL2(l2))
                .withSolver(new Solver.Auto());
    }

    /// Each with a certificate, or passes, and a reason.
    @ParameterizedTest
    @CsvSource({"logistic, 0, batch", "hinge, 0, sdca", "logistic, 2, lbfgs"})
    void a_run_says_what_it_took_and_why(String loss, int workers, String expected) throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(300).withFeatures(100).withSeed(3).write(file, 1, _ -> {});
        List<String> notes = new ArrayList<>();
        JsonNode report = LinearTraining.of(settings(loss, 0, 1), Data.of(file.toString()))
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withCluster(workers == 0 ? null : ClusterPlan.DEFAULT.withNodes(workers, 1))
                .withWatch(new Watch() {
                    @Override
                    public void note(String line) {
                        notes.add(line);
                    }
                })
                .run()
                .report()
                .tree();
        assertEquals(expected, report.at("/settings/solver").asText());
        assertEquals("converged", report.get("stopped").asText());
        assertTrue(report.at("/certificate/dualityGap").isNumber());
        String reason = report.get("reason").asText();
        assertTrue(notes.contains("solver " + expected + ": " + reason), notes.toString());
    }

    @Test
    void what_no_solver_takes_is_refused_in_words() {
        Linear tied = settings("hinge", 0, 1).withPenalty(new Ball(3));
        Choice choice = Choice.of(tied, SMALL, null);
        String message = assertThrows(IllegalArgumentException.class, () -> tied.withSolver(choice.solver()))
                .getMessage();
        assertTrue(message.toLowerCase(Locale.ROOT).contains("smooth loss"), message);
    }
}
