package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import tandem.client.Refused;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.cluster.Coordinator;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.link.Place;
import tandem.problem.Separable;
import tandem.runtime.Processes;
import tandem.server.UpdateRule;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.topology.Topology;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

@Timeout(60)
class ClusterTest {

    private static final int WORKERS = 3;
    private static final int CLOCKS = 20;
    private static final TableSpec COUNTS = TableSpec.dense("counts", WORKERS, 1);

    /// A way to run the same cluster.
    record Way(String name, UnaryOperator<Cluster> in) {

        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Way> WAYS = List.of(
            new Way("threads", cluster -> cluster),
            new Way("unix sockets", cluster -> cluster.overSockets(Where.Transport.UNIX)),
            new Way("tcp", cluster -> cluster.overSockets(Where.Transport.TCP)),
            new Way("simulation", cluster -> cluster.in(simulation())));

    private static Simulation simulation() {
        return new Simulation(1, Network.DEFAULT.withFaults(0.05, 0.05, 300_000), Machines.even(10));
    }

    /// In the simulation messages are lost and doubled: a change counts once all the same.
    @ParameterizedTest
    @FieldSource("WAYS")
    void vectors_are_reckoned_with_where_they_are(Way way) {
        double[] found = new double[3];
        TableSpec table = TableSpec.dense("vectors", 4, 3).withDoubles();
        double[] rows = way.in()
                .apply(Cluster.embedded(1, 2, table))
                .run(
                        worker -> {
                            Vectors vectors = worker.vectors(0);
                            // Vector 0 is 1, 2, 3, 4 and vector 1 is 0, 1, 0, 1.
                            double[] first = {1, 0, 0, 2, 1, 0, 3, 0, 0, 4, 1, 0};
                            worker.await(worker.push(new Slice(0, Keys.range(0, 4), first)));
                            found[0] = vectors.dot(0, 1);
                            vectors.copy(0, 2);
                            vectors.add(10, 1, 2);
                            vectors.scale(0, 0.5);
                            found[1] = vectors.dot(2, 2);
                            found[2] = vectors.nonZeros(1);
                            vectors.fill(1, 7);
                        },
                        session -> {
                            double[] all = new double[12];
                            session.read(new Slice(0, Keys.range(0, 4), all));
                            return all;
                        });
        assertArrayEquals(new double[] {6, 1 + 144 + 9 + 196, 2}, found);
        assertArrayEquals(new double[] {0.5, 7, 1, 1, 7, 12, 1.5, 7, 3, 2, 7, 14}, rows);
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void the_same_body_counts_everywhere(Way way) {
        float[] counted = way.in()
                .apply(Cluster.embedded(WORKERS, 2, COUNTS).withConsistency("ssp:1"))
                .run(ClusterTest::count, ClusterTest::read);
        assertArrayEquals(new float[] {CLOCKS, CLOCKS, CLOCKS}, counted);
    }

    private static void count(Worker worker) {
        for (int clock = 0; clock < CLOCKS; clock++) {
            float[] seen = new float[WORKERS];
            worker.await(worker.pull(slice(worker, Keys.range(0, WORKERS), seen)));
            for (float one : seen) {
                assertTrue(one >= clock - 1, () -> "at clock " + worker.clock() + " saw " + one);
            }
            worker.push(slice(worker, Keys.range(worker.number(), 1), 1));
        }
    }

    private static Slice slice(Worker worker, Keys keys, float... values) {
        return new Slice(worker.table("counts"), keys, values);
    }

    private static float[] read(Session session) {
        float[] all = new float[WORKERS];
        session.read(new Slice(session.layout().table("counts"), Keys.range(0, WORKERS), all));
        return all;
    }

    /// Keeps the largest value pushed.
    private record Most() implements UpdateRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public void update(float[] entries, int at, float pushed) {
            entries[at] = Math.max(entries[at], pushed);
        }
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void a_rule_and_a_consistency_of_ones_own_are_used(Way way) {
        // Reads wait for worker 0's first two clocks, and for nobody else's.
        Consistency patient = (clock, sent) -> new After(sent, Math.min(clock, 2), 1.0 / WORKERS);
        float[] most = way.in()
                .apply(Cluster.embedded(WORKERS, 1, COUNTS.withRule("most"))
                        .withRules(rules -> rules.with("most", _ -> new Most()))
                        .withConsistency(patient))
                .run(
                        worker -> {
                            for (int value : new int[] {3, 9, 5}) {
                                worker.push(slice(worker, Keys.range(0, 1), value + worker.number()));
                            }
                            float[] seen = {0};
                            worker.await(worker.pull(slice(worker, Keys.range(0, 1), seen)));
                            assertTrue(seen[0] >= 9 + worker.number());
                        },
                        ClusterTest::read);
        assertEquals(11, most[0]);
    }

    @ParameterizedTest
    @EnumSource
    void the_rules_of_training_are_built_in(Solver.Rule rule) {
        float[] learned = Cluster.embedded(
                        1, 1, TableSpec.dense("counts", WORKERS, 1).withRule(rule.label(), 0.5, 2))
                .run(
                        worker -> {
                            worker.push(slice(worker, Keys.range(0, WORKERS), 1, -2, 0.25f));
                            worker.push(slice(worker, Keys.range(1, 1), 3));
                        },
                        ClusterTest::read);
        UpdateRule plain = rule.of(0.5, 2, Separable.NONE);
        float[][] pushed = {{1}, {-2, 3}, {0.25f}};
        for (int row = 0; row < WORKERS; row++) {
            float[] entry = new float[plain.columns()];
            for (float gradient : pushed[row]) {
                plain.update(entry, 0, gradient);
            }
            assertEquals(entry[0], learned[row]);
        }
    }

    /// What docs/consistency.md says of bsp: all earlier clocks are in every read, and the order within a clock is left
    /// to chance, which in simulated time comes from the seed.
    @Test
    void bulk_synchronous_reads_miss_nothing_though_bits_depend_on_the_order_of_arrival() {
        Set<Float> ends = new TreeSet<>();
        for (long seed = 1; seed <= 5; seed++) {
            float end = learnTogether(seed);
            assertEquals(end, learnTogether(seed));
            ends.add(end);
        }
        assertTrue(ends.size() > 1, ends::toString);
    }

    private static float learnTogether(long seed) {
        TableSpec weight = TableSpec.dense("weight", 1, 1).withRule("ftrl", 0.5);
        return Cluster.embedded(WORKERS, 1, COUNTS, weight)
                .in(new Simulation(seed, Network.DEFAULT.withFaults(0.05, 0.05, 300_000), Machines.even(10)))
                .run(
                        worker -> {
                            for (int clock = 0; clock < CLOCKS; clock++) {
                                float[] seen = new float[WORKERS];
                                worker.await(worker.pull(slice(worker, Keys.range(0, WORKERS), seen)));
                                for (float one : seen) {
                                    assertTrue(one >= clock, () -> "at clock " + worker.clock() + " saw " + one);
                                }
                                worker.push(
                                        slice(worker, Keys.range(worker.number(), 1), 1),
                                        new Slice(1, Keys.range(0, 1), new float[] {worker.number() - 0.7f}));
                            }
                        },
                        session -> {
                            float[] end = new float[1];
                            session.read(new Slice(1, Keys.range(0, 1), end));
                            return end[0];
                        });
    }

    @Test
    void a_rule_of_training_says_which_numbers_it_needs() {
        Cluster cluster = Cluster.embedded(1, 1, COUNTS.withRule("ftrl"));
        RuntimeException refused = assertThrows(RuntimeException.class, () -> cluster.run(ClusterTest::count));
        assertTrue(
                refused.getMessage().contains("the rule ftrl was given 0 numbers; give 1 to 7: learning rate, beta"),
                refused.getMessage());
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void workers_sum_arrays_with_each_other(Way way) {
        way.in().apply(Cluster.embedded(WORKERS, 1)).run(worker -> {
            for (Topology topology : Topology.values()) {
                float[] many = new float[300_000];
                double[] small = {worker.number(), 1};
                Arrays.fill(many, worker.number() + 1);
                Ticket one = worker.sum(topology, Values.of(many));
                worker.await(worker.sum(topology, Values.of(small)));
                worker.await(one);
                assertArrayEquals(new double[] {3, 3}, small);
                for (float value : many) {
                    assertEquals(6, value);
                }
            }
        });
    }

    /// A server or worker in a process of its own.
    static final class Node {
        public static void main(String[] args) throws IOException {
            Processes.endWithParent();
            Address self = new Address(Address.Role.valueOf(args[0]), Integer.parseInt(args[1]));
            Cluster.embedded(2, 1, TWO).join(self, Place.loopback(), Place.of(args[2]), worker -> {
                worker.push(slice(worker, Keys.range(worker.number(), 1), 1));
                double[] sum = {worker.number() + 1};
                worker.await(worker.sum(sum));
                if (!args[3].isEmpty()) {
                    throw new IOException(args[3]);
                }
                assertEquals(3, sum[0]);
            });
        }
    }

    private static final TableSpec TWO = TableSpec.dense("counts", 2, 1);

    private static float[] inProcesses(String failure) throws IOException {
        try (Processes nodes = new Processes(_ -> {}, _ -> {})) {
            return Cluster.embedded(2, 1, TWO)
                    .coordinate(
                            Place.loopback(),
                            place -> {
                                start(nodes, Address.server(0), place, "");
                                start(nodes, Address.worker(0), place, "");
                                start(nodes, Address.worker(1), place, failure);
                            },
                            session -> {
                                float[] all = new float[2];
                                session.read(new Slice(0, Keys.range(0, 2), all));
                                return all;
                            });
        }
    }

    private static void start(Processes nodes, Address node, Place coordinator, String failure) {
        try {
            String number = Integer.toString(node.number());
            nodes.start(
                    node.toString(),
                    List.of("-Xmx64m"),
                    Node.class,
                    node.role().name(),
                    number,
                    coordinator.toString(),
                    failure);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nodes_may_be_processes() throws IOException {
        assertArrayEquals(new float[] {1, 1}, inProcesses(""));
    }

    @Test
    void what_fails_in_another_process_is_told() {
        Coordinator.Failed failed = assertThrows(Coordinator.Failed.class, () -> inProcesses("the disk is full"));
        assertEquals("worker 1: the disk is full", failed.getMessage());
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void what_a_body_throws_ends_the_run_though_others_wait_for_it(Way way) {
        Cluster cluster = way.in().apply(Cluster.embedded(WORKERS, 2, COUNTS));
        IllegalStateException checked = assertThrows(
                IllegalStateException.class,
                () -> cluster.run(worker -> {
                    if (worker.number() == 1) {
                        throw new IOException("no such file");
                    }
                    count(worker);
                }));
        assertEquals("no such file", checked.getMessage());
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void an_assertion_that_fails_in_a_body_fails_outside(Way way) {
        Cluster cluster = way.in().apply(Cluster.embedded(1, 1, COUNTS));
        assertThrows(AssertionError.class, () -> cluster.run(worker -> assertEquals(7, worker.number())));
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void a_rule_that_servers_do_not_know_ends_the_run(Way way) {
        Cluster cluster = way.in().apply(Cluster.embedded(2, 1, COUNTS.withRule("nope")));
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> cluster.run(ClusterTest::count));
        assertTrue(e.getMessage().startsWith("no rule is called nope"), e.getMessage());
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void a_table_that_servers_could_not_make_is_refused_and_everyone_goes_on(Way way) {
        float[] counted = way.in()
                .apply(Cluster.embedded(WORKERS, 2, COUNTS))
                .run(
                        worker -> {
                            refused(worker, TableSpec.sparse("a", 1).withRule("nope"), "no rule is called nope");
                            refused(worker, TableSpec.sparse("b", 1).withRule("ftrl"), "was given 0 numbers");
                            refused(worker, TableSpec.sparse("c", 1).withFilters(List.of("nope"), List.of()), "nope");
                            count(worker);
                        },
                        ClusterTest::read);
        assertArrayEquals(new float[] {CLOCKS, CLOCKS, CLOCKS}, counted);
    }

    private static void refused(Worker worker, TableSpec table, String why) {
        Refused refused = assertThrows(Refused.class, () -> worker.session().create(table));
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }

    @Test
    void only_servers_and_workers_join() {
        Cluster cluster = Cluster.embedded(1, 1, COUNTS);
        Place nowhere = Place.loopback();
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> cluster.join(Address.reader(0), Place.loopback(), nowhere, _ -> {}));
        assertTrue(e.getMessage().startsWith("reader 0 cannot join"), e.getMessage());
    }

    @Test
    void a_slow_worker_is_waited_for_longer_than_a_silent_one_would_be() {
        CountDownLatch never = new CountDownLatch(1);
        Cluster.embedded(WORKERS, 1, COUNTS)
                .withConsistency("ssp:1")
                .withSilence(Duration.ofSeconds(1))
                .run(worker -> {
                    assertFalse(worker.number() == 0 && never.await(1500, TimeUnit.MILLISECONDS));
                    count(worker);
                });
    }

    @Test
    void nobody_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> Cluster.embedded(0, 1, COUNTS));
        assertThrows(IllegalArgumentException.class, () -> Cluster.embedded(1, 0, COUNTS));
    }
}
