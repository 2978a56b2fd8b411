package tandem;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.client.Slice;
import tandem.cluster.Traffic;
import tandem.filter.Filters;
import tandem.math.Mix;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// How many bytes travel, by filter, when the same keys are pushed again and again.
class FilterTrafficTest {

    private static final int KEYS = 10_000;
    private static final int ROUNDS = 20;

    /// Published for values of 8 bytes: about half (Li et al. 2014, section 5.1). The first push has the keys.
    @Test
    void key_caching_saves_about_half_where_values_have_8_bytes() {
        double share = (double) pushed("keycache", true) / pushed("none", true);
        assertTrue(share > 0.5 && share < 0.54, "a share of " + share);
    }

    /// The most that may be left of the bytes that 12 a key take, three quarters of the values being zero.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keycache | 0.37",
                "keycache,lz4 | 0.30",
                "keycache,zstd | 0.25",
                "keycache,runs | 0.14",
                "keycache,fixed:1 | 0.13",
                "keycache,bf16 | 0.21",
                "keycache,runs,fixed:1 | 0.08",
                "keycache,skip:0.5,runs,fixed:1 | 0.07"
            })
    void each_stack_saves_what_it_should(String filters, double most) {
        double share = (double) pushed(filters, false) / pushed("none", false);
        assertTrue(share < most, filters + " leaves a share of " + share);
    }

    private static long pushed(String filters, boolean doubles) {
        Filters.Both both = new Filters().parse(filters);
        TableSpec table = TableSpec.sparse("values", 1).withShards(4).withFilters(both.push(), both.pull());
        Simulation simulation = new Simulation(1, Network.DEFAULT, Machines.even(10));
        long[] keys = LongStream.range(0, KEYS)
                .map(Mix::mix)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        Keys repeated = Keys.repeated(keys, KEYS);
        Cluster.embedded(1, 2, doubles ? table.withDoubles() : table)
                .in(simulation)
                .run(worker -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        double[] values = new double[KEYS];
                        float[] floats = new float[KEYS];
                        for (int i = 0; i < KEYS; i += 4) {
                            values[i] = Math.sin(i + round);
                            floats[i] = (float) values[i];
                        }
                        worker.await(
                                worker.push(doubles ? new Slice(0, repeated, values) : new Slice(0, repeated, floats)));
                    }
                });
        Traffic traffic = simulation.traffic(Address.worker(0));
        return traffic.sent();
    }
}
