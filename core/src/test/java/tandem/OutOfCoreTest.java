package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.runtime.Processes;

/// Solvers that go to the optimum, on data ten times as large as the heap of the process that they run in: worker,
/// server and coordinator together. One feature is in all rows, so that its column is read in stretches.
class OutOfCoreTest {

    private static final int HEAP_MEGABYTES = 16;
    private static final int ROWS = 40_000;
    private static final int FEATURES = 525;
    private static final int BATCH_ROWS = 128;

    private static final List<Solver> SOLVERS =
            List.of(Solver.Blocks.DEFAULT.withMaxPasses(2).withBlocks(256), Solver.Lbfgs.DEFAULT.withMaxIterations(2));

    @TempDir
    Path directory;

    @Test
    void data_of_ten_times_the_heap_give_the_same_objective() throws Exception {
        Path file = write(directory.resolve("long.svm"));
        Path cache = directory.resolve("cache");
        // Made by whoever starts a run; workers find it.
        try (Batches batches =
                Data.of(file.toString()).withBatchRows(BATCH_ROWS).cache(cache, _ -> {}, 2)) {
            assertEquals(ROWS, batches.rows());
        }
        Path said = directory.resolve("said");
        Process small = new ProcessBuilder(
                        Processes.java(),
                        "-Xmx" + HEAP_MEGABYTES + "m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Small.class.getName(),
                        file.toString(),
                        cache.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        String here = objectives(file, cache);
        assertTrue(small.waitFor(120, TimeUnit.SECONDS), "it takes too long");
        List<String> lines = Files.readAllLines(said);
        assertEquals(0, small.exitValue(), lines::toString);
        assertEquals(here, lines.getLast());
        try (Stream<Path> files = Files.list(cache)) {
            List<Path> columns =
                    files.filter(one -> one.toString().endsWith(".columns")).toList();
            assertEquals(1, columns.size(), "only the small process needs columns on disk");
            assertTrue(Files.size(columns.getFirst()) > 10L * (HEAP_MEGABYTES << 20));
        }
    }

    /// The process with the small heap.
    static final class Small {

        private Small() {}

        public static void main(String[] args) throws IOException {
            System.out.println(objectives(Path.of(args[0]), Path.of(args[1])));
        }
    }

    /// What each solver ends with.
    private static String objectives(Path file, Path cache) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Solver solver : SOLVERS) {
            Linear settings = Linear.DEFAULT
                    .withThreads(1)
                    .withPenalty(Separable.l1(solver instanceof Solver.Blocks ? 5 : 0)
                            .withL2(1))
                    .withSolver(solver);
            Trained trained = LinearTraining.of(settings, Data.of(file.toString()))
                    .withCache(new CacheUse.Auto(cache))
                    .withCluster(ClusterPlan.DEFAULT
                            .withNodes(1, 1)
                            .withConsistency("bsp")
                            .withBatchRows(BATCH_ROWS))
                    .run();
            double objective = trained.report().tree().get("objective").asDouble();
            all.append(String.format("%s %.9e ", solver.label(), objective));
        }
        return all.toString();
    }

    /// Rows of many features with values, so that features take far more room than rows.
    private static Path write(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder features = new StringBuilder();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < ROWS; row++) {
                features.setLength(0);
                double score = random.nextDouble(-20, 20);
                int id = 1;
                features.append(" 1:").append(1 + random.nextInt(9));
                for (int k = 0; k < FEATURES; k++) {
                    id += 1 + random.nextInt(9);
                    int value = 2 + random.nextInt(3);
                    features.append(' ').append(id).append(':').append(value);
                    score += value * Math.sin(7.0 * id);
                }
                out.append(score > 0 ? "1" : "-1").append(features).append('\n');
            }
        }
        return file;
    }
}
