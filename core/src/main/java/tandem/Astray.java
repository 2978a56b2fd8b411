package tandem;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tandem.wire.TableSpec;

/// Weights of servers that keep them with others of their group, and not in the shard that their mixed key is of:
/// there they go into the files of a model, which are ranges of mixed keys.
///
/// @param shards how many shards were looked at
/// @param keys   mixed
record Astray(int shards, long[] keys, double[] weights) {

    static final Astray NONE = new Astray(0, new long[0], new double[0]);

    /// Those of one shard. Zeros go along: the model counts the features that it has seen.
    static Astray of(TableSpec table, int shard, long[] mixed, double[] weights) {
        int[] those = IntStream.range(0, mixed.length)
                .filter(k -> table.shardOf(mixed[k]) != shard)
                .toArray();
        return new Astray(
                1,
                IntStream.of(those).mapToLong(k -> mixed[k]).toArray(),
                IntStream.of(those).mapToDouble(k -> weights[k]).toArray());
    }

    Astray plus(Astray other) {
        return new Astray(
                shards + other.shards,
                LongStream.concat(LongStream.of(keys), LongStream.of(other.keys))
                        .toArray(),
                DoubleStream.concat(DoubleStream.of(weights), DoubleStream.of(other.weights))
                        .toArray());
    }
}
