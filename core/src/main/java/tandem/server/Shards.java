package tandem.server;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tandem.filter.Direction;
import tandem.filter.Stack;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// The shards of one copy of a seat, taken together: whether parts of updates and reads are of shards that are here,
/// where their rows lie, what they change and what is read of them. Knows rows and filters, not who else has copies.
final class Shards {

    /// The most characters of a failure that are passed on.
    private static final int MOST_WORDS = 1000;

    private final int seat;
    private final Seat.Means means;
    private final Filtering filtering;
    private Layout layout = Layout.NONE;

    /// By table and shard; null where the shard is of another seat. `owned` lists the others in the same order.
    private Shard[][] all = {};

    private final List<Shard> owned = new ArrayList<>();

    /// Parts of updates of one clock whose rows change only when that is over, and the clock.
    private final List<Part> unsettled = new ArrayList<>();

    private long unsettledClock;

    Shards(int seat, Seat.Means means, Filtering filtering) {
        this.seat = seat;
        this.means = means;
        this.filtering = filtering;
    }

    /// Those that are here.
    List<Shard> owned() {
        return owned;
    }

    /// By table and shard; null where a shard is of another seat, or a table was dropped.
    Shard[][] all() {
        return all;
    }

    /// A shard of a table; null if it is of another seat.
    Shard at(int table, int shard) {
        return all[table] == null ? null : all[table][shard];
    }

    private Shard of(Part part) {
        return all[part.table()][part.shard()];
    }

    /// Follows the layout of a new epoch.
    ///
    /// @param whole whether shards that are new begin with all that there is of them
    void place(Layout placed, boolean whole) {
        filtering.place(placed);
        boolean tellsLists = means.ways().inOrder() || placed.chains()[seat].servers().length > 1;
        Shard[][] next = new Shard[placed.tables().length][];
        owned.clear();
        for (int t = 0; t < next.length; t++) {
            TableSpec table = placed.tables()[t];
            if (table == null) {
                means.lists().forget(t);
                continue;
            }
            next[t] = new Shard[table.shards()];
            for (int s = 0; s < table.shards(); s++) {
                if (placed.owners()[t][s] == seat) {
                    boolean kept = t < all.length && all[t] != null && all[t][s] != null;
                    next[t][s] = kept ? all[t][s] : made(table, t, s, whole);
                    next[t][s].tellLists(tellsLists);
                    owned.add(next[t][s]);
                }
            }
        }
        unsettled.removeIf(part -> next[part.table()] == null || next[part.table()][part.shard()] == null);
        all = next;
        layout = placed;
    }

    private Shard made(TableSpec spec, int table, int shard, boolean whole) {
        Shard made = new Shard(
                spec, new Shard.Place(table, shard), means.rules(), means.ways().salt(), means.lists());
        if (made.settles() && !means.ways().inOrder()) {
            throw new IllegalArgumentException("table " + spec.name() + " has the rule " + spec.rule()
                    + ", which needs servers that apply updates clock by clock");
        }
        made.missing = !whole;
        return made;
    }

    /// A hash of all rows.
    long hash() {
        long rows = 0;
        for (Shard shard : owned) {
            rows += shard.hash();
        }
        return rows;
    }

    /// Parts that were pushed, as they are for shards here: with lists of keys where those came packed.
    Part[] pushed(Part[] parts) {
        Part[] listed = filtering.listed(parts, Direction.PUSH);
        check(listed, true);
        return listed;
    }

    /// The same of parts to be pulled.
    Part[] pulled(Part[] parts) {
        Part[] listed = filtering.listed(parts, Direction.PULL);
        check(listed, false);
        return listed;
    }

    /// Whether the keys of all parts are known here.
    boolean know(Part[] parts) {
        for (Part part : parts) {
            if (!of(part).knows(part)) {
                return false;
            }
        }
        return true;
    }

    /// The slots of each part's keys, all before any is used; null if the keys of one are not known.
    int[][] resolve(Part[] parts, boolean make) {
        int[][] slots = new int[parts.length][];
        for (int p = 0; p < parts.length; p++) {
            slots[p] = of(parts[p]).resolve(parts[p], make);
            if (slots[p] == null) {
                return null;
            }
        }
        return slots;
    }

    /// Applies an update whose keys are all known here. They come clock by clock, so one of a later clock says that
    /// those before are over.
    ///
    /// @param tells whether others have to be told
    /// @return what it changes, with all keys if others have to be told
    Part[] apply(Message.Update update, boolean tells) {
        Part[] parts = pushed(update.parts());
        if (update.clock() > unsettledClock) {
            settle();
            unsettledClock = update.clock();
        }
        Part[] told = apply(parts, resolve(parts, true), update.age(), tells);
        for (Part part : parts) {
            if (of(part).settles()) {
                unsettled.add(part);
            }
        }
        return told;
    }

    /// Has rows change by what was pushed to them in a clock that is over.
    void settle() {
        Map<Shard, List<Part>> parts = new LinkedHashMap<>();
        for (Part part : unsettled) {
            parts.computeIfAbsent(of(part), _ -> new ArrayList<>()).add(part);
        }
        parts.forEach(Shard::settle);
        unsettled.clear();
    }

    /// Applies parts at their slots; gives them back with all keys, if others have to be told.
    Part[] apply(Part[] parts, int[][] slots, Age age, boolean tells) {
        int[][] changed = slots.clone();
        Part[] unpacked = unpacked(parts, changed);
        for (int p = 0; p < parts.length; p++) {
            if (!of(parts[p]).missing) {
                of(parts[p]).update(unpacked[p], changed[p], age);
            }
        }
        return tells ? told(parts) : parts;
    }

    /// Parts with all their keys.
    Part[] told(Part[] parts) {
        Part[] told = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            told[p] = of(parts[p]).listed(parts[p]);
        }
        return told;
    }

    /// Applies updates that are one; gives back what they change, or null if a list is not known here.
    Part[] apply(Message.Merged merged) {
        Part[] parts = merged.parts();
        for (Part part : parts) {
            check(part);
            if (!of(part).knows(part)) {
                return null;
            }
            if (!of(part).takes(part)) {
                throw new IllegalArgumentException("values of another kind than those of table " + part.table());
            }
        }
        Part[] told = told(parts);
        for (Part part : told) {
            Shard shard = of(part);
            if (!shard.missing) {
                shard.update(part, shard.resolve(part, true), Age.UNKNOWN);
            }
        }
        return told;
    }

    /// Changes rows by a function of this server's; why it could not, or null if it could.
    String apply(Message.Change change) {
        try {
            ServerChange function = means.rules().change(change.function());
            for (Shard shard : owned) {
                if (shard.table == change.table() && !shard.missing) {
                    shard.change(function, change.with());
                }
            }
            return null;
        } catch (RuntimeException e) {
            return why(change.function(), e);
        }
    }

    /// Takes a copy of rows.
    ///
    /// @param last whether its shard has all of them now
    void put(Part part, boolean last) {
        check(part);
        if (part.values() == null || part.keys().list() == null) {
            throw new IllegalArgumentException("seat " + seat + " was given rows without keys or values");
        }
        of(part).put(part);
        of(part).missing = !last;
    }

    /// The rows of parts, as they answer request `request` of a stream.
    ///
    /// @param lent whether the rows may change once the answer is sent
    /// @param held whether the reader has them as they were before their last step
    Values[] read(int stream, long request, Part[] parts, int[][] slots, boolean lent, boolean held) {
        Values[] values = new Values[parts.length];
        for (int p = 0; p < parts.length; p++) {
            Values rows = of(parts[p]).read(parts[p], slots[p], lent);
            BitSet stayed =
                    held && filtering.leavesOut(parts[p].table()) ? of(parts[p]).stayed(parts[p], slots[p]) : null;
            values[p] = filtering.packed(stream, request, parts[p], rows, stayed);
        }
        return values;
    }

    /// What a function of this server's makes of the rows, or why it could not.
    Message compute(Message.Compute compute, long slowest) {
        try {
            ServerFunction function = means.rules().function(compute.function());
            Figures[] results = owned.stream()
                    .filter(shard -> shard.table == compute.table())
                    .map(shard -> shard.compute(function, compute.with()))
                    .toArray(Figures[]::new);
            return new Message.Computed(compute.request(), slowest, results);
        } catch (RuntimeException e) {
            return new Message.Refused(true, compute.stream(), compute.request(), why(compute.function(), e));
        }
    }

    private String why(String function, RuntimeException e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        return "server " + means.server() + " could not run " + function + ": "
                + why.substring(0, Math.min(MOST_WORDS, why.length()));
    }

    /// Parts with all their keys and values, and without rows that were left out.
    Part[] plain(Part[] parts) {
        Part[] plain = told(parts);
        for (int p = 0; p < plain.length; p++) {
            if (plain[p].values() instanceof Values.Packed packed) {
                Stack.Unpacked found = unpacked(plain[p], packed);
                plain[p] = without(found.leftOut(), plain[p].with(found.values()));
            }
        }
        return plain;
    }

    private static Part without(BitSet leftOut, Part part) {
        if (leftOut.isEmpty() || part.values() instanceof Values.Ragged) {
            return part;
        }
        int[] kept = IntStream.range(0, part.count())
                .filter(row -> !leftOut.get(row))
                .toArray();
        long[] keys = IntStream.of(kept).mapToLong(part::key).toArray();
        Values values = part.values() instanceof Values.Doubles
                ? Values.of(new double[kept.length * part.width()])
                : Values.of(new float[kept.length * part.width()]);
        for (int k = 0; k < kept.length; k++) {
            part.values().piece(kept[k] * part.width(), part.width()).copyTo(values, k * part.width());
        }
        return new Part(part.table(), part.shard(), Keys.once(keys, keys.length), 0, keys.length, part.width(), values);
    }

    /// The parts with their values, and the slots without those of rows that were left out.
    private Part[] unpacked(Part[] parts, int[][] slots) {
        Part[] unpacked = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            if (parts[p].values() instanceof Values.Packed packed) {
                Stack.Unpacked found = unpacked(parts[p], packed);
                unpacked[p] = parts[p].with(found.values());
                slots[p] = of(parts[p]).without(found.leftOut(), parts[p], slots[p]);
            }
        }
        return unpacked;
    }

    private Stack.Unpacked unpacked(Part part, Values.Packed packed) {
        Stack.Unpacked found = filtering.unpacked(part, packed);
        if (!of(part).takes(part.with(found.values()))) {
            throw new ProtocolError(
                    found.count() + " numbers were packed for " + part.count() + " rows of " + part.width());
        }
        return found;
    }

    /// That the parts are of shards that are here, in their order, so that none is passed over.
    void check(Part[] parts, boolean withValues) {
        int table = 0;
        int least = 0;
        for (Part part : parts) {
            least = part.table() == table ? least : 0;
            boolean here = part.table() >= table
                    && part.table() < all.length
                    && all[part.table()] != null
                    && part.shard() >= least
                    && part.shard() < all[part.table()].length
                    && of(part) != null
                    && part.width() == layout.tables()[part.table()].width()
                    && isOf(layout.tables()[part.table()], part)
                    && (withValues ? takes(part) : part.values() == null);
            if (!here) {
                throw new IllegalArgumentException("seat " + seat + " was sent shard " + part.shard() + " of table "
                        + part.table() + " in epoch " + layout.epoch() + ", which is out of place");
            }
            table = part.table();
            least = part.shard() + 1;
        }
    }

    /// That a part from another copy is of a shard that is here.
    private void check(Part part) {
        boolean here = layout.has(part.table())
                && part.shard() >= 0
                && part.shard() < all[part.table()].length
                && of(part) != null
                && part.width() == layout.tables()[part.table()].width()
                && isOf(layout.tables()[part.table()], part);
        if (!here) {
            throw new IllegalArgumentException("seat " + seat + " was given shard " + part.shard() + " of table "
                    + part.table() + " in epoch " + layout.epoch() + ", which is out of place");
        }
    }

    private boolean takes(Part part) {
        return part.values() instanceof Values.Packed ? filtering.packs(part.table()) : of(part).takes(part);
    }

    /// Whether the keys of a part, which come in order, are of its shard. All keys of a sparse table are listed,
    /// since a few bytes that name a long range would make as many rows.
    private static boolean isOf(TableSpec table, Part part) {
        Keys keys = part.keys();
        return part.count() == 0
                || keys.isBare()
                || !table.isSparse()
                || !keys.isRange()
                        && table.shardOf(part.key(0)) == part.shard()
                        && table.shardOf(part.key(part.count() - 1)) == part.shard();
    }
}
