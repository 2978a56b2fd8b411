package tandem.wire;

import java.util.List;
import tandem.math.KeySpace;

/// A table: a name, how it is cut into shards, and how a push changes its rows. Made by [#sparse] or [#dense], and then
/// `with…` whatever differs from the usual.
///
/// @param rows     how many rows there are, keys 0 until `rows`, for a dense table; [#SPARSE] for any 64-bit keys
/// @param width    values a row, as pushed and pulled; a rule may keep more columns beside them
/// @param doubles  whether its numbers are doubles, not floats
/// @param shards   how many pieces the key space is cut into, for good
/// @param rule     the update rule, by the name that servers know it under
/// @param settings what the rule is made from
/// @param variable whether rows have lengths of their own, from 1 to `width`, which the rule decides
/// @param upkeep   which keys get a row, and how much memory there is for them
/// @param push     the filters of what goes to servers, in the order in which they pack
/// @param pull     the filters of what comes back
public record TableSpec(
        String name,
        long rows,
        int width,
        boolean doubles,
        int shards,
        String rule,
        double[] settings,
        boolean variable,
        Upkeep upkeep,
        List<String> push,
        List<String> pull) {

    /// Any key, spread over the whole unsigned 64-bit space.
    public static final long SPARSE = -1;

    /// Lists of keys that come again travel as their signatures.
    public static final List<String> USUAL_FILTERS = List.of("keycache");

    private static final long MOST_ROWS = 1L << 40;
    private static final int MOST_SHARDS = 1 << 16;
    private static final int USUAL_SHARDS = 8;
    private static final long LEAST_SHARD_BYTES = 1 << 16;

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
        if (variable && upkeep.mostBytes() != Long.MAX_VALUE) {
            throw new IllegalArgumentException("table " + name
                    + " is to have rows of lengths of their own and a limit on memory; use one of the two");
        }
        if (variable && (doubles || rows != SPARSE)) {
            throw new IllegalArgumentException("table " + name
                    + " is to have rows of lengths of their own, which there are in sparse tables of floats only");
        }
        if (rows != SPARSE && !upkeep.keepsAll()) {
            throw new IllegalArgumentException("dense table " + name
                    + " has all its rows from the start; admission and a limit on memory are for sparse tables");
        }
        upkeep.share(shards); // refuses what would leave a shard without room for rows
        if (upkeep.mostBytes() / shards < LEAST_SHARD_BYTES) {
            throw new IllegalArgumentException("table " + name + " is to take at most " + upkeep.mostBytes()
                    + " bytes in " + shards + " shards; each needs " + LEAST_SHARD_BYTES
                    + " or more, so allow more or use fewer shards");
        }
        push = List.copyOf(push);
        pull = List.copyOf(pull);
    }

    /// A table of any keys, to whose rows of floats a push is added.
    public static TableSpec sparse(String name, int width) {
        return new TableSpec(
                name,
                SPARSE,
                width,
                false,
                USUAL_SHARDS,
                "add",
                new double[0],
                false,
                Upkeep.NONE,
                USUAL_FILTERS,
                USUAL_FILTERS);
    }

    /// A table of keys 0 until `rows`, to whose rows of floats a push is added.
    public static TableSpec dense(String name, long rows, int width) {
        int shards = (int) Math.clamp(rows, 1, USUAL_SHARDS);
        return new TableSpec(
                name,
                rows,
                width,
                false,
                shards,
                "add",
                new double[0],
                false,
                Upkeep.NONE,
                USUAL_FILTERS,
                USUAL_FILTERS);
    }

    public TableSpec withDoubles() {
        return new TableSpec(name, rows, width, true, shards, rule, settings, variable, upkeep, push, pull);
    }

    public TableSpec withShards(int pieces) {
        return new TableSpec(name, rows, width, doubles, pieces, rule, settings, variable, upkeep, push, pull);
    }

    public TableSpec withRule(String named, double... from) {
        return new TableSpec(name, rows, width, doubles, shards, named, from, variable, upkeep, push, pull);
    }

    /// With these filters and no others, [#USUAL_FILTERS] included only if they are named.
    public TableSpec withFilters(List<String> pushed, List<String> pulled) {
        return new TableSpec(name, rows, width, doubles, shards, rule, settings, variable, upkeep, pushed, pulled);
    }

    /// The same with rows of lengths of their own, up to the width; the rule must be one for such rows.
    public TableSpec withVariableRows() {
        return new TableSpec(name, rows, width, doubles, shards, rule, settings, true, upkeep, push, pull);
    }

    /// The same where a key gets a row with its `minCount`-th update. Keys without a row are counted in `sketchBytes`
    /// of memory, not exactly: the more keys, the more get in early.
    public TableSpec withAdmission(int minCount, long sketchBytes) {
        return withUpkeep(new Upkeep(minCount, sketchBytes, upkeep.mostBytes()));
    }

    /// The same where rows, their index and the sketch take at most `bytes` of memory, over all shards: the rows that
    /// were updated least make room for others.
    public TableSpec withBudget(long bytes) {
        return withUpkeep(new Upkeep(upkeep.admitAt(), upkeep.sketchBytes(), bytes));
    }

    public TableSpec withUpkeep(Upkeep other) {
        return new TableSpec(name, rows, width, doubles, shards, rule, settings, variable, other, push, pull);
    }

    public boolean isSparse() {
        return rows == SPARSE;
    }

    /// The shard that holds `key`.
    public int shardOf(long key) {
        return isSparse() ? KeySpace.range(key, shards) : (int) (key * shards / rows);
    }

    /// The least key of a shard, as unsigned; shard `shards` would start after the last key.
    public long firstKey(int shard) {
        return isSparse() ? KeySpace.first(shard, shards) : Math.ceilDiv(shard * rows, shards);
    }
}
