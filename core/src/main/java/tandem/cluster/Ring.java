package tandem.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tandem.math.Hash;

/// Consistent hashing: servers and shards are points on a ring, and a shard belongs to the next server on its
/// way round that is not full (Karger et al. 1997; the limit on load is Mirrokni et al. 2018). A server stands
/// at many points, so that when one comes or goes its share is spread over all, and few shards move.
public final class Ring {

    private static final int POINTS = 128;

    /// How much more than its even share a server may hold.
    private static final double ROOM = 1.1;

    private final TreeMap<Long, Integer> servers = new TreeMap<>(Long::compareUnsigned);
    private final int count;

    public Ring(int... numbers) {
        count = numbers.length;
        if (count == 0) {
            throw new IllegalArgumentException("a ring without servers; there must be 1 or more");
        }
        for (int number : numbers) {
            for (int point = 0; point < POINTS; point++) {
                servers.put(Hash.number(Hash.number(0, number), point), number);
            }
        }
    }

    /// The server of each shard of a table.
    public int[] owners(String table, int shards) {
        int most = (int) Math.ceil(ROOM * shards / count);
        Map<Integer, Integer> loads = new TreeMap<>();
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        long seed = Hash.bytes(1, name, 0, name.length);
        int[] owners = new int[shards];
        for (int shard = 0; shard < shards; shard++) {
            Map.Entry<Long, Integer> next = servers.ceilingEntry(Hash.number(seed, shard));
            next = next == null ? servers.firstEntry() : next;
            while (loads.getOrDefault(next.getValue(), 0) >= most) {
                next = servers.higherEntry(next.getKey());
                next = next == null ? servers.firstEntry() : next;
            }
            owners[shard] = next.getValue();
            loads.merge(next.getValue(), 1, Integer::sum);
        }
        return owners;
    }
}
