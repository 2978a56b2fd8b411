package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.worker.Local;

class DownpourTest {

    private static final Solver.Online ONE_PASS = Solver.Online.downpour().withPasses(1);

    @TempDir
    private Path directory;

    /// One feature that is 1, and two labels of 1 under the squared loss, (s − 1)²/2. From w = 0 the first
    /// step has the gradient −1 and moves the worker's own weight to 0.25; there the second has −0.75, or −1
    /// if it was fetched anew. AdaGrad takes the sum g by w = α·|g|/(β + |g|).
    @ParameterizedTest
    @CsvSource({"2, -1.75", "1, -2"})
    void what_a_replica_pushes_is_worked_out_by_hand(int fetch, double sum) throws IOException {
        Path two = Files.writeString(directory.resolve("two.svm"), "1 1:1\n1 1:1\n");
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(new Penalty.Plain(Separable.NONE))
                .withIntercept(false)
                .withSolver(ONE_PASS.withAlpha(0.5).withLocal(new Local.Downpour(fetch, 2, 0.25, 0)));
        Trained trained = job(settings, Data.of(two.toString()))
                .withCluster(plan(1, 1, "bsp").withBatchRows(2))
                .run();
        assertEquals(0.5 * -sum / (1 - sum), trained.model().weights()[0][0], 1e-6);
    }

    @Test
    void one_replica_that_pushes_after_every_step_is_adagrad_to_the_bit() throws IOException {
        Linear adaGrad =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(2));
        Linear downpour = Linear.DEFAULT.withSolver(
                Solver.Online.downpour().withPasses(2).withLocal(new Local.Downpour(1, 1, 0.1, 0)));
        ClusterPlan plan = plan(1, 2, "bsp").withBatchRows(64);
        assertArrayEquals(
                job(adaGrad, clicks()).withCluster(plan).run().model().weights()[0],
                job(downpour, clicks()).withCluster(plan).run().model().weights()[0]);
    }

    /// Replicas with the same data take the same `n` steps of a quadratic from the same weight, which leave
    /// (1 − rate)ⁿ of the way to its minimum at 1. Servers take AdaGrad's step for what each has summed up.
    /// So the weight after every exchange is known.
    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "3, 4", "5, 3"})
    void replicas_with_the_same_data_go_the_way_of_local_steps_on_a_quadratic(int replicas, int n) throws IOException {
        int exchanges = 6;
        double rate = 0.3;
        double alpha = 0.2;
        Path alike = Files.writeString(directory.resolve("alike.svm"), "1 1:1\n".repeat(replicas * n));
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(new Penalty.Plain(Separable.NONE))
                .withIntercept(false)
                .withSolver(ONE_PASS.withPasses(exchanges)
                        .withPatience(0)
                        .withAlpha(alpha)
                        .withBeta(1)
                        .withLocal(new Local.Downpour(n, n, rate, 0)));
        ClusterPlan together = plan(replicas, 1, "bsp")
                .withBatchRows(n)
                .withStreams(replicas)
                .withRhythm(Rhythm.DEFAULT.withConsistency("bsp").withDeterminism());
        Trained trained =
                job(settings, Data.of(alike.toString())).withCluster(together).run();
        double weight = 0;
        double squares = 0;
        for (int exchange = 0; exchange < exchanges; exchange++) {
            double sum = -(1 - weight) * (1 - Math.pow(1 - rate, n)) / rate;
            for (int replica = 0; replica < replicas; replica++) {
                squares += sum * sum;
                weight -= alpha / (1 + Math.sqrt(squares)) * sum;
            }
        }
        assertEquals(weight, trained.model().weights()[0][0], 1e-5 * Math.abs(weight));
    }

    /// What all this is for: as many bytes, and more learned.
    @Test
    void steps_between_exchanges_learn_more_from_the_same_exchanges() throws IOException {
        ClusterPlan plan = plan(2, 1, "bsp").withBatchRows(128).withWhere(Where.Simulated.DEFAULT);
        JsonNode none = report(new Local.Downpour(1, 1, 0, 0), plan);
        JsonNode some = report(new Local.Downpour(8, 8, 0, 0), plan);
        assertEquals(
                none.at("/bytes/sent").asDouble(),
                some.at("/bytes/sent").asDouble(),
                0.01 * none.at("/bytes/sent").asDouble());
        assertTrue(
                some.path("objective").asDouble()
                        < 0.99 * none.path("objective").asDouble(),
                some.path("objective") + " and " + none.path("objective"));
    }

    @Test
    void in_a_warm_up_one_worker_learns_before_the_others_begin() throws IOException {
        ClusterPlan plan = plan(3, 1, "async").withBatchRows(100).withWhere(Where.Simulated.DEFAULT);
        JsonNode cold = report(new Local.Downpour(4, 4, 0, 0), plan);
        JsonNode warm = report(new Local.Downpour(4, 4, 0, 1_000_000), plan);
        assertEquals(cold.path("examples").asLong(), warm.path("examples").asLong());
        assertTrue(
                warm.path("seconds").asDouble() > 1.7 * cold.path("seconds").asDouble(),
                warm.path("seconds") + " s and " + cold.path("seconds"));
        assertTrue(
                warm.at("/workers/1/waitSeconds").asDouble()
                        > 0.4 * warm.path("seconds").asDouble(),
                warm.at("/workers").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bsp", "ssp:3", "bounded:2", "fraction:0.5"})
    void a_warm_up_needs_workers_that_wait_for_nobody(String consistency) {
        Solver warm = ONE_PASS.withLocal(Local.Downpour.DEFAULT.withWarmUp(5));
        String why = assertThrows(
                        IllegalArgumentException.class,
                        () -> plan(2, 1, consistency).check(warm))
                .getMessage();
        assertTrue(why.contains("use --consistency async"), why);
        plan(2, 1, consistency).check(ONE_PASS);
    }

    @Test
    void what_makes_no_sense_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> new Local.Downpour(2, 3, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Local.Downpour(0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Local.Downpour(1, 1, Double.NaN, 0));
        assertThrows(IllegalArgumentException.class, () -> Local.Downpour.DEFAULT.withWarmUp(-1));
        assertThrows(
                IllegalArgumentException.class,
                () -> plan(1, 1, "bsp").withBatchRows(3).check(ONE_PASS));
    }

    private JsonNode report(Local.Downpour local, ClusterPlan plan) throws IOException {
        Linear settings = Linear.DEFAULT.withThreads(1).withSolver(ONE_PASS.withLocal(local));
        return job(settings, clicks()).withCluster(plan).run().report().tree();
    }

    private Data clicks() throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(6_000).withFeatures(2_000).write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    private LinearTraining job(Linear settings, Data data) {
        return LinearTraining.of(settings, data).withCache(new CacheUse.Always(directory.resolve("cache")));
    }

    private static ClusterPlan plan(int workers, int servers, String consistency) {
        return ClusterPlan.DEFAULT.withNodes(workers, servers).withConsistency(consistency);
    }
}
