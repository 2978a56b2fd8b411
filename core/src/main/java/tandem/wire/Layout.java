package tandem.wire;

import java.util.Arrays;

/// Which tables there are and which server holds each shard, as of an epoch.
///
/// @param tables  by table number; null where a table was dropped
/// @param owners  by table and shard, the number of the server; null where a table was dropped
/// @param streams how many numbered streams the data is cut into
public record Layout(long epoch, TableSpec[] tables, int[][] owners, int streams) {

    /// Before there is a cluster.
    public static final Layout NONE = new Layout(0, new TableSpec[0], new int[0][], 0);

    /// The number of the table called `name`.
    public int table(String name) {
        for (int table = 0; table < tables.length; table++) {
            if (tables[table] != null && tables[table].name().equals(name)) {
                return table;
            }
        }
        throw new IllegalArgumentException("there is no table called " + name);
    }

    /// The servers that hold a shard, ascending.
    public int[] servers() {
        return Arrays.stream(owners)
                .filter(byShard -> byShard != null)
                .flatMapToInt(Arrays::stream)
                .distinct()
                .sorted()
                .toArray();
    }
}
