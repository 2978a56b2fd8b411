package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Runs on servers and workers that are stopped, and go on elsewhere.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterCheckpointTest {

    private static final ClusterPlan PLAN = ClusterBits.PLAN;
    private static final Duration SELDOM = Duration.ofHours(1);

    @TempDir
    Path directory;

    private ClusterBits cluster;
    private Path kept;
    private int rows;

    @BeforeEach
    void makeClicks() throws IOException {
        makeClicks(6_000);
        kept = directory.resolve("kept");
    }

    private void makeClicks(int many) throws IOException {
        rows = many;
        cluster = new ClusterBits(directory, many);
    }

    /// Asks a run to stop once it is so far.
    private static final class Stop implements Watch {

        private final double at;
        private volatile boolean stopping;
        final List<String> notes = new ArrayList<>();

        Stop(double at) {
            this.at = at;
        }

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            stopping |= stage.startsWith("pass") && done >= at;
        }

        @Override
        public synchronized void note(String line) {
            notes.add(line);
        }

        @Override
        public boolean stopping() {
            return stopping;
        }
    }

    /// Stops a run, and says which clock of a pass its first stream was in then.
    private long stop(ClusterPlan plan, double at, boolean resumed) throws IOException {
        Checkpointing checkpointing = new Checkpointing(kept, SELDOM, resumed);
        Trained stopped = cluster.job(plan, 1, 4)
                .withCheckpointing(checkpointing)
                .withWatch(new Stop(at))
                .run();
        assertFalse(stopped.finished());
        assertTrue(checkpointing.isResumable());
        Manifest manifest = checkpointing.generations().newest(note -> {}).manifest();
        long clocks = Math.ceilDiv(Math.ceilDiv(rows, plan.batchRows()), 6);
        return manifest.reached().clock(0) % clocks;
    }

    private String goOn(ClusterPlan plan) throws IOException {
        return ClusterBits.bits(cluster.job(plan, 1, 4).withCheckpointing(new Checkpointing(kept, SELDOM, true)));
    }

    @Test
    void a_run_that_was_stopped_goes_on_to_the_same_bits_with_other_numbers_of_nodes() throws IOException {
        makeClicks(30_000);
        ClusterPlan small = PLAN.withBatchRows(4);
        String first = ClusterBits.bits(cluster.job(small.withNodes(2, 1), 1, 4));
        long inPass = stop(small.withNodes(2, 2), 0.1, false)
                + stop(small.withNodes(3, 1), 0.4, true)
                + stop(small.withNodes(1, 3).withReplicas(1), 0.7, true);
        assertEquals(first, goOn(small.withNodes(6, 2)));
        assertFalse(Files.exists(kept), "the checkpoints of a run that is over are left");
        assumeTrue(inPass > 0, "every checkpoint was made between two passes");
    }

    @Test
    void placed_features_go_on_where_they_were_and_nowhere_else() throws IOException {
        ClusterPlan placed = PLAN.withPlacement(Placement.PARSA);
        String first = ClusterBits.bits(cluster.job(placed.withNodes(2, 1), 1, 4));
        stop(placed.withNodes(2, 2), 0.3, false);
        assertRefused("--placement", () -> goOn(PLAN.withPlacement(Placement.EXAMPLES)));
        stop(placed.withNodes(1, 3).withReplicas(1), 0.6, true);
        assertEquals(first, goOn(placed.withNodes(3, 3)));
    }

    @Test
    void checkpoints_while_training_change_no_bit_and_only_the_newest_stay() throws IOException {
        String first = ClusterBits.bits(cluster.job(PLAN, 1, 4));
        Stop never = new Stop(2);
        LinearTraining job = cluster.job(PLAN.withNodes(3, 2), 1, 4).withWatch(never);
        assertEquals(
                first,
                ClusterBits.bits(job.withCheckpointing(new Checkpointing(kept, Duration.ofMillis(1), false, 2))));
        assertTrue(
                never.notes.stream()
                                .filter(note -> note.startsWith("checkpoint "))
                                .count()
                        > 2,
                never.notes::toString);
        Generations all = new Generations(kept, 2);
        stop(PLAN, 0.3, false);
        stop(PLAN, 0.5, true);
        stop(PLAN, 0.7, true);
        assertEquals(List.of(3L, 2L), all.numbers());
    }

    /// With so many factors saving takes longer than the run is between two looks at whether to stop.
    @Test
    void a_run_that_is_stopped_while_weights_are_saved_makes_a_last_checkpoint() throws IOException {
        assertFalse(machine(3)
                .withCheckpointing(new Checkpointing(kept, SELDOM))
                .run()
                .finished());
        assertTrue(new Checkpointing(kept, SELDOM).isResumable());
    }

    @Test
    void a_run_that_is_stopped_while_its_last_weights_are_saved_has_a_model() throws IOException {
        assertTrue(machine(1).run().finished());
        assertTrue(machine(1)
                .withCheckpointing(new Checkpointing(kept, SELDOM))
                .run()
                .finished());
        assertFalse(Files.exists(kept));
    }

    /// A run that is to stop once the first weights are saved.
    private LinearTraining machine(int passes) {
        Solver.Factors factors = Solver.Factors.PLAIN;
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withSolver(factors.withDimension(Solver.Factors.MOST)
                        .withWeights(factors.weights().withPasses(passes)));
        return cluster.job(ClusterPlan.DEFAULT.withNodes(1, 1).withBatchRows(500), settings)
                .withWatch(new WhileSaving(directory));
    }

    private static final class WhileSaving implements Watch {

        private final Path directory;
        private volatile boolean stopping;

        WhileSaving(Path directory) {
            this.directory = directory;
        }

        @Override
        public boolean stopping() {
            try (Stream<Path> files = Files.walk(directory)) {
                stopping |= files.anyMatch(file -> file.getParent().toString().endsWith(".part")
                        && file.getFileName().toString().startsWith("weights-"));
            } catch (IOException | UncheckedIOException e) {
                // A file has gone meanwhile.
            }
            return stopping;
        }
    }

    @Test
    void processes_that_were_stopped_go_on_as_threads() throws IOException {
        String first = ClusterBits.bits(cluster.job(PLAN, 1, 4));
        stop(PLAN.withNodes(2, 2).withWhere(new Where.Processes(Where.Transport.UNIX)), 0.3, false);
        assertEquals(first, goOn(PLAN.withNodes(1, 1)));
    }

    @Test
    void every_consistency_that_counts_clocks_goes_on() throws IOException {
        for (String consistency : List.of("bsp", "ssp:3", "essp:2", "bounded:8..2", "async")) {
            ClusterPlan plan = ClusterPlan.DEFAULT
                    .withNodes(2, 2)
                    .withConsistency(consistency)
                    .withBatchRows(64);
            stop(plan, 0.3, false);
            Trained trained = cluster.job(plan.withNodes(1, 3), 1, 4)
                    .withCheckpointing(new Checkpointing(kept, SELDOM, true))
                    .run();
            assertTrue(trained.report().tree().at("/metrics/auc").asDouble() > 0.7, consistency);
            assertEquals(0, trained.report().tree().at("/skipped/examples").asLong(), consistency);
        }
    }

    @Test
    void what_does_not_fit_the_checkpoint_is_refused() throws IOException {
        stop(PLAN.withNodes(2, 2), 0.3, false);
        assertRefused("6 streams", () -> goOn(PLAN.withStreams(5)));
        assertRefused(
                "use at most 6 workers",
                () -> goOn(PLAN.withStreams(ClusterPlan.USUAL).withNodes(7, 1)));
        assertRefused("--update-rows", () -> goOn(PLAN.withBatchRows(32)));
        assertRefused("--deterministic", () -> goOn(ClusterPlan.DEFAULT.withBatchRows(64)));
        kept = directory.resolve("nothing");
        assertRefused("there is no checkpoint in", () -> goOn(PLAN));
        assertRefused("fraction", () -> goOn(ClusterPlan.DEFAULT.withConsistency("fraction:0.5")));
        assertRefused("simulated", () -> goOn(PLAN.withWhere(Where.Simulated.DEFAULT)));
    }

    private static void assertRefused(String why, Executable job) {
        String said = assertThrows(Exception.class, job).getMessage();
        assertTrue(said.contains(why), said);
    }

    @Test
    void training_goes_on_where_no_checkpoint_can_be_written() throws IOException {
        Files.writeString(kept, "not a directory");
        Stop never = new Stop(2);
        cluster.job(PLAN, 1, 2)
                .withCheckpointing(new Checkpointing(kept, Duration.ofMillis(1)))
                .withWatch(never)
                .run();
        assertTrue(
                never.notes.stream()
                        .anyMatch(note -> note.contains("no checkpoint was made: ")
                                && note.contains(kept.toString())
                                && note.contains("--checkpoint")),
                never.notes::toString);
    }
}
