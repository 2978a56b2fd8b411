package tandem.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Which parts of some slices go to which seat.
final class Plan {

    private static final Part[] NOTHING = {};

    /// By seat.
    private final Part[][] parts;

    private Plan(Part[][] parts) {
        this.parts = parts;
    }

    /// Slices come in the order of their tables, at most one a table. What is for a table that was dropped goes
    /// nowhere.
    ///
    /// @param withValues whether values go along
    /// @param filter     what the filters of a table make of its parts
    static Plan of(Layout layout, Slice[] slices, boolean withValues, UnaryOperator<Part> filter) {
        List<List<Part>> bySeat = new ArrayList<>();
        for (int seat = 0; seat < layout.seats(); seat++) {
            bySeat.add(new ArrayList<>());
        }
        for (Slice slice : slices) {
            if (layout.has(slice.table())) {
                cut(layout, slice, withValues, filter, bySeat);
            }
        }
        return new Plan(bySeat.stream().map(list -> list.toArray(NOTHING)).toArray(Part[][]::new));
    }

    private static void cut(
            Layout layout, Slice slice, boolean withValues, UnaryOperator<Part> filter, List<List<Part>> bySeat) {
        TableSpec table = layout.tables()[slice.table()];
        Keys keys = slice.keys();
        int width = table.width();
        for (int from = 0, to; from < keys.count(); from = to) {
            int shard = table.shardOf(keys.at(from));
            to = shard + 1 == table.shards()
                    ? keys.count()
                    : keys.positionOf(table.firstKey(shard + 1), from, keys.count());
            Values values = withValues ? slice.values().rows(from, to, width) : null;
            bySeat.get(layout.owners()[slice.table()][shard])
                    .add(filter.apply(new Part(slice.table(), shard, keys, from, to, width, values)));
        }
    }

    int seats() {
        return parts.length;
    }

    /// What goes to a seat; perhaps nothing.
    Part[] parts(int seat) {
        return parts[seat];
    }
}
