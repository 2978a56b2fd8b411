package tandem.client;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// Rows that a worker has read, each with the clock it is good for, up to so many bytes; those used least lately go
/// first.
///
/// A server counts the refreshes it sends. While none is missing they form a *run*: rows of the run that a refresh does
/// not list have not changed, and are good for the clock of the latest refresh. A gap ends the run, and rows of an
/// earlier run are good only for the clock they were read at. Belongs to its client's turns.
final class RowCache {

    static final long NO_RUN = -1;

    private static final long[] NONE = {};

    private long mostBytes;
    private long bytes;
    private final LinkedHashMap<Name, CachedRow> rows = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, Follows> seats = new TreeMap<>();

    /// Rows that were followed and are kept no longer, to be told to their seats.
    private final List<Name> dropped = new ArrayList<>();

    private record Name(int table, long key) {}

    /// How far a server's refreshes have come: the number and clock of the latest, and the run it is of.
    private static final class Follows {
        long number;
        long clock;
        long run;
    }

    void limit(long most) {
        mostBytes = most;
        shrink();
    }

    int size() {
        return rows.size();
    }

    long bytes() {
        return bytes;
    }

    /// The row of a key, or null.
    CachedRow find(int table, long key) {
        return rows.get(new Name(table, key));
    }

    /// The clock that a row is good for.
    long clockOf(CachedRow row) {
        Follows follows = seats.get(row.seat);
        return follows != null && row.run == follows.run ? Math.max(row.clock, follows.clock) : row.clock;
    }

    /// What an answer says of its rows.
    ///
    /// @param slowest   the clock that every stream had reached
    /// @param own       own updates up to this number are in them
    /// @param refreshes how many refreshes their server had sent; −1 if it will send none for these rows
    /// @param absent    those of the rows for which it will not, counted on from part to part
    record Told(long slowest, long own, long refreshes, BitSet absent) {}

    /// Rows of a server have come.
    void put(int seat, Part[] parts, Function<Part, Values> values, Told told) {
        long run = follow(seat, told.slowest, told.refreshes);
        int number = 0;
        for (Part part : parts) {
            Values read = values.apply(part);
            for (int k = 0; k < part.count(); k++, number++) {
                Name name = new Name(part.table(), part.key(k));
                CachedRow row = rows.get(name);
                if (row == null) {
                    row = new CachedRow(seat, part.width());
                    rows.put(name, row);
                    bytes += row.bytes();
                }
                set(row, read, k * part.width(), told.slowest, told.own, NONE);
                row.run = told.absent.get(number) ? NO_RUN : run;
            }
        }
        shrink();
    }

    private long follow(int seat, long slowest, long refreshes) {
        if (refreshes < 0) {
            return NO_RUN;
        }
        Follows follows = seats.computeIfAbsent(seat, _ -> new Follows());
        if (refreshes < follows.number) {
            return NO_RUN;
        }
        if (refreshes > follows.number) {
            follows.number = refreshes;
            follows.clock = slowest;
            follows.run++;
        }
        return follows.run;
    }

    /// A server has told which rows changed; parts without values are of rows that it lost and tells of no more.
    ///
    /// @param parts those of the refresh, unpacked
    void refresh(int seat, Message.Refresh refresh, Part[] parts) {
        Follows follows = seats.computeIfAbsent(seat, _ -> new Follows());
        if (refresh.number() <= follows.number) {
            return;
        }
        if (refresh.number() > follows.number + 1) {
            follows.run++;
        }
        follows.number = refresh.number();
        follows.clock = refresh.slowest();
        for (Part part : parts) {
            for (int k = 0; k < part.count(); k++) {
                Name name = new Name(part.table(), part.key(k));
                CachedRow row = rows.get(name);
                if (part.values() == null) {
                    unfollow(row);
                } else if (row == null) {
                    dropped.add(name);
                } else if (refresh.own() < row.own || refresh.slowest() < row.clock) {
                    // Older than what is here, which nobody tells the reader of any more.
                    row.run = NO_RUN;
                } else {
                    set(row, part.values(), k * part.width(), refresh.slowest(), refresh.own(), refresh.beyond());
                    row.run = follows.run;
                }
            }
        }
    }

    private static void unfollow(CachedRow row) {
        if (row != null) {
            row.run = NO_RUN;
        }
    }

    private void set(CachedRow row, Values from, int at, long slowest, long own, long[] beyond) {
        bytes -= row.bytes();
        RowValues.get(from, at, row.values);
        row.clock = slowest;
        row.includes(own, beyond);
        bytes += row.bytes();
    }

    /// An own update adds to a row, if it is kept.
    void wrote(int table, long key, long sequence, double[] added) {
        CachedRow row = rows.get(new Name(table, key));
        if (row != null) {
            bytes -= row.bytes();
            row.wrote(sequence, added);
            bytes += row.bytes();
            shrink();
        }
    }

    /// Takes the rows that seats need not tell of any more, by table, ascending.
    TreeMap<Integer, TreeSet<Long>> takeDropped() {
        TreeMap<Integer, TreeSet<Long>> taken = new TreeMap<>();
        for (Name name : dropped) {
            if (!rows.containsKey(name)) {
                taken.computeIfAbsent(name.table, _ -> new TreeSet<>(Long::compareUnsigned))
                        .add(name.key);
            }
        }
        dropped.clear();
        return taken;
    }

    private void shrink() {
        Iterator<Map.Entry<Name, CachedRow>> eldest = rows.entrySet().iterator();
        while (bytes > mostBytes && eldest.hasNext()) {
            Map.Entry<Name, CachedRow> entry = eldest.next();
            eldest.remove();
            bytes -= entry.getValue().bytes();
            if (entry.getValue().run != NO_RUN) {
                dropped.add(entry.getKey());
            }
        }
    }

    /// Forgets all, because rows may be elsewhere now, and servers may count anew.
    void clear() {
        rows.clear();
        dropped.clear();
        seats.clear();
        bytes = 0;
    }
}
