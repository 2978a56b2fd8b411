package tandem.wire;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which tables there are and which server holds each shard, as of an epoch.
///
/// @param tables  by table number; null where a table was dropped
/// @param owners  by table and shard, the number of the server; null where a table was dropped
/// @param streams how many numbered streams the data is cut into
/// @param servers the numbers of all servers, ascending: each hears of every update, whether it holds a shard or not
public record Layout(long epoch, TableSpec[] tables, int[][] owners, int streams, int[] servers) {

    /// Before there is a cluster.
    public static final Layout NONE = new Layout(0, new TableSpec[0], new int[0][], 0);

    /// The same where every server holds a shard.
    public Layout(long epoch, TableSpec[] tables, int[][] owners, int streams) {
        this(epoch, tables, owners, streams, holders(owners));
    }

    /// The number of the table called `name`.
    public int table(String name) {
        for (int table = 0; table < tables.length; table++) {
            if (tables[table] != null && tables[table].name().equals(name)) {
                return table;
            }
        }
        throw new IllegalArgumentException("there is no table called " + name);
    }

    /// The table of this number.
    public TableSpec spec(int table) {
        if (!has(table)) {
            throw new IllegalArgumentException("there is no table " + table + " in epoch " + epoch
                    + "; it was dropped, or the number is wrong: there are " + names());
        }
        return tables[table];
    }

    private String names() {
        String names = IntStream.range(0, tables.length)
                .filter(this::has)
                .mapToObj(table -> table + " " + tables[table].name())
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    /// Whether there is a table of this number.
    public boolean has(int table) {
        return table >= 0 && table < tables.length && tables[table] != null;
    }

    private static int[] holders(int[][] owners) {
        return Arrays.stream(owners)
                .filter(byShard -> byShard != null)
                .flatMapToInt(Arrays::stream)
                .distinct()
                .sorted()
                .toArray();
    }
}
