package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.report.Moment;
import tandem.simulate.Machines;
import tandem.wire.Address;
import tandem.worker.Local;

/// How long things take in simulated time.
class SimulatedTimeTest {

    private static final Where.Simulated NOISY = Where.Simulated.DEFAULT.withNoise(0.3);

    @TempDir
    Path directory;

    @Test
    void noise_makes_tasks_longer_or_shorter_by_its_share_at_most() {
        long[] tasks = tasks(NOISY.machines(1), 0, 1_000);
        assertTrue(LongStream.of(tasks).min().orElseThrow() >= 17_500);
        assertTrue(LongStream.of(tasks).max().orElseThrow() <= 32_500);
        assertEquals(25_000, LongStream.of(tasks).average().orElseThrow(), 500);
        assertTrue(LongStream.of(tasks).distinct().count() > 900);
    }

    @Test
    void how_long_a_task_takes_follows_from_the_seed_the_worker_and_its_number_alone() {
        Machines together = NOISY.machines(1);
        tasks(together, 1, 7);
        long[] first = tasks(together, 0, 3);
        long[] alone = tasks(NOISY.machines(1), 0, 3);
        assertEquals(List.of(alone[0], alone[1], alone[2]), List.of(first[0], first[1], first[2]));
        assertNotEquals(alone[0], tasks(NOISY.machines(2), 0, 1)[0]);
        assertNotEquals(alone[0], tasks(NOISY.machines(1), 1, 1)[0]);
    }

    private static long[] tasks(Machines machines, int worker, int count) {
        Address address = new Address(Address.Role.WORKER, worker);
        return LongStream.range(0, count)
                .map(_ -> machines.nanos(address, 1_000))
                .toArray();
    }

    @Test
    void noise_is_a_share() {
        assertThrows(IllegalArgumentException.class, () -> NOISY.withNoise(-0.1));
        assertThrows(IllegalArgumentException.class, () -> NOISY.withNoise(1));
    }

    @Test
    void a_worker_computes_longer_over_a_batch_that_it_makes_more_of() throws IOException {
        double gradient = computed(Solver.Online.of(Solver.Rule.ADAGRAD));
        double cycle = computed(Solver.Online.emso(Local.Emso.By.COORDINATE));
        double steps = computed(Solver.Online.emso(Local.Emso.By.GRADIENT));
        assertEquals(10, cycle / gradient, 1e-6);
        assertEquals(11, steps / gradient, 1e-6);
    }

    private double computed(Solver.Online solver) throws IOException {
        return job(Linear.DEFAULT.withSolver(solver.withPasses(1)), "bsp")
                .run()
                .report()
                .tree()
                .at("/workers/0/computeSeconds")
                .asDouble();
    }

    /// Stops a run as soon as there is an objective after a round.
    private static final class Impatient implements Watch {

        private double passes;

        @Override
        public boolean wantsObjective() {
            return true;
        }

        @Override
        public void reached(Moment now) {
            passes = now.passes();
        }

        @Override
        public boolean stopping() {
            return passes >= 2;
        }
    }

    @Test
    void a_run_that_is_interrupted_reports_what_its_workers_did() throws IOException {
        Linear settings = Linear.DEFAULT.withSolver(Solver.Blocks.DEFAULT);
        JsonNode report = job(settings, "bounded:2")
                .withWatch(new Impatient())
                .run()
                .report()
                .tree();
        assertEquals("interrupted", report.path("stopped").asText());
        assertEquals(2, report.path("iterations").asInt());
        assertEquals(3, report.path("workers").size());
        for (JsonNode worker : report.path("workers")) {
            double computed = worker.path("computeSeconds").asDouble();
            assertTrue(computed > 0 && computed < report.path("seconds").asDouble(), report::toString);
        }
    }

    private LinearTraining job(Linear settings, String consistency) throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(600).withFeatures(500).write(file, 1, _ -> {});
        return LinearTraining.of(settings.withThreads(1), Data.of(file.toString()))
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(3, 1)
                        .withBatchRows(50)
                        .withConsistency(consistency)
                        .withWhere(Where.Simulated.DEFAULT));
    }
}
