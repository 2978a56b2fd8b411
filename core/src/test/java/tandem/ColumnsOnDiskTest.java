package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.data.Clicks;
import tandem.data.ColumnUse;
import tandem.data.Data;
import tandem.problem.Separable;

/// Delayed block proximal gradient with columns on disk beside the same with columns in memory.
class ColumnsOnDiskTest {

    private static final Solver.Blocks SOLVER = Solver.Blocks.DEFAULT.withMaxPasses(6);

    @TempDir
    Path directory;

    private Path cache() {
        return directory.resolve("cache");
    }

    private Trained trained(ColumnUse use, ClusterPlan plan) throws IOException {
        Path file = directory.resolve("clicks.svm");
        if (!Files.exists(file)) {
            Clicks.DEFAULT.withRows(3_000).withFeatures(800).withSeed(4).write(file, 1, _ -> {});
        }
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withPenalty(Separable.l1(0.5))
                .withPositiveWeight(2)
                .withSolver(SOLVER.withColumns(use));
        return LinearTraining.of(settings, Data.of(file.toString()))
                .withCache(new CacheUse.Auto(cache()))
                .withCluster(plan.withBatchRows(64))
                .run();
    }

    private long columnFiles() throws IOException {
        try (Stream<Path> files = Files.list(cache())) {
            return files.filter(file -> file.toString().endsWith(".columns")).count();
        }
    }

    static List<ClusterPlan> plans() {
        ClusterPlan simulated = ClusterPlan.DEFAULT.withWhere(Where.Simulated.DEFAULT);
        return List.of(
                ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp").withFilters("none"),
                simulated.withNodes(3, 2).withConsistency("bounded:8").withFilters("keycache,kkt,lz4"),
                simulated.withNodes(2, 1).withConsistency("ssp:2").withStreams(5),
                simulated.withNodes(2, 1).withConsistency("bounded:4").withPlacement(Placement.PARSA));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void weights_are_the_same_to_the_last_bit(ClusterPlan plan) throws IOException {
        Trained held = trained(ColumnUse.MEMORY, plan);
        assertEquals(0, columnFiles());
        Trained stored = trained(ColumnUse.DISK, plan);
        // Those of placed examples are the run's own, and go with it.
        assertEquals(plan.placement() == Placement.ANY ? plan.terms(1).streams() : 0, columnFiles());
        assertTrue(held.model().weights()[0].length > 100);
        assertArrayEquals(held.model().ids(), stored.model().ids());
        assertArrayEquals(held.model().weights()[0], stored.model().weights()[0]);
        assertArrayEquals(held.model().intercepts(), stored.model().intercepts());
        assertEquals(
                held.report().tree().at("/simulated/trace"),
                stored.report().tree().at("/simulated/trace"));
    }

    @Test
    void what_fits_into_memory_is_not_written() throws IOException {
        trained(ColumnUse.AUTO, ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp"));
        assertEquals(0, columnFiles());
    }
}
