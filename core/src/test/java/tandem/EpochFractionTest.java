package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Duty;
import tandem.cluster.Member;
import tandem.consistency.Fraction;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.math.Mix;
import tandem.problem.Loss;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.server.UpdateRule;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.worker.MinibatchLoop;
import tandem.worker.MinibatchTask;
import tandem.worker.Target;

/// Every example has a key of its own, and the servers count how often each key was pushed.
class EpochFractionTest {

    private static final int EXAMPLES = 40;
    private static final int WORKERS = 4;
    private static final long SILENCE = 30_000_000_000L;
    private static final long TICK = 10_000_000;
    private static final Machines EVEN = Machines.even(1e6);
    private static final Machines ONE_SLOW = (node, entries) -> entries * (node.number() == 2 ? 8_000_000 : 1_000_000);
    private static final List<Address> ALL =
            IntStream.range(0, WORKERS).mapToObj(Address::worker).toList();

    @TempDir
    Path directory;

    @Test
    void each_example_is_skipped_with_equal_chance_though_one_worker_is_always_the_slow_one() throws IOException {
        int epochs = 600;
        float[] counts = new Epochs(1, Network.DEFAULT, ONE_SLOW, 0.75, false).play(epochs);
        double skipped = 0;
        for (float count : counts) {
            skipped += epochs - count;
        }
        double chance = skipped / epochs / EXAMPLES;
        assertTrue(chance > 0.1 && chance < 0.25, "skipped a share of " + chance);
        double chiSquare = 0;
        for (float count : counts) {
            double off = epochs - count - epochs * chance;
            chiSquare += off * off / (epochs * chance * (1 - chance));
        }
        // 39 degrees of freedom: above 73 once in a thousand times.
        assertTrue(chiSquare < 73, "chi-square " + chiSquare + " of " + Arrays.toString(counts));
    }

    /// Of four workers one has a batch: the others are through at once, and half of the workers would be enough.
    @Test
    void workers_without_a_batch_do_not_count_as_having_finished() throws IOException {
        Data data = Data.of(Files.writeString(directory.resolve("few.svm"), "1 1:1\n-1 2:1\n".repeat(10))
                .toString());
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(5));
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(WORKERS, 1)
                .withBatchRows(20)
                .withConsistency("fraction:0.5")
                .withWhere(Where.Simulated.DEFAULT);
        var report = LinearTraining.of(settings, data)
                .withCache(new CacheUse.Always(directory.resolve("few")))
                .withCluster(plan)
                .run()
                .report()
                .tree();
        assertEquals(0, report.at("/skipped/examples").asLong());
        assertEquals(100, report.get("examples").asLong());
        for (int busy = 1; busy <= 8; busy++) {
            for (double share : new double[] {0.1, 0.5, 0.75, 1}) {
                Fraction fraction = new Fraction(share);
                assertEquals(
                        8 - busy + fraction.of(busy), fraction.among(busy, 8).of(8), busy + " at " + share);
            }
        }
    }

    @Test
    void nobody_is_left_behind_when_all_must_finish() throws IOException {
        float[] counts = new Epochs(1, Network.DEFAULT, ONE_SLOW, 1, false).play(5);
        assertArrayEquals(all(5), counts);
    }

    @Test
    void epochs_go_on_while_a_worker_is_stuck_in_a_batch() throws IOException {
        // A batch of worker 2 takes as long as several epochs.
        Machines stuck = (node, entries) -> entries * (node.number() == 2 ? 100_000_000 : 1_000_000);
        Epochs free = new Epochs(1, Network.DEFAULT, EVEN, 0.75, false);
        free.play(10);
        Epochs held = new Epochs(1, Network.DEFAULT, stuck, 0.75, false);
        held.play(10);
        assertTrue(
                held.seconds < 1.2 * free.seconds,
                "10 epochs took " + held.seconds + " s with the straggler, " + free.seconds + " s without");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void with_stealing_every_example_counts_once_an_epoch_whatever_is_lost_or_doubled(long seed) throws IOException {
        Network lossy = Network.DEFAULT.withFaults(0.02 * (seed % 6), 0.03 * (seed % 5), 300_000 * (seed % 3));
        float[] counts = new Epochs(seed, lossy, ONE_SLOW, 0.75, true).play(4);
        assertArrayEquals(all(4), counts, () -> "seed " + seed + ": " + Arrays.toString(counts));
    }

    @Test
    void stealing_takes_the_work_to_those_who_have_time() throws IOException {
        Epochs epochs = new Epochs(1, Network.DEFAULT, ONE_SLOW, 1, true);
        epochs.play(5);
        assertEquals(5 * EXAMPLES, Arrays.stream(epochs.examples).sum());
        assertTrue(epochs.examples[2] < 5 * 4, "the slow one did " + epochs.examples[2]);
    }

    private static float[] all(int count) {
        float[] counts = new float[EXAMPLES];
        Arrays.fill(counts, count);
        return counts;
    }

    private Batches data() throws IOException {
        Path file = directory.resolve("keys.svm");
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < EXAMPLES; r++) {
            text.append(r % 2).append(' ').append(r).append(":1\n");
        }
        Files.writeString(file, text);
        return Data.of(file.toString()).withBatchRows(1).cache(directory.resolve("cache"), _ -> {}, 1);
    }

    /// Epochs over the examples by simulated workers.
    private final class Epochs {

        private final Fraction share;
        private final boolean steal;
        private final Simulation simulation;
        private final Coordinator coordinator;
        private final long[] examples = new long[WORKERS];
        private double seconds;

        Epochs(long seed, Network network, Machines machines, double share, boolean steal) {
            this.share = new Fraction(share);
            this.steal = steal;
            simulation = new Simulation(seed, network, machines);
            TableSpec counts = TableSpec.sparse("counts", 1).withShards(4).withRule("count");
            coordinator = new Coordinator(2, WORKERS, WORKERS, List.of(counts), simulation.resendNanos());
            simulation.add(Address.COORDINATOR, coordinator);
        }

        /// How often each example was counted after so many epochs.
        float[] play(int epochs) throws IOException {
            try (Batches data = data()) {
                for (int s = 0; s < 2; s++) {
                    member(Address.server(s), new Server(s, new Rules().with("count", _ -> new Count()), 0), null);
                }
                ALL.forEach(worker -> member(worker, new Client(simulation.resendNanos()), data));
                float[] counts = new float[EXAMPLES];
                simulation.run(station -> {
                    Conductor conductor = new Conductor(coordinator, station, SILENCE);
                    conductor.awaitAll(TICK, () -> {});
                    conduct(conductor, epochs, data.count());
                    long[] keys = new long[EXAMPLES];
                    Arrays.setAll(keys, Mix::mix);
                    long[] sorted = Arrays.stream(keys)
                            .boxed()
                            .sorted(Long::compareUnsigned)
                            .mapToLong(Long::longValue)
                            .toArray();
                    conductor.reader(SILENCE).read(new Slice(0, Keys.once(sorted, EXAMPLES), counts));
                    conductor.dismiss(ALL, TICK);
                });
                return counts;
            }
        }

        private void conduct(Conductor conductor, int epochs, long batches) {
            List<Coordinator.Order> orders = new ArrayList<>();
            long start = simulation.nowNanos();
            for (int epoch = 0; epoch < epochs; epoch++) {
                byte[] order = {1, (byte) (epoch >> 8), (byte) epoch};
                int enough = share.of(WORKERS);
                Coordinator.Round round =
                        steal ? conductor.begin(ALL, order, enough, batches) : conductor.begin(ALL, order, enough);
                orders.addAll(round.orders());
                conductor.awaitEnough(round, TICK, () -> {});
                if (!steal) {
                    conductor.leave(round);
                }
            }
            seconds = (simulation.nowNanos() - start) * 1e-9;
            orders.forEach(order -> conductor.result(order, TICK, () -> {}));
        }

        private void member(Address address, tandem.wire.Party party, Batches data) {
            Member member = new Member(party, 1, "", TICK);
            simulation.add(address, member);
            if (party instanceof Client client) {
                simulation.loop(address, station -> {
                    Session session = new Session(address, client, station, SILENCE);
                    work(session, member, data, address.number()).run(address, member, station, SILENCE);
                });
            }
        }

        private Duty work(Session session, Member member, Batches data, int number) {
            MinibatchLoop loop = new MinibatchLoop(
                    session, data, new MinibatchLoop.Beat(share), learned -> examples[number] = learned.examples());
            MinibatchTask task = new MinibatchTask(Loss.named("logistic"), Target.number(), 1, 0, -1);
            return what -> {
                int epoch = (what[1] & 0xff) << 8 | what[2] & 0xff;
                try {
                    loop.run(
                            task,
                            new MinibatchLoop.Round(
                                    epoch,
                                    epoch,
                                    Long.MAX_VALUE,
                                    member.enough(),
                                    steal ? new MemberRanges(member, session, member.enough()) : null));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return what;
            };
        }
    }

    /// Counts pushes, whatever they say.
    private record Count() implements UpdateRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public void update(float[] entries, int at, float gradient) {
            entries[at]++;
        }
    }
}
