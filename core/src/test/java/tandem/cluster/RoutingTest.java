package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import tandem.math.Mix;
import tandem.wire.TableSpec;

/// From a key to a server, over the whole unsigned 64-bit space.
class RoutingTest {

    /// The shard of a key, worked out in whole numbers of any size: ⌊key · shards / 2⁶⁴⌋.
    private static int plainShard(long key, int shards) {
        return new BigInteger(Long.toUnsignedString(key))
                .multiply(BigInteger.valueOf(shards))
                .shiftRight(64)
                .intValueExact();
    }

    @RepeatedTest(40)
    void every_key_has_one_shard_which_is_that_of_plain_arithmetic(RepetitionInfo repetition) {
        SplittableRandom chance = new SplittableRandom(repetition.getCurrentRepetition());
        int shards = 1 + chance.nextInt(repetition.getCurrentRepetition() % 2 == 0 ? 50 : 65_536);
        TableSpec table = TableSpec.sparse("t", 1).withShards(shards);
        for (int i = 0; i < 2_000; i++) {
            long key = key(chance, table);
            int shard = table.shardOf(key);
            assertEquals(plainShard(key, shards), shard, () -> Long.toUnsignedString(key) + " of " + shards);
            assertTrue(Long.compareUnsigned(table.firstKey(shard), key) <= 0);
            assertTrue(shard == shards - 1 || Long.compareUnsigned(key, table.firstKey(shard + 1)) < 0);
        }
    }

    /// Any key, one near an end of the space, or one near the edge of a shard.
    private static long key(SplittableRandom chance, TableSpec table) {
        long near = chance.nextInt(-3, 4);
        return switch (chance.nextInt(4)) {
            case 0 -> near;
            case 1 -> Long.MIN_VALUE + near;
            case 2 -> table.firstKey(chance.nextInt(table.shards())) + near;
            default -> chance.nextLong();
        };
    }

    @RepeatedTest(20)
    void every_server_and_shard_can_be_reached_and_keys_spread_evenly(RepetitionInfo repetition) {
        int servers = repetition.getCurrentRepetition();
        int shards = 8 * servers;
        TableSpec table = TableSpec.sparse("t", 1).withShards(shards);
        int[] owners = ring(servers).owners("t", shards);
        int[] keysByShard = new int[shards];
        int[] keysByServer = new int[servers];
        int keys = 1000 * shards;
        for (int id = 0; id < keys; id++) {
            int shard = table.shardOf(Mix.mix(id));
            keysByShard[shard]++;
            keysByServer[owners[shard]]++;
        }
        assertTrue(Arrays.stream(keysByShard).min().orElseThrow() > 800, Arrays.toString(keysByShard));
        assertTrue(Arrays.stream(keysByShard).max().orElseThrow() < 1200, Arrays.toString(keysByShard));
        assertTrue(Arrays.stream(keysByServer).min().orElseThrow() > 0, Arrays.toString(keysByServer));
        assertTrue(
                Arrays.stream(keysByServer).max().orElseThrow() < 1.5 * keys / servers, Arrays.toString(keysByServer));
    }

    /// When a server joins, keys move to it and few others move at all: about its share, and what the limit on load
    /// pushes on.
    @Test
    void few_keys_change_their_server_when_one_joins() {
        SplittableRandom chance = new SplittableRandom(3);
        for (int servers : new int[] {1, 2, 5, 20, 100}) {
            int shards = 16 * (servers + 1);
            TableSpec table = TableSpec.sparse("t", 1).withShards(shards);
            int[] before = ring(servers).owners("t", shards);
            int[] after = ring(servers + 1).owners("t", shards);
            int moved = 0;
            int joined = 0;
            for (int i = 0; i < 10_000; i++) {
                int shard = table.shardOf(chance.nextLong());
                moved += before[shard] != after[shard] ? 1 : 0;
                joined += after[shard] == servers ? 1 : 0;
            }
            double share = 10_000.0 / (servers + 1);
            assertTrue(joined > 0.3 * share, servers + " servers: the new one got " + joined);
            assertTrue(moved < 3 * share, servers + " servers: " + moved + " moved where a share is " + share);
        }
    }

    private static Ring ring(int servers) {
        return new Ring(IntStream.range(0, servers).toArray());
    }
}
