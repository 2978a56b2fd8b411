package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.LinearModel;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.wire.Upkeep;

class DistributedTrainingTest {

    private static final Linear ONE_THREAD = Linear.DEFAULT.withThreads(1);

    @TempDir
    Path directory;

    private Data train;
    private Data held;

    @BeforeEach
    void makeClicks() throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(12_000).withFeatures(5_000).withSeed(3);
        train = clicks(clicks, "train.svm");
        held = clicks(clicks.next(5_000), "held.svm");
    }

    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void one_worker_and_one_server_in_sequence_give_the_bits_of_a_sequential_minibatch_run(Solver.Rule rule)
            throws IOException {
        Linear settings = ONE_THREAD
                .withPenalty(Separable.NONE)
                .withSolver(Solver.Online.of(rule).withPasses(3).withRows(64));
        assertSequential(settings);
    }

    /// As few batches as streams, so that ends of passes are half of what servers count.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_weight_meets_the_penalty_once_a_pass_however_few_updates_that_has(boolean deterministic) throws IOException {
        Path file = directory.resolve("rare.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(2_000).write(file, 1, _ -> {});
        Data rare = Data.of(file.toString());
        Linear l1 = ONE_THREAD.withPenalty(Separable.l1(2));
        double optimum = objective(job(l1.withSolver(Solver.Batch.DEFAULT), rare));
        Solver.Online online = Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(200);
        ClusterPlan plan =
                ClusterPlan.DEFAULT.withNodes(8, 1).withBatchRows(256).withConsistency("bsp");
        Rhythm rhythm = new Rhythm("bsp", false, 1, 0, deterministic);
        double found = objective(job(l1.withSolver(online), rare).withCluster(plan.withRhythm(rhythm)));
        assertEquals(1, found / optimum, 0.03);
    }

    private static double objective(LinearTraining job) throws IOException {
        return job.run().report().tree().get("objective").asDouble();
    }

    private void assertSequential(Linear settings) throws IOException {
        Trained alone = job(settings, train.withBatchRows(64))
                .withCache(new CacheUse.Always(directory.resolve("cache")))
                .run();
        Trained together = job(settings, train)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(1, 1)
                        .withConsistency("bsp")
                        .withBatchRows(64))
                .run();
        assertSameBits(alone, together);
    }

    @Test
    void batches_of_one_give_the_bits_of_the_one_thread_solver() throws IOException {
        Linear settings = ONE_THREAD.withSolver(
                Solver.Online.of(Solver.Rule.FTRL).withPasses(1).withRows(1));
        Trained alone = job(settings, train.withBatchRows(1))
                .withCache(new CacheUse.Always(directory.resolve("cache")))
                .run();
        Trained together = job(settings, train)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(1, 1)
                        .withConsistency("bsp")
                        .withBatchRows(1))
                .run();
        assertSameBits(alone, together);
    }

    /// Most features come seldom: leaving those out costs little, and memory stays within its limit.
    @Test
    void features_earn_their_weights_and_memory_has_a_limit() throws IOException {
        Linear settings =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(2));
        ClusterPlan plan = ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp");
        JsonNode all = job(settings, train)
                .withValidation(held)
                .withCluster(plan)
                .run()
                .report()
                .tree();
        JsonNode some = job(settings, train)
                .withValidation(held)
                .withCluster(plan.withUpkeep(new Upkeep(8, 256 << 10, Long.MAX_VALUE)))
                .run()
                .report()
                .tree();
        JsonNode few = job(settings, train)
                .withValidation(held)
                .withCluster(plan.withUpkeep(new Upkeep(1, 0, 8 * (64 << 10))))
                .run()
                .report()
                .tree();
        assertEquals(0, all.at("/servers/refused").asLong());
        assertTrue(
                some.at("/servers/refused").asLong() > 100, some.at("/servers").toString());
        assertTrue(some.at("/servers/keys").asLong() < all.at("/servers/keys").asLong());
        assertEquals(all.at("/metrics/auc").asDouble(), some.at("/metrics/auc").asDouble(), 0.02);
        assertTrue(
                few.at("/servers/bytes").asLong() <= 8 * (64 << 10),
                few.at("/servers").toString());
        assertEquals(all.at("/metrics/auc").asDouble(), few.at("/metrics/auc").asDouble(), 0.05);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bsp", "ssp:3", "essp:3", "bounded:4", "bounded:8..1", "async", "fraction:1"})
    void every_consistency_learns_clicks(String consistency) throws IOException {
        JsonNode report = job(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(3)),
                        train)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(3, 2)
                        .withConsistency(consistency)
                        .withBatchRows(128))
                .run()
                .report()
                .tree();
        assertTrue(report.at("/metrics/auc").asDouble() > 0.72, report.at("/metrics/auc")::toString);
        assertEquals(3, report.get("workers").size());
        assertEquals(36_000, report.get("examples").asLong());
    }

    /// With real threads nobody knows who will be last, so only what is skipped and learned in all is sure.
    @Test
    void three_workers_of_four_are_enough_to_learn_clicks_in_threads() throws IOException {
        JsonNode report = job(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(4).withPatience(0)),
                        train)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(4, 2)
                        .withConsistency("fraction:0.75")
                        .withBatchRows(64))
                .run()
                .report()
                .tree();
        assertTrue(report.at("/metrics/auc").asDouble() > 0.75, report.at("/metrics/auc")::toString);
        long learned = report.get("examples").asLong();
        assertEquals(4 * 12_000, learned + report.at("/skipped/examples").asLong());
        assertTrue(learned >= 0.75 * 4 * 12_000, () -> "learned from " + learned);
    }

    /// With each, clicks are learned as well as without filters, to a hundredth of AUC.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "keycache,delta,runs,zstd:3",
                "keycache,skip:0.3,lz4",
                "keycache,significant:0.5,lz4",
                "keycache,fixed:1",
                "keycache,fixed:2,lz4",
                "keycache,fp16",
                "keycache,push=bf16,pull=bf16:nearest",
                "keycache,skip:0.1,runs,fixed:2,zstd"
            })
    void every_stack_of_filters_learns_clicks(String filters) throws IOException {
        JsonNode report = learned(filters, 3, 2, "ssp:2").report().tree();
        assertTrue(report.at("/metrics/auc").asDouble() > 0.755, report.toString());
        JsonNode counted = report.at("/bytes/byFilter");
        for (String filter : filters.split(",")) {
            String name = filter.replaceAll(".*=|:.*", "");
            assertEquals(!name.equals("none"), counted.has(name), counted::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "delta,lz4", "keycache,skip:0,significant:0,runs,fixed:0,zstd", "bf16:exact"})
    void filters_that_lose_nothing_change_no_bit(String filters) throws IOException {
        assertSameBits(learned("keycache", 1, 1, "bsp"), learned(filters, 1, 1, "bsp"));
    }

    /// What filters do depends on requests, not on where they run or how often they are sent.
    @Test
    void lossy_filters_give_the_same_bits_in_threads_and_in_a_simulation_that_loses_messages() throws IOException {
        String filters = "keycache,skip:0.2,significant:0.1,runs,fixed:1,lz4";
        Trained threads = learned(filters, 1, 1, "bsp");
        Network bad = Network.DEFAULT.withFaults(0.05, 0.05, 300_000);
        Trained simulated = learned(filters, 1, 1, "bsp", new Where.Simulated(bad, 25, 0, 1));
        assertSameBits(threads, simulated);
    }

    private Trained learned(String filters, int workers, int servers, String consistency) throws IOException {
        return learned(filters, workers, servers, consistency, new Where.Embedded());
    }

    private Trained learned(String filters, int workers, int servers, String consistency, Where where)
            throws IOException {
        return job(Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(2)), train)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(workers, servers)
                        .withConsistency(consistency)
                        .withFilters(filters)
                        .withBatchRows(128)
                        .withWhere(where))
                .run();
    }

    @Test
    void simulated_time_gives_the_same_bits_and_the_same_trace_every_time() throws IOException {
        LinearTraining job = job(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(2)),
                        train)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(20, 5)
                        .withConsistency("ssp:2")
                        .withBatchRows(64)
                        .withWhere(new Where.Simulated(Network.DEFAULT, 25, 0.1, 3)));
        Trained one = job.run();
        Trained two = job.run();
        assertSameBits(one, two);
        JsonNode report = one.report().tree();
        assertEquals(report.get("simulated"), two.report().tree().get("simulated"));
        assertTrue(report.at("/staleness/max").asDouble() <= 2, report.get("staleness")::toString);
        assertTrue(report.at("/bytes/sent").asLong() > 0);
    }

    /// Of four simulated workers one or more are ten times slower than the others.
    @Test
    void an_epoch_ends_without_the_slowest_and_says_what_it_skipped() throws IOException {
        JsonNode even = slowed("fraction:0.75", false, 0);
        JsonNode without = slowed("fraction:0.75", false, 10);
        assertEquals(
                10 * 12_000,
                without.get("examples").asLong()
                        + without.at("/skipped/examples").asLong());
        double share = without.at("/skipped/share").asDouble();
        assertTrue(share > 0.1 && share < 0.25, () -> "skipped " + share);
        double ratio = without.get("seconds").asDouble() / even.get("seconds").asDouble();
        assertTrue(ratio < 1.2, () -> "with a straggler it took " + ratio + " times as long");
        double loss =
                even.at("/metrics/auc").asDouble() - without.at("/metrics/auc").asDouble();
        assertTrue(loss < 0.005, () -> "AUC lower by " + loss);
    }

    @Test
    void with_stealing_nothing_is_skipped_and_every_example_counts_once() throws IOException {
        JsonNode even = slowed("fraction:0.75", true, 0);
        JsonNode stolen = slowed("fraction:0.75", true, 10);
        assertEquals(0, stolen.at("/skipped/examples").asLong());
        assertEquals(10 * 12_000, stolen.get("examples").asLong());
        double ratio = stolen.get("seconds").asDouble() / even.get("seconds").asDouble();
        // Three workers and a tenth do what four did before.
        assertTrue(ratio < 1.1 * 4 / 3.1, () -> "with a straggler it took " + ratio + " times as long");
    }

    @Test
    void computing_sending_and_waiting_are_parts_of_the_time() throws IOException {
        JsonNode report = job(ONE_THREAD, train)
                .withCluster(ClusterPlan.DEFAULT.withNodes(2, 1))
                .run()
                .report()
                .tree();
        for (JsonNode worker : report.get("workers")) {
            double compute = worker.get("computeSeconds").asDouble();
            double communication = worker.get("communicationSeconds").asDouble();
            assertTrue(compute > 0 && communication > 0, worker::toString);
            double all = compute + communication + worker.get("waitSeconds").asDouble();
            assertTrue(all <= report.get("seconds").asDouble(), report::toString);
        }
    }

    @Test
    void the_report_says_how_workers_spent_their_time_and_how_stale_each_table_was() throws IOException {
        JsonNode report = slowed("ssp:2", false, 10);
        JsonNode workers = report.get("workers");
        double most = 0;
        for (JsonNode worker : workers) {
            double compute = worker.get("computeSeconds").asDouble();
            double wait = worker.get("waitSeconds").asDouble();
            most = Math.max(most, wait / (compute + wait));
            // All have worked or waited while the slowest worked.
            assertEquals(
                    workers.get(0).get("computeSeconds").asDouble()
                            + workers.get(0).get("waitSeconds").asDouble(),
                    compute + wait,
                    0.1 * (compute + wait));
            assertEquals(10 * 47, worker.get("clock").asLong());
        }
        assertTrue(most > 0.8, workers::toString);
        JsonNode tables = report.at("/staleness/byTable");
        assertEquals(2, tables.size(), tables::toString);
        for (JsonNode table : tables) {
            assertEquals(2, table.get("max").asInt(), tables::toString);
            assertEquals(3, table.get("histogram").size(), tables::toString);
        }
        long reads = 0;
        for (JsonNode place : tables.get("intercept 0").get("histogram")) {
            reads += place.asLong();
        }
        // One server has the intercept.
        assertEquals(10 * 4 * 47, reads, 10 * 4);
    }

    @Test
    void pushes_within_a_budget_learn_clicks_and_the_bound_holds() throws IOException {
        Rhythm rhythm = Rhythm.DEFAULT.withConsistency("ssp:1").withBatchesPerClock(4);
        JsonNode late = simulated(rhythm.withPushBytesPerSecond(1));
        JsonNode early = simulated(rhythm.withPushBytesPerSecond(10_000_000));
        for (JsonNode report : List.of(late, early)) {
            assertEquals(3 * 12_000, report.get("examples").asLong());
            assertTrue(report.at("/metrics/auc").asDouble() > 0.75, report.at("/metrics/auc")::toString);
            assertTrue(report.at("/staleness/max").asInt() <= 1, report.get("staleness")::toString);
            assertEquals(3 * 12, report.at("/workers/0/clock").asInt());
        }
        assertTrue(
                early.at("/bytes/sent").asLong() > late.at("/bytes/sent").asLong(),
                "nothing went before the end of a clock");
    }

    /// Nothing but traffic tells the two apart from outside.
    @Test
    void an_eager_consistency_is_eager_in_training() throws IOException {
        JsonNode lazy = simulated(Rhythm.DEFAULT.withConsistency("ssp:3"));
        JsonNode eager = simulated(Rhythm.DEFAULT.withConsistency("essp:3"));
        assertTrue(received(eager) > 3 * received(lazy), "servers sent nothing by themselves");
        // Lazy reads ask for whole lists, which are remembered; eager ones for the rows that are missing.
        assertTrue(listed(eager) < 0.6 * listed(lazy), "rows were not kept");
        assertTrue(eager.at("/staleness/max").asInt() <= 3, eager.get("staleness")::toString);
        assertEquals(
                lazy.at("/metrics/auc").asDouble(), eager.at("/metrics/auc").asDouble(), 0.005);
    }

    private static long received(JsonNode report) {
        return report.at("/bytes/received").asLong();
    }

    private static long listed(JsonNode report) {
        return report.at("/bytes/byFilter/keycache/before").asLong();
    }

    private JsonNode simulated(Rhythm rhythm) throws IOException {
        return job(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(3).withPatience(0)),
                        train)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(4, 2)
                        .withRhythm(rhythm)
                        .withBatchRows(64)
                        .withWhere(Where.Simulated.DEFAULT))
                .run()
                .report()
                .tree();
    }

    private JsonNode slowed(String consistency, boolean steal, double slowdown) throws IOException {
        return job(
                        Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL)
                                .withPasses(10)
                                .withPatience(0)),
                        train)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(4, 2)
                        .withRhythm(new Rhythm(consistency, steal, 1, 0, false))
                        .withBatchRows(64)
                        .withWhere(new Where.Simulated(
                                Network.DEFAULT, 2500, slowdown == 0 ? 0 : 0.25, Math.max(1, slowdown))))
                .run()
                .report()
                .tree();
    }

    /// Servers keep zeros to themselves, so only what is not zero is compared.
    private static void assertSameBits(Trained one, Trained other) {
        assertEquals(weights(one.model()), weights(other.model()));
        assertArrayEquals(one.model().intercepts(), other.model().intercepts());
    }

    private static Map<Long, Double> weights(LinearModel model) {
        Map<Long, Double> weights = new TreeMap<>();
        for (int i = 0; i < model.ids().length; i++) {
            if (model.weights()[0][i] != 0) {
                weights.put(model.ids()[i], model.weights()[0][i]);
            }
        }
        return weights;
    }

    private LinearTraining job(Linear settings, Data data) {
        return LinearTraining.of(settings, data).withCache(new CacheUse.Auto(directory.resolve("cache")));
    }

    private Data clicks(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }
}
