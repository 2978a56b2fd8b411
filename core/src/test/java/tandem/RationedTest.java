package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.client.Rationed;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.consistency.Consistency;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

class RationedTest {

    private static final int ROWS = 400;
    private static final int BATCHES = 6;
    private static final int CLOCKS = 12;

    private static final TableSpec TABLE = TableSpec.dense("w", ROWS, 1).withShards(6);
    private static final Keys ALL = Keys.range(0, ROWS);

    /// Every worker adds 1 to each row of its own for each batch; a read must see whole clocks of everyone within the
    /// staleness, and all clocks of its own.
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void every_read_is_within_the_staleness_and_sums_are_exact_in_the_end(long seed) {
        int staleness = (int) (seed % 3);
        int workers = 4;
        Network network = Network.DEFAULT.withFaults(0.02 * (seed % 4), 0.03 * (seed % 3), 200_000 * (seed % 2));
        Simulation simulation = new Simulation(
                seed, network, (node, entries) -> entries * (node.number() == 1 ? 4_000_000 : 1_000_000));
        Consistency consistency = Consistency.ssp(staleness);
        float[] end = Cluster.embedded(workers, 2, TABLE)
                .in(simulation)
                .withConsistency(consistency)
                .run(
                        worker -> {
                            Session session = worker.session();
                            int me = worker.number();
                            Rationed rationed = new Rationed(session, me, 20_000, Rationed.RELATIVE);
                            float[] seen = new float[ROWS];
                            float[] change = new float[ROWS];
                            for (int row = me; row < ROWS; row += workers) {
                                change[row] = 1;
                            }
                            for (int b = 0; b < BATCHES * CLOCKS; b++) {
                                int clock = b / BATCHES;
                                worker.await(worker.pull(new Slice(0, ALL, seen)));
                                for (int row = 0; row < ROWS; row++) {
                                    int must = row % workers == me ? clock : clock - staleness;
                                    assertTrue(
                                            seen[row] >= must * BATCHES,
                                            "seed " + seed + ": worker " + me + " at clock " + clock + " saw "
                                                    + seen[row] + " in row " + row);
                                }
                                session.station().worked(1);
                                rationed.update((b + 1) / BATCHES, new Slice[] {new Slice(0, ALL, seen)}, new Slice[] {
                                    new Slice(0, ALL, change)
                                });
                            }
                            assertEquals(0, rationed.kept());
                            session.flush(me);
                        },
                        reader -> {
                            float[] sums = new float[ROWS];
                            reader.read(new Slice(0, ALL, sums));
                            return sums;
                        });
        for (float sum : end) {
            assertEquals(BATCHES * CLOCKS, sum, "seed " + seed);
        }
    }

    @Test
    void no_more_is_sent_than_the_budget_allows_until_a_clock_ends() {
        double rate = 50_000;
        Simulation simulation = new Simulation(1, Network.DEFAULT, Machines.even(1e6));
        Cluster.embedded(1, 2, TABLE).in(simulation).run(worker -> {
            Session session = worker.session();
            long start = simulation.nowNanos();
            long before = simulation.traffic(Address.worker(0)).sent();
            Rationed rationed = new Rationed(session, 0, rate, Rationed.RELATIVE);
            float[] change = new float[ROWS];
            Arrays.fill(change, 1);
            int early = 0;
            for (int b = 0; b < 500; b++) {
                session.station().worked(1);
                rationed.update(
                        0, new Slice[] {new Slice(0, ALL, new float[ROWS])}, new Slice[] {new Slice(0, ALL, change)});
                long sent = simulation.traffic(Address.worker(0)).sent() - before;
                double seconds = (simulation.nowNanos() - start) * 1e-9;
                // What is not a push: a heartbeat every 0.2 s.
                assertTrue(
                        sent <= rate * (seconds + 0.1) + 100 * (1 + seconds / 0.2),
                        sent + " bytes in " + seconds + " s");
                early += rationed.kept() < ROWS ? 1 : 0;
            }
            assertTrue(early > 20, "only " + early + " times something went before the end");
            long sent = simulation.traffic(Address.worker(0)).sent() - before;
            assertTrue(sent > 0.6 * rate * 0.5, "only " + sent + " bytes of the budget were used");
            rationed.send(1);
        });
    }

    /// Two workers minimise a quadratic whose coordinates differ much in how far they have to go. With the same budget
    /// the largest relative changes bring the others further than rows drawn at random.
    @Test
    void the_largest_changes_first_lower_the_loss_more_a_byte_than_a_random_order() {
        double largest = 0;
        double random = 0;
        for (long seed = 1; seed <= 5; seed++) {
            SplittableRandom chance = new SplittableRandom(seed);
            largest += loss(seed, Rationed.RELATIVE);
            random += loss(seed, (_, _) -> chance.nextDouble());
        }
        assertTrue(largest < 0.8 * random, "loss " + largest + " with the largest first, " + random + " at random");
    }

    private static double loss(long seed, DoubleBinaryOperator priority) {
        double[] target = new SplittableRandom(seed)
                .doubles(ROWS)
                .map(u -> Math.pow(u, 8) * 10)
                .toArray();
        Simulation simulation = new Simulation(seed, Network.DEFAULT, Machines.even(1e6));
        double[] sum = {0};
        Cluster.embedded(2, 2, TABLE)
                .in(simulation)
                .withConsistency(Consistency.async())
                .run(worker -> {
                    Session session = worker.session();
                    Rationed rationed = new Rationed(session, worker.number(), 200_000, priority);
                    float[] seen = new float[ROWS];
                    float[] change = new float[ROWS];
                    for (int b = 0; b < 100; b++) {
                        worker.await(worker.pull(new Slice(0, ALL, seen)));
                        for (int row = 0; row < ROWS; row++) {
                            change[row] = (float) (0.02 * (target[row] - seen[row]));
                            sum[0] += b < 90 ? 0 : Math.pow(target[row] - seen[row], 2);
                        }
                        session.station().worked(1);
                        rationed.update(
                                0, new Slice[] {new Slice(0, ALL, seen)}, new Slice[] {new Slice(0, ALL, change)});
                    }
                    rationed.send(1);
                });
        return sum[0];
    }
}
