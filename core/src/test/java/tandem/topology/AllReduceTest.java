package tandem.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Overdue;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Values;

/// Workers that sum arrays in simulated time, without a cluster around them.
@Timeout(60)
class AllReduceTest {

    private static final long ASK = 5_000_000;
    private static final long SILENCE = 10_000_000_000L;

    private static final float[] LARGE = new float[1 << 20];

    /// What a worker does with the others.
    private interface Body {
        void run(int self, Peers peers, Station station);
    }

    /// Tells everyone where everyone is, as the coordinator does.
    private record Host(int workers) implements Party {

        @Override
        public void receive(Address from, Message message, long nowNanos, Outbox out) {
            out.send(from, new Message.Met(new String[workers]));
        }
    }

    private static Simulation play(Simulation simulation, int workers, int segment, Body body) {
        simulation.add(Address.COORDINATOR, new Host(workers));
        for (int w = 0; w < workers; w++) {
            int self = w;
            Party nothing = (_, _, _, _) -> {};
            AllReduce sums = new AllReduce(nothing, w, ASK, segment);
            simulation.add(Address.worker(w), sums);
            simulation.loop(
                    Address.worker(w),
                    station -> body.run(self, new Peers(Address.worker(self), sums, station, SILENCE), station));
        }
        simulation.run();
        return simulation;
    }

    private static Simulation simulation(long seed, Network network) {
        return new Simulation(seed, network, Machines.even(1));
    }

    static Stream<Arguments> sizes() {
        List<Arguments> sizes = new ArrayList<>();
        for (int workers = 1; workers <= 9; workers++) {
            for (int length : new int[] {0, 1, workers - 1, workers, workers + 1, 1000, 5003}) {
                sizes.add(Arguments.of(Topology.RING, workers, length));
                sizes.add(Arguments.of(Topology.DIRECT, workers, length));
            }
        }
        return sizes.stream();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void integers_are_summed_exactly_whatever_the_sizes(Topology topology, int workers, int length) {
        play(simulation(1, Network.DEFAULT), workers, 100, (self, peers, _) -> {
            float[] mine = new float[length];
            double[] alike = new double[length];
            for (int v = 0; v < length; v++) {
                mine[v] = self * 1000 + v % 1000;
                alike[v] = (double) (1L << 40) * (self + 1) + v;
            }
            Ticket one = peers.sum(topology, Values.of(mine));
            Ticket two = peers.sum(topology, Values.of(alike));
            peers.await(two);
            peers.await(one);
            for (int v = 0; v < length; v++) {
                assertEquals(1000f * workers * (workers - 1) / 2 + workers * (v % 1000), mine[v]);
                assertEquals((double) (1L << 40) * workers * (workers + 1) / 2 + (double) workers * v, alike[v]);
            }
        });
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /// Floats that do not add up exactly: the order matters, and everyone must have used the same one, whatever was
    /// lost, doubled and late.
    @ParameterizedTest
    @MethodSource("seeds")
    void all_have_the_same_bits_whatever_is_lost(long seed) {
        int workers = 2 + (int) (seed % 5);
        Topology topology = Topology.values()[(int) (seed / 5 % 2)];
        int rounds = 12;
        float[][][] sums = new float[rounds][workers][];
        Network network = Network.DEFAULT.withFaults(0.03 * (seed % 4), 0.03 * (seed % 3), 400_000 * (seed % 5));
        play(simulation(seed, network), workers, 64, (self, peers, station) -> {
            SplittableRandom chance = new SplittableRandom(seed * 100 + self);
            List<Ticket> tickets = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                sums[round][self] = numbers(seed, self, round);
                tickets.add(peers.sum(topology, Values.of(sums[round][self])));
                station.worked(chance.nextInt(2_000_000));
                if (chance.nextInt(3) == 0) {
                    tickets.forEach(peers::await);
                }
            }
            tickets.forEach(peers::await);
        });
        for (int round = 0; round < rounds; round++) {
            float[][] mine = new float[workers][];
            for (int w = 0; w < workers; w++) {
                mine[w] = numbers(seed, w, round);
            }
            float[] expected = topology == Topology.RING ? ringSum(mine) : directSum(mine);
            for (int w = 0; w < workers; w++) {
                assertArrayEquals(expected, sums[round][w], 0, "seed " + seed + ", worker " + w + ", sum " + round);
            }
        }
    }

    private static float[] numbers(long seed, int worker, int round) {
        SplittableRandom chance = new SplittableRandom(seed * 10_000 + worker * 100L + round);
        float[] numbers = new float[700 + 13 * round];
        for (int v = 0; v < numbers.length; v++) {
            numbers[v] = (float) chance.nextDouble(-1, 1);
        }
        return numbers;
    }

    /// The plain twin of the ring: a chunk is summed from its own worker on.
    private static float[] ringSum(float[][] mine) {
        int workers = mine.length;
        int length = mine[0].length;
        float[] sum = new float[length];
        for (int chunk = 0; chunk < workers; chunk++) {
            int end = (int) ((long) length * (chunk + 1) / workers);
            for (int v = (int) ((long) length * chunk / workers); v < end; v++) {
                sum[v] = mine[chunk][v];
                for (int hop = 1; hop < workers; hop++) {
                    sum[v] += mine[(chunk + hop) % workers][v];
                }
            }
        }
        return sum;
    }

    private static float[] directSum(float[][] mine) {
        float[] sum = mine[0].clone();
        for (int w = 1; w < mine.length; w++) {
            for (int v = 0; v < sum.length; v++) {
                sum[v] += mine[w][v];
            }
        }
        return sum;
    }

    /// 2(n − 1)/n of the array from each worker, and little besides.
    @ParameterizedTest
    @EnumSource
    void no_more_bytes_are_sent_than_must_be(Topology topology) {
        for (int workers : new int[] {2, 3, 8}) {
            int length = 100_000;
            Simulation done = play(
                    simulation(1, Network.DEFAULT),
                    workers,
                    4096,
                    (_, peers, _) -> peers.await(peers.sum(topology, Values.of(new float[length]))));
            for (int w = 0; w < workers; w++) {
                double sent = done.traffic(Address.worker(w)).sent();
                double least = 2.0 * (workers - 1) / workers * length * Float.BYTES;
                assertTrue(sent >= least - 100 && sent < 1.02 * least + 2_000, sent + " bytes, " + least + " needed");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_worker_that_does_not_come_is_named(Topology topology) {
        Overdue overdue = assertThrows(
                Overdue.class,
                () -> play(simulation(1, Network.DEFAULT), 2, 100, (self, peers, station) -> {
                    if (self == 0) {
                        peers.await(peers.sum(topology, Values.of(new float[10])));
                    } else {
                        station.worked(40_000_000_000L);
                        peers.end();
                    }
                }));
        assertEquals(
                "worker 0 has waited 50 s for worker 1, last heard 10 s ago",
                overdue.getMessage().substring(0, 58));
    }

    @ParameterizedTest
    @EnumSource
    void workers_that_sum_different_things_are_told(Topology topology) {
        RuntimeException wrong = assertThrows(
                RuntimeException.class,
                () -> play(
                        simulation(1, Network.DEFAULT),
                        3,
                        100,
                        (self, peers, _) -> peers.await(peers.sum(topology, Values.of(new float[10 + self])))));
        assertTrue(wrong.getMessage().contains("same calls in the same order"), wrong.getMessage());
    }

    /// What worker 0 says in tests that play the other workers by hand.
    private final List<Message> said = new ArrayList<>();

    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            said.add(message);
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    /// Worker 0 of two, which sum directly: it sends the half of the other, and then the sum of its own.
    private AllReduce pair() {
        AllReduce sums = new AllReduce((_, _, _, _) -> {}, 0, ASK, 1 << 20);
        sums.receive(Address.COORDINATOR, new Message.Met(new String[2]), 0, out);
        return sums;
    }

    private void hear(AllReduce sums, Message message) {
        said.clear();
        sums.receive(Address.worker(1), message, 0, out);
    }

    private static Message.Piece piece(long number, int index, float... values) {
        return new Message.Piece(number, Topology.DIRECT.code(), 2 * values.length, index, Values.of(values));
    }

    /// A piece of 4 MiB, of an array of four such pieces.
    private static Message.Piece large(long number, int index) {
        return new Message.Piece(number, Topology.DIRECT.code(), 4 * LARGE.length, index, Values.of(LARGE));
    }

    private List<String> kinds() {
        return said.stream().map(message -> message.getClass().getSimpleName()).toList();
    }

    @Test
    void a_sum_is_handed_out_once_all_is_there_and_forgotten_once_the_other_has_it() {
        AllReduce sums = pair();
        float[] values = {1, 2};
        Ticket ticket = sums.sum(Topology.DIRECT, Values.of(values), 0, out);
        hear(sums, piece(1, 1, 7));
        assertArrayEquals(new float[] {1, 2}, values);
        hear(sums, piece(1, 0, 5));
        assertTrue(ticket.isDone());
        assertArrayEquals(new float[] {6, 7}, values);
        assertEquals(List.of("Piece", "Got"), kinds());
        hear(sums, new Message.Wanted(1, new long[0]));
        assertEquals(List.of("Piece", "Piece"), kinds());
        hear(sums, new Message.Got(1));
        hear(sums, new Message.Got(1));
        hear(sums, new Message.Wanted(1, new long[0]));
        assertEquals(List.of("Sent"), kinds());
    }

    /// The other may have missed the word that all is here, and then asks with a piece or in words.
    @Test
    void that_all_is_here_is_said_as_often_as_it_is_asked() {
        AllReduce sums = pair();
        hear(sums, new Message.Sent(1));
        assertEquals(List.of(), kinds());
        sums.sum(Topology.DIRECT, Values.of(new float[2]), 0, out);
        hear(sums, new Message.Sent(1));
        assertEquals(List.of(), kinds());
        hear(sums, piece(1, 0, 5));
        hear(sums, piece(1, 1, 5));
        for (int round = 0; round < 2; round++) {
            hear(sums, new Message.Sent(1));
            assertEquals(List.of("Got"), kinds());
            hear(sums, piece(1, 1, 5));
            assertEquals(List.of("Got"), kinds());
            hear(sums, new Message.Got(1));
        }
    }

    @Test
    void who_has_all_asks_whether_the_other_has_too() {
        AllReduce sums = pair();
        sums.sum(Topology.DIRECT, Values.of(new float[2]), 0, out);
        hear(sums, piece(1, 0, 5));
        hear(sums, piece(1, 1, 5));
        said.clear();
        sums.wake(-2, ASK, out);
        assertEquals(List.of("Sent"), kinds());
        hear(sums, new Message.Got(1));
        sums.wake(-2, 2 * ASK, out);
        assertEquals(List.of(), kinds());
    }

    @Test
    void a_piece_that_comes_twice_is_added_once() {
        AllReduce sums = pair();
        float[] values = {1, 2, 3, 4};
        sums.sum(Topology.DIRECT, Values.of(values), 0, out);
        for (int copy = 0; copy < 3; copy++) {
            hear(sums, piece(1, 0, 10, 20));
        }
        hear(sums, piece(1, 1, 30, 40));
        assertArrayEquals(new float[] {11, 22, 30, 40}, values);
    }

    @Test
    void what_came_before_a_sum_was_begun_here_is_used_when_it_is() {
        AllReduce sums = pair();
        hear(sums, piece(1, 0, 5));
        hear(sums, piece(1, 0, 5));
        hear(sums, piece(1, 1, 7));
        float[] values = {1, 2};
        assertTrue(sums.sum(Topology.DIRECT, Values.of(values), 0, out).isDone());
        assertArrayEquals(new float[] {6, 7}, values);
    }

    /// 64 MiB of what comes early is kept, and the rest asked for as soon as it is wanted.
    @Test
    void what_came_too_early_to_be_kept_is_asked_for() {
        AllReduce sums = pair();
        assertEquals(List.of(16L, 17L), wantedAtOnce(sums, 1, 17));
        assertEquals(List.of(), wantedAtOnce(sums, 18, 32));
    }

    /// Has a piece of each of some sums come early, and begins and ends them; of which ones pieces were asked for.
    private List<Long> wantedAtOnce(AllReduce sums, long first, long last) {
        for (long number = first; number <= last; number++) {
            hear(sums, large(number, 0));
        }
        List<Long> wanted = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            said.clear();
            Ticket ticket = sums.sum(Topology.DIRECT, Values.of(new float[4 * LARGE.length]), 0, out);
            if (kinds().contains("Wanted")) {
                wanted.add(number);
            }
            for (int index = 0; index < 4; index++) {
                hear(sums, large(number, index));
            }
            hear(sums, new Message.Got(number));
            assertTrue(ticket.isDone());
        }
        return wanted;
    }

    @Test
    void what_is_further_ahead_than_may_be_takes_no_room() {
        AllReduce sums = pair();
        for (int ahead = 1; ahead <= 20; ahead++) {
            hear(sums, large(AllReduce.WINDOW + ahead, 0));
        }
        hear(sums, large(1, 0));
        said.clear();
        sums.sum(Topology.DIRECT, Values.of(new float[4 * LARGE.length]), 0, out);
        assertFalse(kinds().contains("Wanted"));
    }

    /// Who is given the sum may use its array again at once, while pieces of it are still under way.
    @Test
    void what_was_sent_stays_as_it_was() {
        AllReduce sums = pair();
        float[] values = {1, 2};
        sums.sum(Topology.DIRECT, Values.of(values), 0, out);
        List<Message> sent = List.copyOf(said);
        hear(sums, piece(1, 0, 5));
        hear(sums, piece(1, 1, 7));
        values[0] = 100;
        values[1] = 100;
        Message.Piece first = (Message.Piece) sent.getLast();
        assertArrayEquals(new float[] {2}, ((Values.Floats) first.values()).array());
        hear(sums, new Message.Wanted(1, new long[] {1}));
        Message.Piece again = (Message.Piece) said.getFirst();
        assertArrayEquals(new float[] {6}, ((Values.Floats) again.values()).array());
    }

    @Test
    void who_takes_no_part_is_refused() {
        AllReduce sums = new AllReduce((_, _, _, _) -> {}, 0, 1_000_000);
        Message.Piece piece = new Message.Piece(1, Topology.DIRECT.code(), 4, 0, Values.of(new float[2]));
        sums.receive(Address.worker(7), piece, 0, out); // before it is known how many there are
        sums.receive(Address.COORDINATOR, new Message.Met(new String[] {"", ""}), 0, out);
        sums.sum(Topology.DIRECT, Values.of(new float[4]), 0, out);
        for (Message message : List.of(piece, new Message.Got(1), new Message.Wanted(1, new long[0]))) {
            assertThrows(IllegalArgumentException.class, () -> sums.receive(Address.worker(7), message, 0, out));
            assertThrows(IllegalArgumentException.class, () -> sums.receive(Address.server(0), message, 0, out));
        }
    }

    @Test
    void more_sums_than_may_be_under_way_wait_for_room() {
        int sums = 3 * AllReduce.WINDOW;
        play(simulation(1, Network.DEFAULT.withFaults(0.05, 0.05, 0)), 3, 100, (self, peers, station) -> {
            station.worked(self * 50_000_000L);
            List<float[]> all = new ArrayList<>();
            List<Ticket> tickets = new ArrayList<>();
            for (int s = 0; s < sums; s++) {
                all.add(new float[] {s, self});
                tickets.add(peers.sum(Topology.RING, Values.of(all.get(s))));
            }
            tickets.forEach(peers::await);
            for (int s = 0; s < sums; s++) {
                assertArrayEquals(new float[] {3 * s, 3}, all.get(s));
            }
        });
    }
}
