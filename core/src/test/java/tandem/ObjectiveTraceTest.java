package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.cluster.Traffic;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.report.Moment;
import tandem.worker.Local;

/// What a watch hears that wants the training objective.
class ObjectiveTraceTest {

    private static final int ROWS = 6_000;

    /// A way to train, and how many moments it has; 0 if that is its own business.
    private record Way(String name, Solver solver, ClusterPlan cluster, int moments) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static final class Listener implements Watch {

        final List<Moment> moments = new ArrayList<>();

        @Override
        public boolean wantsObjective() {
            return true;
        }

        @Override
        public void reached(Moment now) {
            moments.add(now);
        }
    }

    @TempDir
    private Path directory;

    private Data data;

    static Stream<Way> ways() {
        Solver online = Solver.Online.of(Solver.Rule.FTRL).withPasses(3);
        Solver.Factors machine = Solver.Factors.PLAIN;
        Solver factors = machine.withWeights(machine.weights().withPasses(3));
        ClusterPlan plan = ClusterPlan.DEFAULT.withNodes(2, 2).withBatchRows(64);
        return Stream.of(
                new Way("batch", Solver.Batch.DEFAULT, null, 0),
                new Way("lbfgs", Solver.Lbfgs.DEFAULT.withTolerance(1e-2), plan, 0),
                new Way("one process", online, null, 4),
                new Way("threads", online, plan, 4),
                new Way("factors", factors, plan, 4),
                new Way(
                        "emso",
                        Solver.Online.emso(Local.Emso.By.COORDINATE).withPasses(3),
                        plan.withConsistency("bsp").withBatchRows(1000),
                        4),
                new Way("downpour", Solver.Online.downpour().withPasses(3), plan.withConsistency("async"), 4),
                new Way("adadelay", Solver.Online.of(Solver.Rule.ADADELAY).withPasses(3), plan, 4),
                new Way("simulated", online, plan.withWhere(Where.Simulated.DEFAULT), 4));
    }

    @BeforeEach
    void makeClicks() throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(file, 1, _ -> {});
        data = Data.of(file.toString());
    }

    /// The kit of every solver: a new one adds a line to [#ways].
    @ParameterizedTest
    @MethodSource("ways")
    void every_solver_tells_its_objective_from_the_beginning_to_the_end(Way way) throws IOException {
        Listener heard = new Listener();
        Trained trained = job(way).withWatch(heard).run();
        List<Moment> moments = heard.moments;
        if (way.moments > 0) {
            assertEquals(way.moments, moments.size());
        }
        Moment first = moments.getFirst();
        Moment last = moments.getLast();
        assertEquals(0, first.passes());
        double iterations = trained.report().tree().path("iterations").asDouble();
        // A line search may look at the data more than once.
        assertTrue(way.name.equals("lbfgs") ? last.passes() >= iterations : last.passes() == iterations);
        assertTrue(first.objective() <= ROWS * Math.log(2) * 1.000001, first.toString());
        assertTrue(last.objective() < 0.9 * first.objective(), moments.toString());
        double objective = trained.report().tree().path("objective").asDouble();
        assertEquals(objective, last.objective(), 1e-6 * objective);
        for (int k = 1; k < moments.size(); k++) {
            assertTrue(moments.get(k).seconds() > moments.get(k - 1).seconds(), moments.toString());
            // In one process messages are references.
            long bytes = moments.get(k).bytes() - moments.get(k - 1).bytes();
            assertTrue(way.name.equals("simulated") ? bytes > 0 : bytes == 0, moments.toString());
        }
        if (way.cluster != null) {
            assertEquals(trained.report().tree().at("/bytes/sent").asLong(), last.sentBytes());
            assertEquals(trained.report().tree().at("/bytes/received").asLong(), last.receivedBytes());
        }
    }

    @Test
    void finding_the_objective_takes_no_training_time() throws IOException {
        Listener heard = new Listener();
        try (Run run = new Run(Linear.DEFAULT.withThreads(1), heard, null, null, null)) {
            double began = run.seconds();
            for (int pass = 0; pass < 3; pass++) {
                run.trace(pass, new Traffic(7, 5), () -> {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                    return 42;
                });
            }
            assertTrue(run.seconds() - began < 0.3, "it took " + (run.seconds() - began) + " s");
            assertTrue(heard.moments.getLast().seconds() < 0.3 + began, heard.moments.toString());
            assertEquals(12, heard.moments.getLast().bytes());
            assertEquals(42, heard.moments.getLast().objective());
        }
    }

    /// In simulated time, where nothing else disturbs it: following the objective costs messages, and none of their
    /// time counts.
    @Test
    void a_simulated_pass_takes_as_long_whether_its_objective_is_wanted_or_not() throws IOException {
        Way way = ways().filter(one -> one.name.equals("simulated")).findFirst().orElseThrow();
        Listener heard = new Listener();
        double whole = seconds(job(way).withWatch(heard));
        double unwatched = seconds(job(way));
        double traced = heard.moments.getLast().seconds();
        assertTrue(traced < unwatched && traced > 0.8 * unwatched, traced + " s of " + unwatched);
        assertTrue(whole > 1.5 * traced, whole + " s, traced " + traced);
    }

    @Test
    void several_problems_one_after_the_other_have_no_one_objective() throws IOException {
        Path file = Files.writeString(directory.resolve("three.svm"), "1 1:1\n2 2:1\n3 3:1\n".repeat(10));
        LinearTraining job = LinearTraining.of(Linear.DEFAULT, Data.of(file.toString()))
                .withCache(new CacheUse.Always(directory.resolve("cache")))
                .withWatch(new Listener());
        assertTrue(assertThrows(UnfitLabels.class, job::run).getMessage().contains("--positive 3"));
    }

    private static double seconds(LinearTraining job) throws IOException {
        return job.run().report().tree().path("seconds").asDouble();
    }

    private LinearTraining job(Way way) {
        Linear settings = Linear.DEFAULT
                .withPenalty(Separable.NONE.withL1(1).withL2(0.5))
                .withThreads(1)
                .withSolver(way.solver);
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Always(directory.resolve("cache")))
                .withModel(directory.resolve("model"), true)
                .withCluster(way.cluster);
    }
}
