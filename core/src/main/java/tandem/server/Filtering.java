package tandem.server;

import java.util.BitSet;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Stack;
import tandem.filter.Tally;
import tandem.wire.Layout;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// What the filters of tables did to the messages of workers, undone; and what they do to answers.
final class Filtering {

    private final Filters filters;

    /// Workers count both ends, so nobody asks for this.
    private final Tally tally = new Tally();

    private Layout layout = Layout.NONE;

    /// By table; null where a table was dropped.
    private Stack[] pushed = {};

    private Stack[] pulled = {};

    Filtering(Filters filters) {
        this.filters = filters;
    }

    void place(Layout placed) {
        TableSpec[] tables = placed.tables();
        Stack[] pushes = new Stack[tables.length];
        Stack[] pulls = new Stack[tables.length];
        for (int t = 0; t < tables.length; t++) {
            if (tables[t] != null) {
                pushes[t] = filters.stack(tables[t].push(), Direction.PUSH, tally);
                pulls[t] = filters.stack(tables[t].pull(), Direction.PULL, tally);
            }
        }
        pushed = pushes;
        pulled = pulls;
        layout = placed;
    }

    /// Whether what is pushed to a table comes packed.
    boolean packs(int table) {
        return pushed[table].packs();
    }

    /// The parts with lists of keys, where those were packed. A packed key takes at least a byte, so few bytes cannot
    /// become many keys.
    Part[] listed(Part[] parts, Direction direction) {
        Stack[] stacks = direction == Direction.PUSH ? pushed : pulled;
        Part[] listed = parts;
        for (int p = 0; p < parts.length; p++) {
            if (parts[p].keys().isPacked()) {
                listed = listed == parts ? parts.clone() : listed;
                listed[p] = stack(stacks, parts[p]).listed(parts[p]);
            }
        }
        return listed;
    }

    /// A part of a refresh with its keys as they travel.
    Part keyed(Part part) {
        return pulled[part.table()].keyed(part, false);
    }

    private Stack stack(Stack[] stacks, Part part) {
        if (!layout.has(part.table())) {
            throw new ProtocolError("packed keys for table " + part.table() + ", which is not there");
        }
        return stacks[part.table()];
    }

    /// The values of a part that came packed. To be asked once its keys are known, so that no more can come out than
    /// there are rows.
    Stack.Unpacked unpacked(Part part, Values.Packed packed) {
        return pushed[part.table()].unpack(packed, part.count(), layout.tables()[part.table()]);
    }

    /// Whether answers may leave out rows of a table.
    boolean leavesOut(int table) {
        return pulled[table].chooses();
    }

    /// The rows of a part as they are in refresh `number` for a reader.
    Values packed(int stream, long number, Part part, Values values) {
        return packed(stream, number, part, values, null);
    }

    /// The rows of a part as they answer request `number` of a stream, or are in its refresh −`number`.
    ///
    /// @param leftOut the rows that do not travel; none if null
    Values packed(int stream, long number, Part part, Values values, BitSet leftOut) {
        Stack stack = pulled[part.table()];
        return stack.packs()
                ? stack.pack(values, part.count(), leftOut, stack.moment(stream, number, part.table(), 0), part.shard())
                : values;
    }
}
