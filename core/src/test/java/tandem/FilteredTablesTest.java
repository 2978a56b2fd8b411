package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Slice;
import tandem.filter.Filters;
import tandem.math.Mix;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Workers add whole numbers to rows that they share, over a network that loses, doubles and delays messages, through
/// filters: what arrives in the end must be what was sent, exactly or within what the filters say.
@Timeout(120)
class FilteredTablesTest {

    private static final int WORKERS = 3;
    private static final int ROUNDS = 15;
    private static final int KEYS = 400;
    private static final int WIDTH = 2;

    /// A stack, whether it loses nothing, and the most that a sum may be off otherwise.
    private record Case(String filters, long seed, boolean doubles, double off) {}

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (long seed = 0; seed < 6; seed++) {
            boolean doubles = seed % 2 == 1;
            for (String lossless : new String[] {
                "none",
                "keycache",
                "delta",
                "keycache,delta,lz4",
                "runs,zstd",
                "significant:30",
                "keycache,fp16:exact",
                "keycache,significant:8,runs,fixed:0,lz4"
            }) {
                cases.add(new Case(lossless, seed, doubles, 0));
            }
            // Each of 45 updates is off by less than a step of at most 10 / 127.
            cases.add(new Case("keycache,push=fixed:1,lz4", seed, doubles, 45 * 10.0 / 127));
            cases.add(new Case("keycache,pull=bf16", seed, doubles, 0));
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sums_are_kept(Case tried) {
        Network network = Network.DEFAULT.withFaults(0.03 * (tried.seed % 4), 0.03 * (tried.seed % 3), 300_000);
        Filters.Both filters = new Filters().parse(tried.filters);
        TableSpec sums = TableSpec.sparse("sums", WIDTH).withShards(5).withFilters(filters.push(), filters.pull());
        double[] expected = new double[KEYS * WIDTH];
        long[] keys = keys();
        double[] found = Cluster.embedded(WORKERS, 2, tried.doubles ? sums.withDoubles() : sums)
                .withConsistency("ssp:1")
                .in(new Simulation(tried.seed, network, Machines.even(10)))
                .run(worker -> work(worker, tried, keys, expected), session -> {
                    Values all = zeros(tried.doubles, KEYS * WIDTH);
                    session.read(new Slice(0, Keys.once(keys, KEYS), all));
                    return numbers(all);
                });
        boolean rounded = tried.filters.contains("bf16");
        for (int i = 0; i < expected.length; i++) {
            double off = tried.off + (rounded ? Math.abs(expected[i]) / 128 : 0);
            int at = i;
            assertEquals(expected[i], found[i], off, () -> tried + " at " + at);
        }
    }

    /// Bodies run one at a time in a simulation, so they may add up what they send in one place.
    private static void work(Worker worker, Case tried, long[] keys, double[] expected) {
        SplittableRandom chance = new SplittableRandom(Mix.mix(tried.seed) + worker.number());
        for (int round = 0; round < ROUNDS; round++) {
            int from = chance.nextInt(3) * 100;
            long[] some = Arrays.copyOfRange(keys, from, from + 150);
            Values pulled = zeros(tried.doubles, 150 * WIDTH);
            worker.await(worker.pull(new Slice(0, Keys.repeated(some, 150), pulled)));
            Values pushed = zeros(tried.doubles, 150 * WIDTH);
            for (int i = 0; i < 150 * WIDTH; i++) {
                int value = chance.nextInt(3) == 0 ? chance.nextInt(-10, 11) : 0;
                expected[from * WIDTH + i] += value;
                switch (pushed) {
                    case Values.Floats floats -> floats.array()[i] = value;
                    case Values.Doubles doubles -> doubles.array()[i] = value;
                    case Values.Packed _, Values.Ragged _ -> throw new AssertionError();
                }
            }
            worker.push(new Slice(0, Keys.repeated(some, 150), pushed));
        }
    }

    private static long[] keys() {
        long[] keys = new long[KEYS];
        for (int k = 0; k < KEYS; k++) {
            keys[k] = Mix.mix(k);
        }
        return Arrays.stream(keys)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
    }

    private static Values zeros(boolean doubles, int count) {
        return doubles ? Values.of(new double[count]) : Values.of(new float[count]);
    }

    private static double[] numbers(Values values) {
        return switch (values) {
            case Values.Floats floats -> {
                double[] all = new double[floats.length()];
                for (int i = 0; i < all.length; i++) {
                    all[i] = floats.array()[floats.at() + i];
                }
                yield all;
            }
            case Values.Doubles doubles -> doubles.array();
            case Values.Packed _, Values.Ragged _ -> throw new AssertionError();
        };
    }
}
