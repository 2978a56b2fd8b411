package tandem.wire;

/// A table: a name, how it is cut into shards, and how a push changes its rows.
///
/// @param rows   how many rows there are, keys 0 until `rows`, for a dense table; [#SPARSE] for any 64-bit keys
/// @param width  values a row, as pushed and pulled; a rule may keep more columns beside them
/// @param shards how many pieces the key space is cut into, for good
/// @param rule   the update rule, by the name that servers know it under
/// @param settings what the rule is made from
public record TableSpec(String name, long rows, int width, int shards, String rule, double[] settings) {

    /// Any key, spread over the whole unsigned 64-bit space.
    public static final long SPARSE = -1;

    private static final long MOST_ROWS = 1L << 40;
    private static final int MOST_SHARDS = 1 << 16;

    public TableSpec {
        if (rows != SPARSE && (rows < 1 || rows > MOST_ROWS)) {
            throw new IllegalArgumentException(
                    "dense table " + name + " has " + rows + " rows; use 1 to " + MOST_ROWS + ", or a sparse table");
        }
        if (width < 1) {
            throw new IllegalArgumentException("table " + name + " has rows of " + width + "; use 1 or more");
        }
        if (shards < 1 || shards > MOST_SHARDS || rows != SPARSE && shards > rows) {
            throw new IllegalArgumentException("table " + name + " is cut into " + shards + " shards; use 1 to "
                    + MOST_SHARDS + ", and not more than it has rows");
        }
    }

    public boolean isSparse() {
        return rows == SPARSE;
    }

    /// The shard that holds `key`.
    public int shardOf(long key) {
        return isSparse() ? (int) Math.unsignedMultiplyHigh(key, shards) : (int) (key * shards / rows);
    }

    /// The least key of a shard, as unsigned; shard `shards` would start after the last key.
    public long firstKey(int shard) {
        if (shard == 0) {
            return 0;
        }
        if (!isSparse()) {
            return Math.ceilDiv(shard * rows, shards);
        }
        // The least key with key·shards ≥ shard·2⁶⁴, that is ⌈shard·2⁶⁴ / shards⌉.
        long whole = Long.divideUnsigned(-1L, shards) * shard;
        long rest = Long.remainderUnsigned(-1L, shards) * shard + shard;
        return whole + Math.ceilDiv(rest, shards);
    }

    /// The position of the first of `keys[from]` until `keys[to]` that is not below the start of `shard`.
    public int positionOf(int shard, long[] keys, int from, int to) {
        long first = firstKey(shard);
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(keys[middle], first) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
