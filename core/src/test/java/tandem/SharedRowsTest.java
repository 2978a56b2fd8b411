package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.consistency.Consistency;
import tandem.math.Hash;
import tandem.math.Mix;
import tandem.server.UpdateRule;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Workers count their clocks in rows of their own, and look at everyone's: what they see must be within the staleness
/// on every read, and in the end every increment must have been counted once.
@Timeout(60)
class SharedRowsTest {

    private static final int WORKERS = 4;
    private static final int CLOCKS = 40;

    /// Rows of each worker, so that servers hold some of everyone's.
    private static final int ROWS = 5;

    private static final TableSpec COUNTS = TableSpec.sparse("counts", 2);

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void lazy_reads_are_within_the_staleness(long seed) {
        assertCounts(seed, Consistency.ssp(staleness(seed)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eager_reads_are_within_the_staleness(long seed) {
        assertCounts(seed, Consistency.essp(staleness(seed)));
    }

    /// With filters that lose nothing.
    @ParameterizedTest
    @MethodSource("seeds")
    void filtered_eager_reads_are_within_the_staleness(long seed) {
        List<String> filters = List.of("delta", "runs", "lz4");
        assertCounts(seed, Consistency.essp(staleness(seed)), COUNTS.withFilters(filters, filters));
    }

    private static int staleness(long seed) {
        return (int) (seed % 4);
    }

    private static void assertCounts(long seed, Consistency consistency) {
        assertCounts(seed, consistency, COUNTS);
    }

    private static void assertCounts(long seed, Consistency consistency, TableSpec table) {
        double[] total = cluster(seed, consistency, table)
                .run(worker -> new Counting(worker, seed, cacheBytes(seed), staleness(seed)).run(), session -> {
                    float[] all = new float[2 * WORKERS * ROWS];
                    session.read(new Slice(0, Keys.once(sortedKeys(), WORKERS * ROWS), all));
                    double[] sums = new double[2];
                    for (int v = 0; v < all.length; v++) {
                        sums[v % 2] += all[v];
                    }
                    return sums;
                });
        assertArrayEquals(
                new double[] {WORKERS * ROWS * CLOCKS, -WORKERS * ROWS * CLOCKS}, total, () -> "seed " + seed);
    }

    private static Cluster cluster(long seed, Consistency consistency, TableSpec table) {
        Network network = Network.DEFAULT.withFaults(0.02 * (seed % 5), 0.02 * (seed % 3), 300_000 * (seed % 4));
        Simulation simulation = new Simulation(
                seed,
                network,
                (node, entries) -> entries * (node.number() == 0 ? 3_000 : 1_000)
                        + (long) (1e6 * Hash.fraction(Hash.number(seed, entries + node.number()))));
        return Cluster.embedded(WORKERS, 3, table).in(simulation).withConsistency(consistency);
    }

    /// Room for all rows, or for a few of them, or for none.
    private static long cacheBytes(long seed) {
        return switch ((int) (seed % 7)) {
            case 0 -> 1_000;
            case 1 -> 2_000;
            case 2 -> 0;
            default -> 1 << 20;
        };
    }

    private static long key(int worker, int row) {
        return Mix.mix(worker * 100L + row);
    }

    private static long[] sortedKeys() {
        return LongStream.range(0, WORKERS * ROWS)
                .map(k -> key((int) k / ROWS, (int) k % ROWS))
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
    }

    /// What one worker does.
    private static final class Counting {

        private final Worker worker;
        private final long seed;
        private final int staleness;
        private final SharedRows rows;
        private final SplittableRandom chance;

        Counting(Worker worker, long seed, long cacheBytes, int staleness) {
            this.worker = worker;
            this.seed = seed;
            this.staleness = staleness;
            this.rows = worker.rows(cacheBytes);
            this.chance = new SplittableRandom(seed * WORKERS + worker.number());
        }

        void run() {
            for (int clock = 0; clock < CLOCKS; clock++) {
                for (int look = chance.nextInt(4); look > 0; look--) {
                    look(clock, clock);
                }
                worker.session().station().worked(100 + chance.nextInt(100));
                for (int row = 0; row < ROWS; row++) {
                    rows.inc(0, key(worker.number(), row), 1, -1);
                }
                look(clock, clock + 1);
                rows.clock();
            }
        }

        /// Looks at some rows; of its own it must see `own`, whether sent or not.
        private void look(int clock, int own) {
            int row = chance.nextInt(ROWS);
            int count = 1 + chance.nextInt(WORKERS);
            long[] keys = new long[count];
            int[] owners = new int[count];
            for (int k = 0; k < count; k++) {
                owners[k] = chance.nextInt(WORKERS);
                keys[k] = key(owners[k], row);
            }
            double[][] seen = rows.get(0, keys);
            for (int k = 0; k < count; k++) {
                int owner = owners[k];
                double counted = seen[k][0];
                String what = "seed " + seed + ": worker " + worker.number() + " at clock " + clock + " saw "
                        + Arrays.toString(seen[k]) + " of worker " + owner;
                assertEquals(0, counted + seen[k][1], what);
                assertTrue(owner == worker.number() ? counted == own : counted >= clock - staleness, what);
                assertTrue(counted <= CLOCKS, what);
            }
        }
    }

    @Test
    void eager_rows_are_fresher_and_asked_for_less_often() {
        Stale lazy = stale(Consistency.ssp(6));
        Stale eager = stale(Consistency.essp(6));
        assertTrue(eager.mean < 0.6 * lazy.mean, eager + " against " + lazy);
        assertTrue(eager.variance < 0.6 * lazy.variance, eager + " against " + lazy);
    }

    /// How stale all reads of a run were.
    private record Stale(double mean, double variance) {}

    private static Stale stale(Consistency consistency) {
        long[] counts = new long[20];
        Simulation simulation = new Simulation(5, Network.DEFAULT, (node, entries) ->
                (long) (2e6 * (0.75 + 0.5 * Hash.fraction(Hash.number(node.number(), entries)))));
        Cluster.embedded(8, 2, COUNTS)
                .in(simulation)
                .withConsistency(consistency)
                .run(worker -> {
                    SharedRows rows = worker.rows();
                    for (int clock = 0; clock < 60; clock++) {
                        rows.get(0, key(worker.number() + 1, 0), key(worker.number() + 2, 0));
                        worker.session().station().worked(clock);
                        rows.inc(0, key(worker.number(), 0), 1, 1);
                        rows.clock();
                    }
                    long[] reads = worker.session().staleness().histogram();
                    for (int behind = 0; behind < reads.length; behind++) {
                        counts[behind] += reads[behind];
                    }
                });
        double reads = Arrays.stream(counts).sum();
        double mean = 0;
        double squares = 0;
        for (int behind = 0; behind < counts.length; behind++) {
            mean += behind * counts[behind] / reads;
            squares += behind * behind * counts[behind] / reads;
        }
        return new Stale(mean, squares - mean * mean);
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

        @Override
        public void update(double[] entries, int at, double pushed) {
            entries[at] = Math.max(entries[at], pushed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssp:2", "essp:2", "async"})
    void what_a_rule_makes_of_an_increment_is_read_back(String consistency) {
        Cluster.embedded(3, 2, TableSpec.dense("most", 4, 1).withRule("most").withDoubles())
                .withRules(rules -> rules.with("most", _ -> new Most()))
                .withConsistency(consistency)
                .run(worker -> {
                    SharedRows rows = worker.rows();
                    for (int clock = 1; clock <= 10; clock++) {
                        rows.inc(0, 3, clock + 0.1);
                        rows.clock();
                        assertTrue(rows.get(0, 3)[0] >= clock + 0.1);
                    }
                });
    }

    @Test
    void an_increment_of_the_wrong_width_is_refused() {
        Cluster.embedded(1, 1, COUNTS).run(worker -> {
            IllegalArgumentException wrong = assertThrows(
                    IllegalArgumentException.class, () -> worker.rows().inc(0, 1, 1));
            assertEquals(
                    "table counts was given an increment of 1 numbers for a row of 2; give one for each",
                    wrong.getMessage());
        });
    }
}
