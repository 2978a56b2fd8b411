package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Data;
import tandem.problem.Separable;

class PlacementTest {

    private static final int ROWS = 4_000;

    @TempDir
    Path directory;

    /// Rows of eight communities, each with features of its own.
    private Data communities() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(6);
        for (int row = 0; row < ROWS; row++) {
            int home = random.nextInt(8);
            text.append(random.nextBoolean() ? "1" : "-1");
            random.ints(10, 0, 300)
                    .map(key -> 1 + (random.nextInt(10) == 0 ? random.nextInt(2_400) : 300 * home + key))
                    .distinct()
                    .sorted()
                    .forEach(id -> text.append(' ').append(id).append(":1"));
            text.append('\n');
        }
        Path file = directory.resolve("communities.svm");
        Files.writeString(file, text);
        return Data.of(file.toString());
    }

    @Test
    void what_would_undo_it_is_refused() {
        ClusterPlan plan = ClusterPlan.DEFAULT.withPlacement(Placement.PARSA);
        Rhythm steal = Rhythm.DEFAULT.withConsistency("fraction:0.75").withSteal(true);
        assertRefused("--steal", () -> plan.withRhythm(steal));
        assertRefused("64 parts", () -> plan.withStreams(65));
    }

    private static void assertRefused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private JsonNode trained(Placement placement) throws IOException {
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(2));
        return trained(settings, placement, "ssp:3");
    }

    private JsonNode trained(Linear settings, Placement placement, String consistency) throws IOException {
        return LinearTraining.of(settings, communities())
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(4, 2)
                        .withConsistency(consistency)
                        .withBatchRows(100)
                        .withWhere(Where.Simulated.DEFAULT)
                        .withPlacement(placement))
                .run()
                .report()
                .tree();
    }

    /// Those that go to the optimum end there, and send less on the way.
    @Test
    void batch_solvers_take_examples_where_they_were_placed() throws IOException {
        for (Solver solver :
                List.of(Solver.Lbfgs.DEFAULT.withMaxIterations(10), Solver.Blocks.DEFAULT.withTolerance(1e-3))) {
            Linear settings =
                    Linear.DEFAULT.withThreads(1).withPenalty(Separable.l2(1)).withSolver(solver);
            JsonNode any = trained(settings, Placement.ANY, "bsp");
            JsonNode parsa = trained(settings, Placement.PARSA, "bsp");
            double objective = any.get("objective").asDouble();
            assertEquals(objective, parsa.get("objective").asDouble(), 1e-3 * objective, solver.label());
            double sent =
                    parsa.at("/bytes/sent").asDouble() / any.at("/bytes/sent").asDouble();
            assertTrue(sent < 0.85, solver.label() + " sends " + sent + " of what it sent");
        }
    }

    @Test
    void examples_with_features_in_common_on_one_worker_send_and_receive_less() throws IOException {
        JsonNode any = trained(Placement.ANY);
        JsonNode parsa = trained(Placement.PARSA);
        assertTrue(any.get("placement").isNull());
        assertEquals(4, parsa.at("/placement/parts").asInt());
        assertEquals(ROWS, parsa.at("/placement/rows").asInt());
        for (String way : new String[] {"/bytes/sent", "/bytes/received"}) {
            double share = parsa.at(way).asDouble() / any.at(way).asDouble();
            assertTrue(share < 0.8, way + " is " + share + " of what it was");
        }
        assertEquals(any.get("examples").asLong(), parsa.get("examples").asLong());
        double objective = any.get("objective").asDouble();
        assertEquals(objective, parsa.get("objective").asDouble(), 0.02 * objective);
    }
}
