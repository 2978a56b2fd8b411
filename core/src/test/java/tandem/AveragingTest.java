package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.wire.Address;
import tandem.worker.Local;
import tandem.worker.Local.Averaging.Exchange;

class AveragingTest {

    /// So much damping that steps of SGD are of one length.
    private static final double CONSTANT = 1e6;

    private static final List<Exchange> WAYS = List.of(Exchange.SERVER, Exchange.RING, Exchange.DIRECT);

    @TempDir
    private Path directory;

    /// One worker's average is what it got to: the same steps as those of one process that moves its weights after as
    /// many rows, to the bit. Servers are sent the difference, which rounds.
    @ParameterizedTest
    @CsvSource({"SGD, 1", "SGD, 7", "ADAGRAD, 16"})
    void one_worker_takes_the_steps_of_one_process(Solver.Rule rule, int every) throws IOException {
        Data data = clicks(3_000, 500);
        Linear settings = Linear.DEFAULT.withThreads(1).withPenalty(Separable.NONE);
        Solver.Online alone = Solver.Online.of(rule).withRows(16).withPasses(2);
        double[] expected = weights(job(settings.withSolver(alone), data.withBatchRows(16 * every)));
        for (Exchange exchange : WAYS) {
            Solver.Online averaging =
                    averaging(rule, every, exchange).withRows(16).withPasses(2);
            double[] found = weights(job(settings.withSolver(averaging), data).withCluster(plan(1)));
            assertArrayEquals(expected, found, exchange == Exchange.SERVER ? 1e-5 : 0, exchange.toString());
        }
    }

    /// Where each averages after every step, the mean of steps is a step by the mean of gradients: that of one worker
    /// that has the rows of all in its step, at a rate that is divided by their number, since gradients are summed.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void averages_after_every_step_are_minibatch_steps_of_all_rows(int workers) throws IOException {
        Data data = dense(30 * 8 * workers);
        Linear settings =
                Linear.DEFAULT.withThreads(1).withPenalty(Separable.NONE).withIntercept(false);
        double rate = 0.05;
        Solver.Online together = Solver.Online.of(Solver.Rule.SGD)
                .withRows(8 * workers)
                .withAlpha(rate / workers)
                .withPasses(1);
        double[] expected = weights(job(settings.withSolver(together), data.withBatchRows(8 * workers)));
        assertTrue(Math.abs(expected[0]) > 0.1, "nothing was learned");
        for (Exchange exchange : WAYS) {
            Solver.Online averaging = averaging(Solver.Rule.SGD, 1, exchange)
                    .withRows(8)
                    .withAlpha(rate)
                    .withPasses(1);
            double[] found = weights(job(settings.withSolver(averaging), data).withCluster(plan(workers)));
            assertArrayEquals(expected, found, 1e-6, exchange.toString());
        }
    }

    /// Sparse rows, several steps, streams of different lengths, an intercept, two passes.
    @Test
    void all_ways_lead_to_the_same_weights() throws IOException {
        Data data = clicks(1_000, 300);
        double[] expected = null;
        for (Exchange exchange : WAYS) {
            Linear settings = Linear.DEFAULT
                    .withThreads(1)
                    .withPenalty(Separable.l2(2))
                    .withSolver(averaging(Solver.Rule.ADAGRAD, 5, exchange)
                            .withRows(16)
                            .withPasses(2));
            double[] found = weights(job(settings, data).withCluster(plan(3).withNodes(3, 2)));
            assertArrayEquals(expected == null ? found : expected, found, 1e-6, exchange.toString());
            expected = found;
        }
    }

    /// In simulated time, at several moments: all go back to the weights before the pass, whose examples count once.
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.6, 0.7, 0.8, 0.95})
    void a_worker_that_is_lost_costs_workers_that_average_among_themselves_a_pass(double when) throws IOException {
        Data data = clicks(1_000, 300);
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withSolver(averaging(Solver.Rule.ADAGRAD, 5, Exchange.RING)
                        .withRows(16)
                        .withPasses(4)
                        .withPatience(0));
        JsonNode whole = report(job(settings, data).withCluster(plan(3).withWhere(Where.Simulated.DEFAULT)));
        double seconds = whole.at("/simulated/seconds").asDouble();
        Where killing = Where.Simulated.DEFAULT.withKills(
                new Where.Simulated.Kill(Address.worker(1), Duration.ofNanos((long) (when * seconds * 1e9))));
        JsonNode killed = report(job(settings, data).withCluster(plan(3).withWhere(killing)));
        assertNotEquals(
                whole.at("/simulated/trace").asText(),
                killed.at("/simulated/trace").asText());
        assertEquals(
                whole.path("objective").asDouble(), killed.path("objective").asDouble(), 1e-9);
        assertEquals(whole.path("examples").asLong(), killed.path("examples").asLong());
    }

    /// Two workers have the losses aₚ/2·(w − cₚ)². Of the way to cₚ, n steps of length r leave (1 − r·aₚ)ⁿ; so the
    /// average rests where Σ (1 − (1 − r·aₚ)ⁿ)·(w − cₚ) = 0. That is the minimum for one step and not for more, the
    /// bias that local steps are known for.
    @ParameterizedTest
    @CsvSource({"1", "4", "20"})
    void on_a_quadratic_the_average_rests_where_local_steps_must_take_it(int every) throws IOException {
        double[] a = {1, 4};
        double[] c = {-1, 2};
        double rate = 0.1;
        StringBuilder text = new StringBuilder();
        for (int p = 0; p < 2; p++) {
            double x = Math.sqrt(a[p]);
            // What else is in a row has no weight to speak of, and has rows of one kind placed together.
            String company = p == 0 ? " 2:1e-20 3:1e-20 4:1e-20" : " 5:1e-20 6:1e-20 7:1e-20";
            text.append((x * c[p] + " 1:" + x + company + "\n").repeat(every));
        }
        Data two = Data.of(Files.writeString(directory.resolve("two.svm"), text).toString());
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(Separable.NONE)
                .withIntercept(false)
                .withSolver(averaging(Solver.Rule.SGD, every, Exchange.SERVER)
                        .withRows(1)
                        .withAlpha(rate * CONSTANT)
                        .withBeta(CONSTANT)
                        .withPasses(80)
                        .withPatience(0));
        double found = weights(job(settings, two).withCluster(plan(2).withPlacement(Placement.PARSA)))[0];
        double above = 0;
        double below = 0;
        for (int p = 0; p < 2; p++) {
            double gone = 1 - Math.pow(1 - rate * a[p], every);
            above += gone * c[p];
            below += gone;
        }
        assertEquals(above / below, found, 1e-3);
        double least = (a[0] * c[0] + a[1] * c[1]) / (a[0] + a[1]);
        assertEquals(every > 1, Math.abs(found - least) > 0.1, found + " and the minimum " + least);
    }

    @ParameterizedTest
    @EnumSource
    void it_learns_from_clicks(Local.Steps.Rule rule) throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(8_000).withFeatures(1_000);
        Data train = write(clicks, "clicks.svm");
        Data held = write(clicks.next(2_000), "held.svm");
        Solver.Rule same = Solver.Rule.valueOf(rule.name());
        double loss = loss(averaging(same, 5, Exchange.SERVER).withPasses(3), train, held);
        double alone = loss(Solver.Online.of(same).withRows(16).withPasses(1), train, held);
        assertTrue(loss < alone + 0.02, loss + " and in one process " + alone);
        assertTrue(loss < 0.5, "no better than a constant: " + loss);
    }

    @Test
    void what_makes_no_mean_is_refused() {
        Solver solver = Solver.Online.averaging(Solver.Rule.ADAGRAD);
        refused("use --consistency bsp", () -> plan(2).withConsistency("ssp:3").check(solver));
        refused(
                "leave out",
                () -> plan(2).withRhythm(new Rhythm("bsp", false, 4, 0, false)).check(solver));
        refused("skip", () -> plan(2).withFilters("skip:0.1").check(solver));
        refused(
                "use --exchange server",
                () -> plan(2).withRhythm(new Rhythm("bsp", false, 1, 0, true))
                        .check(averaging(Solver.Rule.SGD, 3, Exchange.RING)));
        refused("sgd or adagrad", () -> Solver.Online.averaging(Solver.Rule.FTRL));
        refused("1 or more", () -> Local.Averaging.DEFAULT.withEvery(0));
        refused(
                "average more often",
                () -> Solver.Online.averaging(Solver.Rule.SGD)
                        .withRows(1_000)
                        .withLocal(Local.Averaging.DEFAULT.withEvery(100)));
    }

    private static void refused(String why, org.junit.jupiter.api.function.Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private static Solver.Online averaging(Solver.Rule rule, int every, Exchange exchange) {
        return Solver.Online.averaging(rule)
                .withLocal(Local.Averaging.DEFAULT.withEvery(every).withExchange(exchange));
    }

    private double loss(Solver.Online solver, Data train, Data held) throws IOException {
        LinearTraining job =
                job(Linear.DEFAULT.withThreads(1).withSolver(solver), train).withValidation(held);
        boolean averages = solver.local() instanceof Local.Averaging;
        return (averages ? job.withCluster(plan(3).withWhere(Where.Simulated.DEFAULT)) : job)
                .run()
                .report()
                .tree()
                .at("/metrics/logloss")
                .asDouble();
    }

    private static JsonNode report(LinearTraining job) throws IOException {
        return job.run().report().tree();
    }

    private static double[] weights(LinearTraining job) throws IOException {
        return job.run().model().weights()[0];
    }

    private Data clicks(int rows, int features) throws IOException {
        return write(Clicks.DEFAULT.withRows(rows).withFeatures(features), "clicks.svm");
    }

    /// Rows that have all of four features.
    private Data dense(int rows) throws IOException {
        Random random = new Random(4);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows; row++) {
            double[] x = random.doubles(4, -1, 1).toArray();
            double score = 3 * x[0] - 2 * x[1] + random.nextGaussian();
            text.append(score > 0 ? 1 : 0);
            for (int j = 0; j < 4; j++) {
                text.append(' ').append(j + 1).append(':').append(x[j]);
            }
            text.append('\n');
        }
        return Data.of(Files.writeString(directory.resolve("dense.svm"), text).toString());
    }

    private Data write(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    private LinearTraining job(Linear settings, Data data) {
        return LinearTraining.of(settings, data).withCache(new CacheUse.Always(directory.resolve("cache")));
    }

    private static ClusterPlan plan(int workers) {
        return ClusterPlan.DEFAULT.withNodes(workers, 1).withConsistency("bsp");
    }
}
