package tandem.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Which parts of some slices go to which server.
final class Plan {

    private static final Part[] NOTHING = {};

    /// By server number; null where a server has no shard at all.
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
        int[] servers = layout.servers();
        List<List<Part>> byServer = new ArrayList<>();
        for (int server = 0; server <= servers[servers.length - 1]; server++) {
            byServer.add(new ArrayList<>());
        }
        for (Slice slice : slices) {
            if (layout.has(slice.table())) {
                cut(layout, slice, withValues, filter, byServer);
            }
        }
        Part[][] parts = new Part[byServer.size()][];
        for (int server : servers) {
            parts[server] = byServer.get(server).toArray(NOTHING);
        }
        return new Plan(parts);
    }

    private static void cut(
            Layout layout, Slice slice, boolean withValues, UnaryOperator<Part> filter, List<List<Part>> byServer) {
        TableSpec table = layout.tables()[slice.table()];
        Keys keys = slice.keys();
        int width = table.width();
        for (int from = 0, to; from < keys.count(); from = to) {
            int shard = table.shardOf(keys.at(from));
            to = shard + 1 == table.shards()
                    ? keys.count()
                    : keys.positionOf(table.firstKey(shard + 1), from, keys.count());
            Values values = withValues ? slice.values().rows(from, to, width) : null;
            byServer.get(layout.owners()[slice.table()][shard])
                    .add(filter.apply(new Part(slice.table(), shard, keys, from, to, width, values)));
        }
    }

    /// How many server numbers there are to look at.
    int servers() {
        return parts.length;
    }

    /// Whether the server holds any shard, so that it must hear of every update.
    boolean reaches(int server) {
        return parts[server] != null;
    }

    /// What goes to a server; perhaps nothing.
    Part[] parts(int server) {
        return parts[server];
    }
}
