package tandem.wire;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which tables there are, which seat each shard belongs to, and which servers hold each seat, as of an epoch.
///
/// A *seat* is a set of shards that stay together: every update is told to every seat, whether it changes something
/// there or not, so that all shards of a seat have the same past and move as one.
///
/// @param tables  by table number; null where a table was dropped
/// @param owners  by table and shard, the number of the seat; null where a table was dropped
/// @param streams how many numbered streams the data is cut into
/// @param chains  by seat, the servers that hold it
public record Layout(long epoch, TableSpec[] tables, int[][] owners, int streams, Chain[] chains) {

    /// Before there is a cluster.
    public static final Layout NONE = new Layout(0, new TableSpec[0], new int[0][], 0);

    /// The same where each seat is held by the server of its number alone.
    public Layout(long epoch, TableSpec[] tables, int[][] owners, int streams) {
        this(epoch, tables, owners, streams, single(owners));
    }

    /// The same in a new epoch, with seats held by others.
    public Layout with(long newEpoch, Chain[] newChains) {
        return new Layout(newEpoch, tables, owners, streams, newChains);
    }

    /// How many seats there are.
    public int seats() {
        return chains.length;
    }

    /// The server that updates of a seat go to, and reads.
    public Address head(int seat) {
        return Address.server(chains[seat].head());
    }

    /// The server that has of a seat what all others have.
    public Address tail(int seat) {
        return Address.server(chains[seat].tail());
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

    /// Those of the parts whose table is there.
    public Part[] present(Part[] parts) {
        return Arrays.stream(parts).filter(part -> has(part.table())).toArray(Part[]::new);
    }

    /// Whether there is a table of this number.
    public boolean has(int table) {
        return table >= 0 && table < tables.length && tables[table] != null;
    }

    private static Chain[] single(int[][] owners) {
        int seats = 1
                + Arrays.stream(owners)
                        .filter(byShard -> byShard != null)
                        .flatMapToInt(Arrays::stream)
                        .max()
                        .orElse(-1);
        return IntStream.range(0, seats).mapToObj(Chain::of).toArray(Chain[]::new);
    }
}
