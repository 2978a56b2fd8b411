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
import tandem.report.Moment;
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

    /// When all is done and nodes go home, those that have gone take no places of others.
    @ParameterizedTest
    @MethodSource("solvers")
    void it_ends_when_a_server_is_killed_on_the_way_home(Solver solver) throws IOException {
        ClusterPlan plan = plan(solver).withNodes(3, 3).withReplicas(1);
        JsonNode whole = report(job(solver, plan.withWhere(Where.Simulated.DEFAULT)));
        double seconds = whole.at("/simulated/seconds").asDouble();
        for (double part : new double[] {0.985, 0.99, 0.995}) {
            Where.Simulated killing = Where.Simulated.DEFAULT.withKills(
                    new Where.Simulated.Kill(Address.server(1), after(part * seconds)));
            assertAsGood(solver, whole, report(job(solver, plan.withWhere(killing))));
        }
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

    /// Bounds that no float is equal to, and that sums of steps only come near; also where some steps are late.
    @ParameterizedTest
    @MethodSource("solvers")
    void weights_stay_within_bounds(Solver solver) throws IOException {
        if (solver instanceof Solver.Lbfgs) {
            return; // has no bounds
        }
        ClusterPlan together = plan(solver).withNodes(3, 1);
        ClusterPlan late = ClusterPlan.DEFAULT.withNodes(4, 2).withBatchRows(16);
        boolean waits = solver instanceof Solver.Sdca
                || solver instanceof Solver.Online online && online.local() instanceof Local.Averaging;
        Linear settings = settings(solver);
        for (double high : new double[] {0.2, 0.1, 0.07}) {
            Linear bounded = settings.withPenalty(Separable.l2(0.1).between(-0.1, high));
            for (ClusterPlan plan : waits ? List.of(together) : List.of(together, late)) {
                JsonNode report = report(job(bounded, plan));
                assertTrue(report.get("objective").isNumber(), "a weight is out of bounds: " + report.get("objective"));
            }
        }
    }

    /// A checkpoint that is made before anything was done in this run is as good as the one that it began with.
    @ParameterizedTest
    @MethodSource("exact")
    void it_may_be_stopped_again_as_soon_as_it_goes_on(Solver solver) throws IOException {
        ClusterPlan plan = plan(solver).withNodes(2, 1);
        JsonNode whole = report(job(solver, plan));
        Checkpointing kept = new Checkpointing(directory.resolve("kept"), Duration.ofHours(1));
        Trained first =
                job(solver, plan).withCheckpointing(kept).withWatch(new Stop(6)).run();
        assertFalse(first.finished(), "it was over before it was stopped");
        Checkpointing again = new Checkpointing(kept.directory(), kept.every(), true);
        for (int polls = 0; polls < 4; polls++) {
            Trained stopped = job(solver, plan)
                    .withCheckpointing(again)
                    .withWatch(new Polls(0, polls))
                    .run();
            assertFalse(stopped.finished(), "it was over before it was stopped again");
        }
        assertAsGood(solver, whole, report(job(solver, plan).withCheckpointing(again)));
    }

    @ParameterizedTest
    @MethodSource("exact")
    void it_may_be_stopped_before_anything_is_done(Solver solver) throws IOException {
        for (int first = 0; first < 12; first++) {
            Trained stopped = job(solver, plan(solver).withNodes(2, 1))
                    .withCheckpointing(new Checkpointing(directory.resolve("kept" + first), Duration.ofHours(1)))
                    .withWatch(new Polls(0, first))
                    .run();
            assertFalse(stopped.finished());
        }
    }

    private static List<Solver> exact() {
        return solvers().stream()
                .filter(solver -> !(solver instanceof Solver.Online))
                .toList();
    }

    /// After its last steps, when it proves how near it is. Without an intercept the proof has nothing to measure
    /// again.
    @ParameterizedTest
    @MethodSource("exact")
    void wherever_it_was_stopped_it_proves_what_it_proves_without(Solver solver) throws IOException {
        ClusterPlan plan = plan(solver).withNodes(2, 1);
        Linear settings = settings(solver)
                .withIntercept(false)
                .withPenalty(solver instanceof Solver.Sdca ? Separable.l2(2) : Separable.l1(1));
        Polls all = new Polls(Integer.MAX_VALUE, 0);
        JsonNode whole = report(job(settings, plan).withWatch(all));
        double gap = TrainingKit.gap(whole);
        for (int polls = 0; polls < 6; polls++) {
            Path kept = directory.resolve("kept" + polls);
            Trained stopped = job(settings, plan)
                    .withCheckpointing(new Checkpointing(kept, Duration.ofHours(1)))
                    .withWatch(new Polls(all.reached - polls % 2, polls / 2))
                    .run();
            JsonNode report = stopped.finished()
                    ? stopped.report().tree()
                    : report(job(settings, plan).withCheckpointing(new Checkpointing(kept, Duration.ofHours(1), true)));
            assertEquals(whole.get("stopped").asText(), report.get("stopped").asText());
            assertEquals(
                    whole.get("iterations").asInt(), report.get("iterations").asInt());
            assertEquals(gap, TrainingKit.gap(report), 1e-6 * gap, "the gap, after " + polls);
        }
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

    private static Linear settings(Solver solver) {
        return Linear.DEFAULT.withThreads(1).withPenalty(Separable.l2(2)).withSolver(solver);
    }

    private LinearTraining job(Solver solver, ClusterPlan plan) {
        return job(settings(solver), plan);
    }

    private LinearTraining job(Linear settings, ClusterPlan plan) {
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

    /// Asks a run to stop when it has told of so many looks at the objective, and then asked so often whether to.
    private static final class Polls implements Watch {

        private final int looks;
        private int left;
        private int reached;

        Polls(int looks, int polls) {
            this.looks = looks;
            left = polls;
        }

        @Override
        public void reached(Moment now) {
            reached++;
        }

        @Override
        public boolean stopping() {
            return reached >= looks && left-- <= 0;
        }
    }
}
