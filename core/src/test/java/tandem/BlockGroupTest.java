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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.ColumnUse;
import tandem.data.Data;
import tandem.model.LinearModel;
import tandem.problem.Loss;
import tandem.wire.Address;

/// Group lasso on servers and workers, against the batch solver, which finds its own way to the same optimum.
class BlockGroupTest extends TrainingKit {

    private static final int FIELDS = 12;
    private static final int VALUES = 60;
    private static final double STRENGTH = 15;

    @ParameterizedTest
    @CsvSource({
        "1, 1, bsp, none, false",
        "3, 1, bounded:8, keycache, false",
        "1, 3, bsp, 'keycache,lz4', true",
        "3, 3, bounded:8, 'keycache,kkt,lz4', true",
        "3, 3, bsp, kkt, false"
    })
    void it_ends_at_the_optimum(int workers, int servers, String consistency, String filters, boolean intercept)
            throws IOException {
        Data data = data();
        Linear settings = settings().withIntercept(intercept);
        Trained exact = exact(settings, data);
        double least = exact.report().tree().get("objective").asDouble();
        Trained trained = job(
                        settings.withSolver(Solver.Blocks.DEFAULT.withTolerance(1e-6)),
                        data,
                        plan(workers, servers).withConsistency(consistency).withFilters(filters))
                .run();
        JsonNode report = trained.report().tree();
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-6 * least);
        double gap = gap(report);
        assertTrue(gap >= 0 && gap <= 1e-6 * least, "gap " + gap);
        assertArrayEquals(byId(exact.model()), byId(trained.model()), 1e-2);
        wholeGroups(byId(trained.model()));
    }

    @Test
    void numbers_with_values_of_any_size_in_groups_that_each_row_has_whole() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(3);
        for (int row = 0; row < 400; row++) {
            double[] x = random.doubles(9, -1, 1).toArray();
            text.append(2 * x[0] - x[1] + 0.3 * x[7] + 0.1 * random.nextGaussian());
            for (int j = 0; j < x.length; j++) {
                text.append(' ').append(j + 1).append(':').append(x[j] * (j % 3 + 1));
            }
            text.append('\n');
        }
        Linear settings = settings(groups("a: 1-3\nb: 4-6\n"))
                .withLoss(Loss.named("squared"))
                .withIntercept(true);
        Data data = file("numbers.svm", text);
        double least = exact(settings, data).report().tree().get("objective").asDouble();
        Trained trained = job(
                        settings.withSolver(Solver.Blocks.DEFAULT.withTolerance(1e-6)),
                        data,
                        plan(2, 2).withConsistency("bsp"))
                .run();
        assertEquals(least, trained.report().tree().get("objective").asDouble(), 1e-6 * least);
        double[] weights = byId(trained.model());
        assertTrue(weights[1] != 0 && weights[2] != 0 && weights[3] != 0, Arrays.toString(weights));
        assertTrue(weights[4] == 0 && weights[5] == 0 && weights[6] == 0, Arrays.toString(weights));
    }

    @Test
    void who_is_killed_changes_no_step() throws IOException {
        Data data = data();
        Linear settings = settings()
                .withSolver(
                        Solver.Blocks.DEFAULT.withBlocks(8).withTolerance(1e-9).withMaxPasses(8));
        ClusterPlan plan = plan(3, 3).withConsistency("bsp").withReplicas(1);
        Where.Simulated calm = Where.Simulated.DEFAULT;
        JsonNode whole =
                job(settings, data, plan.withWhere(calm)).run().report().tree();
        double seconds = whole.at("/simulated/seconds").asDouble();
        Where.Simulated killing = calm.withKills(
                new Where.Simulated.Kill(Address.worker(1), Duration.ofNanos((long) (0.45e9 * seconds))),
                new Where.Simulated.Kill(Address.server(0), Duration.ofNanos((long) (0.8e9 * seconds))));
        JsonNode killed =
                job(settings, data, plan.withWhere(killing)).run().report().tree();
        assertTrue(killed.at("/simulated/seconds").asDouble() > seconds + 1, "nobody was missed");
        double objective = whole.get("objective").asDouble();
        assertEquals(objective, killed.get("objective").asDouble(), 1e-9 * objective);
    }

    @Test
    void it_goes_on_from_a_checkpoint_with_other_numbers_of_nodes() throws IOException {
        Data data = data();
        double least = exact(settings(), data).report().tree().get("objective").asDouble();
        Path kept = directory.resolve("kept");
        ClusterPlan plan = plan(3, 2).withStreams(3).withConsistency("bsp");
        Trained stopped = job(settings(), data, plan)
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1)))
                .withWatch(new SolverContractTest.Stop(3))
                .run();
        assertFalse(stopped.finished(), "it was over before it was stopped");
        Trained resumed = job(settings(), data, plan.withNodes(2, 3))
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), true))
                .run();
        double objective = resumed.report().tree().get("objective").asDouble();
        assertTrue(objective >= least * (1 - 1e-9) && objective <= least * (1 + 1e-4), objective + ", not " + least);
        wholeGroups(byId(resumed.model()));
    }

    @Test
    void what_groups_do_not_go_with_is_refused() throws IOException {
        Linear settings = settings();
        assertRefused(
                "--columns-in disk", () -> settings.withSolver(Solver.Blocks.DEFAULT.withColumns(ColumnUse.DISK)));
        Data data = data();
        for (String filter : List.of("push=skip:0.3", "pull=significant:0.01")) {
            assertRefused(
                    "lose something",
                    () -> job(settings, data, plan(1, 1).withFilters(filter)).run());
        }
    }

    private Trained exact(Linear settings, Data data) throws IOException {
        return LinearTraining.of(settings.withSolver(new Solver.Batch(1e-9, 20_000)), data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .run();
    }

    private static ClusterPlan plan(int workers, int servers) {
        return ClusterPlan.DEFAULT.withNodes(workers, servers).withBatchRows(64);
    }

    private Linear settings() throws IOException {
        StringBuilder text = new StringBuilder();
        // The last field has no group, so that each of its values is on its own.
        for (int field = 0; field < FIELDS - 1; field++) {
            int first = field * VALUES + 1;
            text.append("f" + field + ": " + first + "-" + (first + VALUES / 2 - 1) + " " + (first + VALUES / 2) + "-"
                    + (first + VALUES - 1) + "\n");
        }
        return settings(groups(text.toString()));
    }

    private static Linear settings(Groups groups) {
        return Linear.DEFAULT
                .withThreads(1)
                .withIntercept(false)
                .withSolver(Solver.Blocks.DEFAULT)
                .withPenalty(new Penalty.Grouped(STRENGTH, groups));
    }

    private Data file(String name, CharSequence text) throws IOException {
        return Data.of(Files.writeString(directory.resolve(name), text).toString());
    }

    private Groups groups(String text) throws IOException {
        Path file = directory.resolve("groups");
        Files.writeString(file, text);
        return Groups.read(file);
    }

    /// A value of each field, rare ones among them; every third field matters.
    private Data data() throws IOException {
        Random random = new Random(7);
        double[] truth = new double[FIELDS * VALUES];
        for (int field = 0; field < FIELDS; field += 3) {
            for (int value = 0; value < VALUES; value++) {
                truth[field * VALUES + value] = 2 * random.nextGaussian();
            }
        }
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 1_200; row++) {
            double score = 0;
            StringBuilder features = new StringBuilder();
            for (int field = 0; field < FIELDS; field++) {
                int at = field * VALUES + (int) (VALUES * Math.pow(random.nextDouble(), 3));
                score += truth[at];
                features.append(' ').append(at + 1).append(":1");
            }
            boolean yes = random.nextDouble() < 1 / (1 + Math.exp(-score));
            text.append(yes ? 1 : 0).append(features).append('\n');
        }
        return file("fields.svm", text);
    }

    private static double[] byId(LinearModel model) {
        double[] weights = new double[FIELDS * VALUES + 1];
        for (int k = 0; k < model.ids().length; k++) {
            weights[(int) model.ids()[k]] = model.weights()[0][k];
        }
        return weights;
    }

    /// Groups are 0 as a whole, some of them, or not at all where their values occur.
    private static void wholeGroups(double[] weights) {
        int zeros = 0;
        for (int field = 0; field < FIELDS - 1; field++) {
            int first = field * VALUES + 1;
            long nonZero = Arrays.stream(weights, first, first + VALUES)
                    .filter(w -> w != 0)
                    .count();
            assertTrue(nonZero == 0 || nonZero > VALUES - 3, nonZero + " weights of field " + field);
            zeros += nonZero == 0 ? 1 : 0;
        }
        assertTrue(zeros > 0 && zeros < FIELDS - 4, zeros + " fields are 0");
    }
}
