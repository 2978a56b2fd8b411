package tandem.client;

import java.util.function.BiFunction;
import tandem.math.Hash;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Refuses what a table cannot take, before anything of it is sent: a server that got it could only close the
/// connection. Belongs to the thread that has the client's turn.
final class Gate {

    /// A power of two.
    private static final int REMEMBERED = 1 << 13;

    /// Signatures of lists that were found in order, each where its number says; others take their places.
    private final Hash.Signature[] ordered = new Hash.Signature[REMEMBERED];

    /// What an update sends.
    void checkPush(Layout layout, Slice... slices) {
        check(layout, Gate::pushed, slices);
    }

    /// Where rows are to go.
    void checkPull(Layout layout, Slice... slices) {
        check(layout, Gate::pulled, slices);
    }

    /// That `key` can be of a table.
    static void checkKey(TableSpec table, long key) {
        if (!table.isSparse() && Long.compareUnsigned(key, table.rows()) >= 0) {
            throw refused(
                    table,
                    "has rows 0 until " + table.rows() + " and was given key " + Long.toUnsignedString(key)
                            + "; give keys below " + table.rows() + ", or make the table sparse");
        }
    }

    /// @param fit what is wrong with values for so many rows of a table, or null
    private void check(Layout layout, BiFunction<TableSpec, Slice, String> fit, Slice... slices) {
        int before = -1;
        for (Slice slice : slices) {
            TableSpec table = layout.spec(slice.table());
            if (slice.table() <= before) {
                throw refused(
                        table,
                        "is number " + slice.table() + " and came after number " + before
                                + "; give slices in the order of their tables, one each");
            }
            before = slice.table();
            checkKeys(table, slice.keys());
            String wrong = fit.apply(table, slice);
            if (wrong != null) {
                throw refused(table, wrong);
            }
        }
    }

    private void checkKeys(TableSpec table, Keys keys) {
        if (keys.isRange()) {
            checkRange(table, keys);
            return;
        }
        if (keys.list() == null) {
            throw refused(table, "was given keys without their list; make them by Keys.repeated or Keys.once");
        }
        if (keys.count() < 0 || keys.count() > keys.list().length) {
            throw refused(
                    table,
                    "was given " + keys.count() + " keys in a list of " + keys.list().length
                            + "; the count is at most the length of the list");
        }
        checkOrder(table, keys);
        if (keys.count() > 0 && !table.isSparse()) {
            int beyond = keys.positionOf(table.rows(), 0, keys.count());
            checkKey(table, keys.at(Math.min(beyond, keys.count() - 1)));
        }
    }

    private static void checkRange(TableSpec table, Keys keys) {
        if (table.isSparse()) {
            throw refused(
                    table,
                    "is sparse and was given a range of " + keys.count() + " keys from "
                            + Long.toUnsignedString(keys.first())
                            + " on; ranges are for dense tables, so give a list by Keys.once or Keys.repeated");
        }
        if (keys.count() < 0) {
            throw refused(table, "was given a range of " + keys.count() + " keys; use 0 or more");
        }
        if (keys.count() > 0) {
            checkKey(table, keys.first());
            checkKey(table, keys.first() + keys.count() - 1);
        }
    }

    /// One pass, the first time that a list with a signature comes.
    private void checkOrder(TableSpec table, Keys keys) {
        Hash.Signature signature = keys.signature();
        int place = signature == null ? 0 : (int) signature.low() & (REMEMBERED - 1);
        if (signature != null && signature.equals(ordered[place])) {
            return;
        }
        long[] list = keys.list();
        for (int k = 1; k < keys.count(); k++) {
            if (Long.compareUnsigned(list[k - 1], list[k]) >= 0) {
                throw refused(table, disorder(list, k));
            }
        }
        if (signature != null) {
            ordered[place] = signature;
        }
    }

    private static String disorder(long[] list, int at) {
        String key = Long.toUnsignedString(list[at]);
        return list[at - 1] == list[at]
                ? "was given key " + key + " twice, at positions " + (at - 1) + " and " + at + "; give each key once"
                : "was given key " + key + " after " + Long.toUnsignedString(list[at - 1]) + ", at position " + at
                        + "; sort keys as unsigned numbers (Long.compareUnsigned)";
    }

    private static String pushed(TableSpec table, Slice slice) {
        String wrong = misfit(table, slice);
        if (wrong == null && slice.values() instanceof Values.Ragged rows) {
            for (int row = 0; row < rows.rows(); row++) {
                int length = rows.length(row);
                if (length < 0 || length > table.width()) {
                    return "was given a row of " + length + "; its rows have up to " + table.width() + " numbers";
                }
                if (rows.start(row) < 0 || rows.start(row) > rows.array().length - length) {
                    return "was given a row of " + length + " numbers from " + rows.start(row) + " on in an array of "
                            + rows.array().length + "; make the array longer";
                }
            }
        }
        return wrong;
    }

    private static String pulled(TableSpec table, Slice slice) {
        String wrong = misfit(table, slice);
        if (wrong == null && slice.values() instanceof Values.Ragged rows) {
            for (int row = 0; row < rows.rows(); row++) {
                if (rows.start(row) < 0 || rows.room(row) < table.width()) {
                    return "has rows of up to " + table.width() + " numbers and was given room for " + rows.room(row)
                            + "; use Values.Ragged.room";
                }
            }
        }
        return wrong;
    }

    private static String misfit(TableSpec table, Slice slice) {
        long rows = slice.keys().count();
        return switch (slice.values()) {
            case Values.Floats(var _, var _, int length) ->
                table.variable() || table.doubles() ? type(table, "floats") : misfit(table, rows, length);
            case Values.Doubles(var _, var _, int length) ->
                table.doubles() ? misfit(table, rows, length) : type(table, "doubles");
            case Values.Ragged ragged -> {
                if (!table.variable()) {
                    yield type(table, "rows of lengths of their own");
                }
                yield ragged.rows() == rows
                        ? null
                        : "was given " + ragged.rows() + " rows for " + rows + " keys; give one for each";
            }
            case Values.Packed _ -> type(table, "packed bytes");
        };
    }

    private static String misfit(TableSpec table, long rows, int length) {
        long wanted = rows * table.width();
        return length == wanted
                ? null
                : "was given " + length + " numbers for " + rows + " rows of " + table.width() + "; give " + wanted
                        + (length > wanted ? ", or a piece of the array (Values.piece)" : "");
    }

    private static String type(TableSpec table, String given) {
        if (table.variable()) {
            return "has rows of lengths of their own and was given " + given + "; use Values.Ragged";
        }
        return table.doubles()
                ? "holds doubles and was given " + given + "; use double[]"
                : "holds floats and was given " + given + "; use float[]";
    }

    private static IllegalArgumentException refused(TableSpec table, String why) {
        return new IllegalArgumentException("table " + table.name() + " " + why);
    }
}
