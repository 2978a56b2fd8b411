package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.consistency.Changing;
import tandem.consistency.Consistency;
import tandem.consistency.Fraction;
import tandem.filter.Filters;
import tandem.math.Mix;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.TableSpec;

/// Workers count their clocks in a table, one key each, and look at everyone's count before each clock: what they
/// see must be within the bound of their consistency, and in the end every clock must be counted once.
class TableProtocolTest {

    private static final int WORKERS = 5;
    private static final int SERVERS = 3;
    private static final int CLOCKS = 40;
    private static final long LIST_BYTES = 1 << 20;

    private static final TableSpec COUNTS = TableSpec.sparse("counts", 1).withShards(12);

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_read_is_within_the_staleness_and_every_update_counts_once(long seed) {
        int staleness = (int) (seed % 4);
        Run run = new Run(seed, lossy(seed), Consistency.ssp(staleness));
        run.play();
        run.reads.forEach(read -> read.isWithin(staleness));
        run.assertCountedOnce();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_bounded_delay_bounds_every_read(long seed) {
        int delay = (int) (seed % 5);
        Run run = new Run(seed, lossy(seed), Consistency.bounded(delay));
        run.play();
        run.reads.forEach(read -> read.isDelayedAtMost(delay));
        run.assertCountedOnce();
    }

    /// A delay counts tasks: with several a clock, a read may lack as many of one's own updates, and no more, however
    /// few clocks that is.
    @ParameterizedTest
    @MethodSource("seeds")
    void a_bounded_delay_counts_the_tasks_of_one_clock_too(long seed) {
        int delay = (int) (seed % 5);
        Run run = new Run(seed, Network.DEFAULT.withFaults(0.2, 0, 300_000), Consistency.bounded(delay));
        run.tasks = 8;
        run.play();
        run.reads.forEach(read -> assertTrue(read.lacks() <= delay, read::toString));
        assertTrue(delay == 0 || run.reads.stream().anyMatch(read -> read.lacks() > 0), "seed " + seed);
        run.assertCountedOnce();
    }

    /// A clock is an epoch here: a read in the next one sees it finished by the share of workers that must have. Which
    /// ones those are each server sees for itself, so there is one.
    @ParameterizedTest
    @MethodSource("seeds")
    void every_read_of_an_epoch_comes_after_a_share_of_workers_finished_the_last(long seed) {
        Fraction share = new Fraction(0.2 * (1 + seed % WORKERS));
        Run run = new Run(seed, lossy(seed), share, 1, LIST_BYTES);
        run.play();
        run.reads.forEach(read -> read.comesAfter(share.of(WORKERS)));
        run.assertCountedOnce();
    }

    @Test
    void a_fast_worker_runs_ahead_of_the_share_that_need_not_finish() {
        Run run = new Run(1, Network.DEFAULT, Consistency.fraction(0.8));
        run.play();
        long furthest = run.reads.stream().mapToLong(Read::behind).max().orElseThrow();
        assertTrue(furthest > 5, "the slowest was only " + furthest + " epochs behind");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_bound_that_changes_holds_for_every_read_that_begins_after_the_change(long seed) {
        int before = 4 + (int) (seed % 4);
        int after = (int) (seed % 3);
        Changing changing = new Changing(Consistency.bounded(before));
        Run run = new Run(seed, lossy(seed), changing);
        int[] bound = {before};
        run.bound = () -> bound[0];
        // The slowest is half through.
        run.when(0, CLOCKS / 2, () -> {
            bound[0] = after;
            changing.become(Consistency.bounded(after));
        });
        run.play();
        run.reads.forEach(read -> read.isDelayedAtMost(read.bound));
        assertTrue(run.reads.stream().anyMatch(read -> read.bound == before && read.behind() > after));
        assertTrue(run.reads.stream().anyMatch(read -> read.bound == after));
        run.assertCountedOnce();
    }

    /// One of one's own: everyone waits for all at every fourth clock, and for nobody in between.
    @ParameterizedTest
    @MethodSource("seeds")
    void a_consistency_of_ones_own_holds_for_every_read(long seed) {
        Run run = new Run(seed, lossy(seed), (clock, sent) -> new After(sent, clock - clock % 4));
        run.play();
        run.reads.forEach(read -> read.isWithin((int) (read.clock % 4)));
        run.assertCountedOnce();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void without_bounds_every_update_still_counts_once(long seed) {
        Run run = new Run(seed, lossy(seed), Consistency.async());
        run.play();
        run.assertCountedOnce();
    }

    /// Servers that can remember only one list forget all the time, and are told the keys again.
    @ParameterizedTest
    @MethodSource("seeds")
    void forgetting_key_lists_costs_nothing_but_time(long seed) {
        Run run = new Run(seed, lossy(seed), Consistency.ssp(1), SERVERS, 160);
        run.play();
        run.reads.forEach(read -> read.isWithin(1));
        run.assertCountedOnce();
    }

    @Test
    void the_same_seed_gives_the_same_trace_and_another_one_another() {
        Run one = new Run(7, lossy(7), Consistency.ssp(2));
        Run two = new Run(7, lossy(7), Consistency.ssp(2));
        Run other = new Run(8, lossy(7), Consistency.ssp(2));
        one.play();
        two.play();
        other.play();
        assertEquals(one.simulation.trace(), two.simulation.trace());
        assertNotEquals(one.simulation.trace(), other.simulation.trace());
    }

    @Test
    void without_bounds_a_fast_worker_runs_ahead() {
        Run run = new Run(1, Network.DEFAULT, Consistency.async());
        run.play();
        long furthest = run.reads.stream().mapToLong(Read::behind).max().orElseThrow();
        assertTrue(furthest > 5, "only " + furthest + " clocks ahead");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nobody_waits_for_a_worker_whose_stream_is_over() {
        TinyCluster cluster = new TinyCluster(1, Network.DEFAULT, 2, 1, new Rules(), COUNTS);
        long[] clocks = new long[2];
        cluster.run((worker, session) -> {
            Keys mine = Keys.once(new long[] {worker}, 1);
            while (clocks[worker] < (worker == 0 ? 2 : 5)) {
                After after = Consistency.ssp(0).after(clocks[worker], session.sent(worker));
                session.await(session.pull(worker, after, new Slice(0, mine, new float[1])));
                session.update(worker, ++clocks[worker], new Slice(0, mine, new float[] {1}));
            }
            cluster.over(session, worker);
        });
        assertArrayEquals(new long[] {2, 5}, clocks);
    }

    private static Network lossy(long seed) {
        return Network.DEFAULT.withFaults(0.02 * (seed % 6), 0.02 * (seed % 5), 300_000 * (seed % 3));
    }

    /// What a worker at `clock` saw of everyone.
    ///
    /// @param sent  updates that it had sent
    /// @param bound what held when it began, where that changes
    private record Read(long seed, int worker, long clock, long sent, int bound, float[] seen) {

        /// How many of its own updates it did not see.
        long lacks() {
            return sent - (long) seen[worker];
        }

        long behind() {
            long least = Long.MAX_VALUE;
            for (float count : seen) {
                least = Math.min(least, (long) count);
            }
            return clock - least;
        }

        void isWithin(int staleness) {
            assertTrue(behind() <= staleness, this::toString);
            assertEquals(clock, (long) seen[worker], () -> "not its own: " + this);
        }

        void comesAfter(int finished) {
            int seenThere = 0;
            for (float count : seen) {
                seenThere += count >= clock ? 1 : 0;
            }
            assertTrue(seenThere >= finished, this::toString);
        }

        void isDelayedAtMost(int delay) {
            assertTrue(behind() <= delay, this::toString);
        }

        @Override
        public String toString() {
            return "seed " + seed + ": worker " + worker + " at clock " + clock + " saw " + Arrays.toString(seen);
        }
    }

    private static final class Run {

        private final long seed;
        private final Consistency consistency;
        private final Simulation simulation;
        private final long[] keys = IntStream.range(0, WORKERS)
                .mapToLong(Mix::mix)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        private final List<Read> reads = new ArrayList<>();
        private final float[] counted = new float[WORKERS];
        private final Map<Long, Runnable> events = new TreeMap<>();
        private IntSupplier bound = () -> -1;
        private int tasks = 1;
        private int over;

        Run(long seed, Network network, Consistency consistency) {
            this(seed, network, consistency, SERVERS, LIST_BYTES);
        }

        Run(long seed, Network network, Consistency consistency, int servers, long listBytes) {
            this.seed = seed;
            this.consistency = consistency;
            simulation = new Simulation(seed, network, (node, entries) -> entries * (node.number() == 0 ? 5000 : 1000));
            int[] owners =
                    IntStream.range(0, COUNTS.shards()).map(s -> s % servers).toArray();
            Layout layout = new Layout(1, new TableSpec[] {COUNTS}, new int[][] {owners}, WORKERS);
            for (int s = 0; s < servers; s++) {
                Server server = new Server(
                        s, new Rules(), new Filters(), Server.Ways.usual(0).withListBytes(listBytes));
                server.receive(Address.COORDINATOR, placed(layout), 0, simulation.add(Address.server(s), server));
            }
            for (int w = 0; w < WORKERS; w++) {
                int worker = w;
                Client client = new Client(2_000_000);
                client.receive(
                        Address.COORDINATOR,
                        placed(layout, new Lease(w, 1, false)),
                        0,
                        simulation.add(Address.worker(w), client));
                simulation.loop(
                        Address.worker(w),
                        station -> work(worker, new Session(Address.worker(worker), client, station, 30_000_000_000L)));
            }
        }

        private static Message placed(Layout layout, Lease... leases) {
            return new Message.Placed(layout, new String[SERVERS], leases);
        }

        void play() {
            simulation.run();
        }

        /// Has something happen when a worker comes to a clock.
        void when(int worker, long clock, Runnable event) {
            events.put(clock * WORKERS + worker, event);
        }

        private void work(int worker, Session session) {
            long[] mine = {keys[worker]};
            for (long task = 0; task < CLOCKS * tasks; task++) {
                long clock = task / tasks;
                float[] seen = new float[WORKERS];
                events.getOrDefault(clock * WORKERS + worker, () -> {}).run();
                int holds = bound.getAsInt();
                session.await(session.pull(
                        worker,
                        consistency.after(session.clock(worker), session.sent(worker)),
                        new Slice(0, Keys.repeated(keys, WORKERS), seen)));
                reads.add(new Read(seed, worker, clock, task, holds, seen));
                session.station().worked(100);
                Ticket sent = session.update(
                        worker, (task + 1) / tasks, new Slice(0, Keys.repeated(mine, 1), new float[] {1}));
                if (task == CLOCKS * tasks - 1) {
                    session.await(sent);
                }
            }
            session.end(worker);
            if (++over == WORKERS) {
                session.read(new Slice(0, Keys.once(keys, WORKERS), counted));
            }
        }

        void assertCountedOnce() {
            for (float count : counted) {
                assertEquals(CLOCKS * tasks, count, () -> "seed " + seed);
            }
        }
    }
}
