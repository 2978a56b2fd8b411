package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Client;
import tandem.client.Refused;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.Consistency;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Tables come and go while workers push and pull, over a network that loses, doubles and reorders.
class ReshapingTest {

    private static final long SILENCE = 60_000_000_000L;
    private static final long TICK = 50_000_000;
    private static final int WORKERS = 3;
    private static final int SERVERS = 4;
    private static final int CLOCKS = 30;

    /// One shard: most servers hold none of it, and must still know every number when they get a shard of another.
    private static final TableSpec COUNTS =
            TableSpec.dense("counts", WORKERS, 1).withShards(1);

    /// Keys that get a row with their third update.
    private static final TableSpec SELDOM =
            TableSpec.sparse("seldom", 1).withShards(5).withAdmission(3, 64 << 10);

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    private Simulation simulation;
    private final float[] counted = new float[WORKERS];
    private final float[] seldom = new float[1 + WORKERS];
    private final List<String> failures = new ArrayList<>();

    /// What a worker does.
    private interface Work {
        void run(int worker, Session session);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void tables_come_and_go_and_every_update_of_the_others_counts_once(long seed) {
        int staleness = (int) (seed % 3);
        Consistency consistency = Consistency.ssp(staleness);
        play(seed, (worker, session) -> {
            int own = -1;
            int ownPushes = 0;
            List<Ticket> risky = new ArrayList<>();
            for (int clock = 0; clock < CLOCKS; clock++) {
                if (clock == 5 + worker) {
                    own = session.create(TableSpec.sparse("own " + worker, 1).withShards(6));
                }
                float[] seen = new float[WORKERS];
                session.await(session.pull(
                        worker,
                        consistency.after(session.clock(worker), session.sent(worker)),
                        new Slice(0, Keys.range(0, WORKERS), seen)));
                for (float count : seen) {
                    assertTrue(count >= clock - staleness, "seed " + seed + " at " + clock + " saw " + count);
                }
                List<Slice> slices = new ArrayList<>();
                slices.add(new Slice(0, Keys.range(worker, 1), new float[] {1}));
                if (own > 0 && clock < 20) {
                    slices.add(new Slice(own, Keys.once(new long[] {-7, -1}, 2), new float[] {1, 2}));
                    ownPushes++;
                }
                risky.add(session.update(worker, clock + 1, slices.toArray(Slice[]::new)));
                if (clock == 15) {
                    float[] rows = new float[2];
                    session.await(session.pull(
                            worker,
                            consistency.after(session.clock(worker), session.sent(worker)),
                            new Slice(own, Keys.once(new long[] {-7, -1}, 2), rows)));
                    assertArrayEquals(new float[] {ownPushes, 2 * ownPushes}, rows, "seed " + seed);
                }
                if (clock == 20) {
                    int gone = own;
                    risky.add(session.pull(
                            worker,
                            Consistency.async().after(0, 0),
                            new Slice(gone, Keys.once(new long[] {3}, 1), new float[1])));
                    session.drop("own " + worker);
                    String why = assertThrows(
                                    IllegalArgumentException.class,
                                    () -> session.read(new Slice(gone, Keys.once(new long[] {3}, 1), new float[1])))
                            .getMessage();
                    assertTrue(why.contains("there is no table " + gone), why);
                }
            }
            session.flush(worker);
            risky.forEach(ticket -> note(session, ticket, "own " + worker));
        });
        for (float count : counted) {
            assertEquals(CLOCKS, count, "seed " + seed);
        }
    }

    /// All but the first two updates of a key count, however often each comes: an update that was taken for two would
    /// bring the key its row too soon.
    @ParameterizedTest
    @MethodSource("seeds")
    void a_key_earns_its_row_by_updates_that_count_once_though_layouts_change(long seed) {
        int staleness = (int) (seed % 3);
        Consistency consistency = Consistency.ssp(staleness);
        long[] keys = {7, -3, -2, -1};
        play(seed, (worker, session) -> {
            for (int clock = 0; clock < CLOCKS; clock++) {
                if (clock % 7 == worker) {
                    session.create(TableSpec.dense("made " + worker + " at " + clock, 1, 1));
                }
                float[] seen = new float[keys.length];
                session.await(session.pull(
                        worker,
                        consistency.after(session.clock(worker), session.sent(worker)),
                        new Slice(1, Keys.repeated(keys, keys.length), seen)));
                String what = "seed " + seed + ": worker " + worker + " at " + clock + " saw " + Arrays.toString(seen);
                assertEquals(Math.max(0, clock - 2), seen[worker + 1], what);
                assertTrue(seen[0] >= WORKERS * (clock - staleness) + staleness - 2, what);
                long[] mine = {7, worker - WORKERS};
                session.update(
                        worker,
                        clock + 1,
                        new Slice(0, Keys.range(worker, 1), new float[] {1}),
                        new Slice(1, Keys.once(mine, 2), new float[] {1, 1}));
            }
            session.flush(worker);
        });
        assertArrayEquals(new float[] {CLOCKS, CLOCKS, CLOCKS}, counted, "seed " + seed);
        float[] earned = {WORKERS * CLOCKS - 2, CLOCKS - 2, CLOCKS - 2, CLOCKS - 2};
        assertArrayEquals(earned, seldom, "seed " + seed);
    }

    private void note(Session session, Ticket ticket, String table) {
        try {
            session.await(ticket);
        } catch (Refused refused) {
            failures.add(refused.getMessage());
            assertTrue(
                    refused.getMessage().contains("a table was dropped while it was in use: " + table),
                    refused.getMessage());
        }
    }

    /// What is under way for a table when it goes is told so; with this network and seed there always is something.
    @Test
    void what_is_under_way_for_a_dropped_table_fails_and_says_why() {
        play(11, (worker, session) -> {
            if (worker == 0) {
                int table = session.create(TableSpec.sparse("short-lived", 1).withShards(8));
                List<Ticket> tickets = new ArrayList<>();
                for (int clock = 1; clock <= CLOCKS; clock++) {
                    long[] key = {Long.MAX_VALUE / CLOCKS * clock};
                    tickets.add(session.update(worker, clock, new Slice(table, Keys.once(key, 1), new float[] {1})));
                    tickets.add(session.pull(
                            worker,
                            Consistency.async().after(0, 0),
                            new Slice(table, Keys.once(key, 1), new float[1])));
                }
                session.drop("short-lived");
                tickets.forEach(ticket -> note(session, ticket, "short-lived"));
            }
            session.update(worker, CLOCKS + 1, new Slice(0, Keys.range(worker, 1), new float[] {CLOCKS}));
            session.flush(worker);
        });
        assertTrue(failures.size() > 3, "failed: " + failures);
        assertArrayEquals(new float[] {CLOCKS, CLOCKS, CLOCKS}, counted);
    }

    @Test
    void what_cannot_be_is_refused_once_and_clearly() {
        play(5, (worker, session) -> {
            Refused twice = assertThrows(Refused.class, () -> session.create(COUNTS));
            assertEquals("there is a table called counts already; drop it, or choose another name", twice.getMessage());
            Refused missing = assertThrows(Refused.class, () -> session.drop("nothing"));
            assertEquals("there is no table called nothing", missing.getMessage());
        });
    }

    @Test
    void a_name_can_be_used_again_and_means_another_table() {
        play(6, (worker, session) -> {
            if (worker == 0) {
                int before = -1;
                for (int round = 1; round <= 5; round++) {
                    int table = session.create(TableSpec.dense("again", 1, 1));
                    assertTrue(table > before);
                    before = table;
                    float[] value = {0};
                    Slice row = new Slice(table, Keys.range(0, 1), new float[] {round});
                    session.await(session.update(worker, round, row));
                    session.read(new Slice(table, Keys.range(0, 1), value));
                    assertEquals(round, value[0]);
                    session.drop("again");
                }
            }
            session.update(worker, CLOCKS, new Slice(0, Keys.range(worker, 1), new float[] {CLOCKS}));
            session.flush(worker);
        });
        assertArrayEquals(new float[] {CLOCKS, CLOCKS, CLOCKS}, counted);
    }

    /// Runs the work on all workers, then reads the counts.
    private void play(long seed, Work work) {
        Network network = Network.DEFAULT.withFaults(0.02 * (seed % 6), 0.02 * (seed % 5), 300_000 * (seed % 3));
        simulation = new Simulation(seed, network, Machines.even(1));
        Coordinator coordinator =
                new Coordinator(SERVERS, WORKERS, WORKERS, List.of(COUNTS, SELDOM), simulation.resendNanos());
        simulation.add(Address.COORDINATOR, coordinator);
        Duty idle = _ -> Duty.OVER;
        for (int s = 0; s < SERVERS; s++) {
            Address address = Address.server(s);
            Member member = new Member(new Server(s, new Rules(), 0), 1, "", TICK);
            simulation.add(address, member);
            simulation.loop(address, station -> idle.run(address, member, station, SILENCE));
        }
        for (int w = 0; w < WORKERS; w++) {
            int worker = w;
            Address address = Address.worker(w);
            Client client = new Client(simulation.resendNanos());
            Member member = new Member(client, 1, "", TICK);
            simulation.add(address, member);
            simulation.loop(address, station -> {
                Session session = new Session(address, client, station, SILENCE);
                Duty duty = _ -> {
                    work.run(worker, session);
                    session.end(worker);
                    return Duty.OVER;
                };
                duty.run(address, member, station, SILENCE);
            });
        }
        List<Address> workers =
                IntStream.range(0, WORKERS).mapToObj(Address::worker).toList();
        simulation.run(station -> {
            Conductor conductor = new Conductor(coordinator, station, SILENCE);
            conductor.awaitAll(TICK, () -> {});
            conductor.order(workers, new byte[] {1}, TICK, () -> {});
            Session reader = conductor.reader(SILENCE);
            reader.read(new Slice(0, Keys.range(0, WORKERS), counted));
            reader.read(new Slice(1, Keys.once(new long[] {7, -3, -2, -1}, seldom.length), seldom));
            conductor.dismiss(
                    Stream.concat(IntStream.range(0, SERVERS).mapToObj(Address::server), workers.stream())
                            .toList(),
                    TICK);
        });
    }
}
