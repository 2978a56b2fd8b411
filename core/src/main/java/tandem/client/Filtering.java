package tandem.client;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Rows;
import tandem.filter.Stack;
import tandem.filter.Tally;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// What the filters of tables make of a worker's requests, and of the answers. What filters remember of updates they
/// remember by stream, so that nothing depends on which worker has which streams.
final class Filtering {

    private final Filters filters;
    private final Tally tally = new Tally();
    private Layout layout = Layout.NONE;

    /// By table; made when first needed.
    private Stack[] pulls = {};

    /// By stream, and by table.
    private final Map<Integer, Stack[]> pushes = new TreeMap<>();

    Filtering(Filters filters) {
        this.filters = filters;
    }

    void place(Layout placed) {
        layout = placed;
        pulls = Arrays.copyOf(pulls, placed.tables().length);
        pushes.replaceAll((_, stacks) -> Arrays.copyOf(stacks, placed.tables().length));
    }

    /// What filters were given and made of it, so far.
    Map<String, Tally.Bytes> counted() {
        return tally.byName();
    }

    private Stack pull(int table) {
        if (pulls[table] == null) {
            pulls[table] = filters.stack(layout.tables()[table].pull(), Direction.PULL, tally);
        }
        return pulls[table];
    }

    private Stack push(int stream, int table) {
        Stack[] stacks = pushes.computeIfAbsent(stream, _ -> new Stack[layout.tables().length]);
        if (stacks[table] == null) {
            stacks[table] = filters.stack(layout.tables()[table].push(), Direction.PUSH, tally);
        }
        return stacks[table];
    }

    /// Whether some table has a filter that keeps changes back, and sends them later.
    boolean holdsBack() {
        for (TableSpec table : layout.tables()) {
            if (table != null
                    && filters.stack(table.push(), Direction.PUSH, new Tally()).chooses()) {
                return true;
            }
        }
        return false;
    }

    private Stack stack(Request request, int table) {
        return switch (request) {
            case Request.Update update -> push(update.stream, table);
            case Request.Pull _ -> pull(table);
            case Request.Change _, Request.Compute _, Request.Claim _ ->
                throw new IllegalStateException("a call has no rows");
        };
    }

    /// Chooses the rows of an update that travel, by slice; null where all do. Once for each update: what is
    /// left out is remembered, or is not to be decided anew.
    Rows[] chosen(Request.Update update) {
        Rows[] chosen = new Rows[update.slices.length];
        for (int s = 0; s < chosen.length; s++) {
            Slice slice = update.slices[s];
            Stack stack = push(update.stream, slice.table());
            if (stack.chooses() && !slice.whole()) {
                Rows rows = new Rows(slice.keys(), layout.tables()[slice.table()].width(), slice.values());
                chosen[s] =
                        stack.choose(rows, stack.moment(update.stream, update.number, slice.table(), update.clock()));
            }
        }
        return chosen;
    }

    /// Takes away what filters still hold back of a stream, one slice a table; null if there is nothing.
    Slice[] rest(int stream) {
        Stack[] stacks = pushes.getOrDefault(stream, new Stack[0]);
        Slice[] rest = new Slice[stacks.length];
        int count = 0;
        for (int table = 0; table < stacks.length; table++) {
            Rows rows = stacks[table] == null ? null : stacks[table].rest();
            if (rows != null) {
                rest[count++] = new Slice(table, rows.keys(), rows.values());
            }
        }
        return count == 0 ? null : Arrays.copyOf(rest, count);
    }

    /// A part of a pull as its filters want it.
    Part pulled(Part part) {
        return pull(part.table()).caches() ? part : unsigned(part);
    }

    /// A part of an update as its filters make it: the same bytes, however often it is asked.
    ///
    /// @param chosen which rows travel; null for all
    /// @param whole  whether nothing may be lost on the way
    Part pushed(Request.Update update, Part part, Rows chosen, boolean whole) {
        Stack stack = push(update.stream, part.table());
        Part sent = stack.caches() ? part : unsigned(part);
        return whole || !stack.packs()
                ? sent
                : sent.with(stack.pack(
                        part.values(),
                        part.count(),
                        chosen == null ? null : chosen.leftOut(part.from(), part.to()),
                        stack.moment(update.stream, update.number, part.table(), update.clock()),
                        part.shard()));
    }

    private static Part unsigned(Part part) {
        Keys keys = part.keys();
        return keys.signature() == null
                ? part
                : new Part(
                        part.table(),
                        part.shard(),
                        Keys.once(keys.list(), keys.count()),
                        part.from(),
                        part.to(),
                        part.width(),
                        part.values());
    }

    /// A part with its keys as they travel to a server that knows them, or does not.
    Part keyed(Request request, Part part, boolean known) {
        return stack(request, part.table()).keyed(part, known);
    }

    /// The parts of a refresh, with their keys as lists and their rows as numbers, where there are any.
    Part[] refreshed(Part[] parts) {
        Part[] plain = new Part[parts.length];
        for (int p = 0; p < parts.length; p++) {
            if (!layout.has(parts[p].table())) {
                throw new ProtocolError("a refresh of table " + parts[p].table() + ", which is not there");
            }
            Part listed = pull(parts[p].table()).listed(parts[p]);
            plain[p] = listed.values() == null
                    ? listed
                    : listed.with(unpacked(listed, listed.values()).values());
        }
        return plain;
    }

    /// The rows that came for a part, and which did not.
    Stack.Unpacked unpacked(Part part, Values values) {
        if (!(values instanceof Values.Packed packed)) {
            return new Stack.Unpacked(values, new BitSet());
        }
        TableSpec table = layout.tables()[part.table()];
        return pull(part.table()).unpack(packed, part.count(), table);
    }
}
