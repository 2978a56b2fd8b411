package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.wire.Address;
import tandem.worker.Local;

/// What every solver for servers and workers owes: it loses nothing with a worker or a server, and goes on from a
/// checkpoint. A new one adds a line.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SolverContractTest {

    private static List<Solver> solvers() {
        return List.of(
                Solver.Online.of(Solver.Rule.FTRL).withPasses(4),
                Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(4),
                Solver.Online.of(Solver.Rule.ADADELAY).withPasses(4),
                Solver.Online.of(Solver.Rule.SGD).withPasses(4),
                Solver.Online.downpour().withPasses(4),
                Solver.Online.emso(Local.Emso.By.COORDINATE).withPasses(4),
                Solver.Online.emso(Local.Emso.By.GRADIENT).withPasses(4),
                Solver.Online.averaging(Solver.Rule.ADAGRAD)
                        .withRows(8)
                        .withLocal(Local.Averaging.DEFAULT.withEvery(4))
                        .withPasses(4),
                Solver.Online.averaging(Solver.Rule.SGD)
                        .withRows(8)
                        .withLocal(Local.Averaging.DEFAULT.withEvery(4).withExchange(Local.Averaging.Exchange.RING))
                        .withPasses(4),
                Solver.Blocks.DEFAULT.withBlocks(4).withTolerance(1e-3),
                Solver.Lbfgs.DEFAULT,
                Solver.Proximal.by(Solver.Proximal.Split.EXAMPLES).withTolerance(1e-3),
                Solver.Proximal.by(Solver.Proximal.Split.FEATURES).withTolerance(1e-3),
                Solver.Sdca.DEFAULT);
    }

    @TempDir
    Path directory;

    private Data data;
    private int models;

    @BeforeEach
    void makeClicks() throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(600).withFeatures(200).withSeed(3).write(file, 1, _ -> {});
        data = Data.of(file.toString());
    }

    /// One of three workers and one of three servers, in simulated time, where nobody comes in their place.
    @ParameterizedTest
    @MethodSource("solvers")
    void it_ends_as_well_when_a_worker_and_a_server_are_killed(Solver solver) throws IOException {
        ClusterPlan plan = plan(solver).withNodes(3, 3).withReplicas(1);
        JsonNode whole = report(job(solver, plan.withWhere(Where.Simulated.DEFAULT)));
        double seconds = whole.at("/simulated/seconds").asDouble();
        Where.Simulated killing = Where.Simulated.DEFAULT.withKills(
                new Where.Simulated.Kill(Address.worker(1), after(0.3 * seconds)),
                new Where.Simulated.Kill(Address.server(0), after(0.6 * seconds)));
        JsonNode killed = report(job(solver, plan.withWhere(killing)));
        assertTrue(killed.at("/simulated/seconds").asDouble() > seconds + 1, "nobody was missed");
        assertAsGood(solver, whole, killed);
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void it_goes_on_from_a_checkpoint_with_other_numbers_of_nodes(Solver solver) throws IOException {
        ClusterPlan plan = plan(solver);
        JsonNode whole = report(job(solver, plan.withNodes(2, 1)));
        for (JsonNode worker : whole.get("workers")) {
            assertTrue(worker.get("computeSeconds").asDouble() > 0, "workers have computed nothing");
            assertTrue(worker.get("communicationSeconds").asDouble() > 0, "workers have sent nothing");
        }
        Path kept = directory.resolve("kept");
        Trained stopped = job(solver, plan.withNodes(3, 2))
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1)))
                .withWatch(new Stop(3))
                .run();
        assertFalse(stopped.finished(), "it was over before it was stopped");
        JsonNode resumed = report(job(solver, plan.withNodes(2, 3))
                .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), true)));
        assertAsGood(solver, whole, resumed);
    }

    /// Where there is an optimum, both are near it; online solvers work so that the same examples give the same
    /// weights, to rounding where workers add them up among themselves.
    private static void assertAsGood(Solver solver, JsonNode whole, JsonNode other) {
        double objective = whole.get("objective").asDouble();
        double within = solver instanceof Solver.Online ? isSummed(solver) ? 1e-7 : 1e-12 : 1e-3;
        assertEquals(objective, other.get("objective").asDouble(), within * objective, solver.label());
        assertEquals(whole.get("stopped").asText(), other.get("stopped").asText());
        if (!(solver instanceof Solver.Online)) {
            double gap = TrainingKit.gap(other);
            assertTrue(gap >= 0 && gap < 0.05 * objective, "gap " + gap);
        }
    }

    private static boolean isSummed(Solver solver) {
        return solver instanceof Solver.Online online
                && online.local() instanceof Local.Averaging how
                && how.exchange() == Local.Averaging.Exchange.RING;
    }

    private static Duration after(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static ClusterPlan plan(Solver solver) {
        Rhythm together = Rhythm.DEFAULT.withConsistency("bsp");
        return ClusterPlan.DEFAULT
                .withRhythm(
                        solver instanceof Solver.Online && !isSummed(solver) ? together.withDeterminism() : together)
                .withStreams(3)
                .withBatchRows(32);
    }

    private static JsonNode report(LinearTraining job) throws IOException {
        return job.run().report().tree();
    }

    private LinearTraining job(Solver solver, ClusterPlan plan) {
        Linear settings =
                Linear.DEFAULT.withThreads(1).withPenalty(Separable.l2(2)).withSolver(solver);
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model-" + models++), false)
                .withCluster(plan);
    }

    /// Asks a run to stop once it has told of so much progress.
    static final class Stop implements Watch {

        private int left;

        Stop(int after) {
            left = after;
        }

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            boolean trains = stage.startsWith("pass") || stage.contains("iteration");
            left -= trains ? 1 : 0;
        }

        @Override
        public boolean stopping() {
            return left <= 0;
        }
    }
}
