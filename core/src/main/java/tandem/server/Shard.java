package tandem.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import tandem.math.Hash;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A range of the keys of a table, and their rows.
final class Shard {

    final int table;

    /// Whether its rows are still to be copied from elsewhere, so that updates pass it by.
    boolean missing;

    /// Who keeps its rows; told before any row changes.
    final Watched watched = new Watched();

    private static final int[] NOTHING = {};
    private static final int LEFT_OUT = KeyIndex.NONE - 1;

    /// How many rows are copied in one message.
    private static final int COPIED = 1 << 14;

    private final Place place;
    private final int width;
    private final Store store;
    private final KeyLists lists;

    /// Whether its lists are counted against the memory of its table.
    private final boolean hasOwnLists;

    /// Whether lists are remembered with their keys, so that they can be told to others.
    private boolean tells;

    private long changes;
    private int[] slots = new int[0];

    /// Of the part that was resolved last, where keys may have no row.
    private long[] keys = {};

    /// @param place which shard of which table it is
    Shard(TableSpec table, Place place, Rules rules, long salt, KeyLists lists) {
        int number = place.shard;
        long ends = table.isSparse() ? 0 : table.firstKey(number + 1) - table.firstKey(number);
        Rows rows = rows(table, rules, Math.toIntExact(ends));
        store = table.isSparse()
                ? new Store(
                        rows,
                        new KeyIndex(table.firstKey(number), table.shards(), salt),
                        table.upkeep().share(table.shards()))
                : new Store(rows, table.firstKey(number), table.firstKey(number + 1));
        this.table = place.table;
        this.place = place;
        this.width = table.width();
        long listBytes = table.upkeep().share(table.shards()).listBytes();
        this.hasOwnLists = listBytes != Long.MAX_VALUE;
        this.lists = hasOwnLists ? new KeyLists(listBytes) : lists;
    }

    /// @param count rows that are there from the start
    private static Rows rows(TableSpec table, Rules rules, int count) {
        if (table.variable()) {
            return new VariableRows(rules.rowRule(table.rule(), table.settings()), table.width());
        }
        UpdateRule rule = rules.named(table.rule(), table.settings());
        return table.doubles() ? new DoubleRows(rule, table.width(), count) : new FloatRows(rule, table.width(), count);
    }

    /// Which shard of which table.
    record Place(int table, int shard) {}

    int size() {
        return store.size();
    }

    void start(long key, double weight) {
        changes++;
        store.start(key, weight);
    }

    void start(long key, float[] beside, int from) {
        changes++;
        store.start(key, beside, from);
    }

    /// How often it has been changed.
    long changes() {
        return changes;
    }

    /// How admission and eviction went; null if every key has a row.
    Tending.Tally tally() {
        return store.tally();
    }

    long rowBytes() {
        return store.rowBytes();
    }

    long indexBytes() {
        return store.indexBytes();
    }

    /// What lists take that are not remembered together with those of others.
    long listBytes() {
        return hasOwnLists ? lists.bytes() : 0;
    }

    void forEach(Consumer<Row> visitor) {
        store.view(false).forEach(visitor);
    }

    /// Whether rows change only when a clock is over.
    boolean settles() {
        return store.settles();
    }

    /// Changes rows by all that was pushed to them in a clock that is over. Where that changes all of them together,
    /// the parts are those of all streams.
    void settle(List<Part> parts) {
        if (!store.settlesTogether()) {
            for (Part part : parts) {
                settle(part, resolve(part, false));
            }
            return;
        }
        Touched all = Touched.NONE;
        for (Part part : parts) {
            int[] at = resolve(part, false);
            int run = at == NOTHING ? store.run(part.key(0), part.count()) : 0;
            int[] slots = new int[part.count()];
            Arrays.setAll(slots, k -> at == NOTHING ? run + k : at[k]);
            all = all.with(listed(part), slots);
        }
        store.settle(all.keys(), all.slots());
    }

    /// Changes the rows of a part, at its slots, by all that was pushed to them in a clock that is over.
    private void settle(Part part, int[] at) {
        if (at == NOTHING) {
            store.settle(store.run(part.key(0), part.count()), part.count());
        } else {
            store.settle(at, part.count());
        }
    }

    /// The slots of a part's keys, good until the next call, and none if its rows lie side by side; null if only a
    /// signature came, and it is not known.
    int[] resolve(Part part, boolean make) {
        if (store.isRun(part.keys())) {
            store.run(part.key(0), part.count());
            return NOTHING;
        }
        Hash.Signature signature = part.keys().signature();
        KeyLists.Resolved known =
                signature == null ? null : lists.find(part.table(), part.shard(), signature, part.count());
        if (known == null && part.keys().isBare()) {
            return null;
        }
        if (store.isTended()) {
            return tended(part, known);
        }
        if (known != null) {
            return known.slots();
        }
        boolean kept = make && signature != null;
        int[] found = kept ? new int[part.count()] : room(part.count());
        store.resolve(part.keys(), part.from(), part.to(), make, found);
        if (kept) {
            long[] told = tells ? Arrays.copyOfRange(part.keys().list(), part.from(), part.to()) : null;
            lists.put(part.table(), part.shard(), signature, new KeyLists.Resolved(found, told, 0));
        }
        return found;
    }

    /// Whether lists must be remembered so that others can be told them; those that were not are forgotten.
    void tellLists(boolean told) {
        if (told && !tells) {
            forgetLists();
        }
        tells = told;
    }

    void forgetLists() {
        lists.forget(place);
    }

    /// Whether the keys of a part can be found: they came, or their list has come before.
    boolean knows(Part part) {
        return !part.keys().isBare()
                || lists.find(part.table(), part.shard(), part.keys().signature(), part.count()) != null;
    }

    /// The same part with its list of keys, where only the signature came and [#resolve] has found it.
    Part listed(Part part) {
        if (!part.keys().isBare()) {
            return part;
        }
        Hash.Signature signature = part.keys().signature();
        long[] list =
                lists.find(part.table(), part.shard(), signature, part.count()).keys();
        return part.with(Keys.known(list, part.count(), signature));
    }

    /// All rows as they are now, with all that their rule remembers of them, in parts; one at least.
    List<Part> copied() {
        Store.Listed all = store.listed();
        List<Part> parts = new ArrayList<>();
        for (int from = 0; from == 0 || from < all.keys().length; from += COPIED) {
            int to = Math.min(all.keys().length, from + COPIED);
            Keys keys = Keys.once(Arrays.copyOfRange(all.keys(), from, to), to - from);
            Values states = store.states(Arrays.copyOfRange(all.slots(), from, to), to - from);
            parts.add(new Part(place.table, place.shard, keys, 0, to - from, width, states));
        }
        return parts;
    }

    /// The row of a key, or null.
    Row find(long key) {
        return store.view(false).find(key);
    }

    /// A hash of its rows, in whatever order they lie.
    long hash() {
        long[] sum = {0};
        store.view(false).forEach(row -> {
            long hash = Hash.number(Hash.number(place.table, place.shard), row.key());
            for (int entry = 0; entry < row.length(); entry++) {
                for (int column = 0; column < row.columns(); column++) {
                    hash = Hash.number(hash, Double.doubleToLongBits(row.value(entry, column)));
                }
            }
            sum[0] += hash;
        });
        return sum[0];
    }

    /// Takes rows that were [#copied] elsewhere.
    void put(Part part) {
        changes++;
        store.put(part.keys(), part.values());
    }

    /// The slots of keys that may have none: a list that was here before is good for its generation, but for keys that
    /// have got a row since.
    private int[] tended(Part part, KeyLists.Resolved known) {
        long generation = store.generation();
        if (known != null && known.generation() == generation) {
            keys = known.keys();
            store.fill(keys, known.slots());
            return known.slots();
        }
        keys = known != null ? known.keys() : Arrays.copyOfRange(part.keys().list(), part.from(), part.to());
        int[] found = new int[keys.length];
        store.resolve(Keys.once(keys, keys.length), 0, keys.length, false, found);
        if (part.keys().signature() != null) {
            KeyLists.Resolved list = new KeyLists.Resolved(found, keys, generation);
            lists.put(part.table(), part.shard(), part.keys().signature(), list);
        }
        return found;
    }

    /// The slots of a part, with [KeyIndex#NONE] for rows that were left out.
    int[] without(BitSet leftOut, Part part, int[] at) {
        if (leftOut.isEmpty()) {
            return at;
        }
        int[] kept = Arrays.copyOf(at, part.count());
        if (store.isRun(part.keys())) {
            store.resolve(part.keys(), part.from(), part.to(), false, kept);
        }
        // A row that was left out is no update of its key, so it must not bring the key a row.
        int none = store.isTended() ? LEFT_OUT : KeyIndex.NONE;
        leftOut.stream().forEach(row -> kept[row] = none);
        return kept;
    }

    /// Applies the values of a part, which are of this age, at its slots.
    void update(Part part, int[] at, Age age) {
        changes++;
        store.meet(age);
        if (at == NOTHING) {
            int first = store.run(part.key(0), part.count());
            watched.touch(first, part.count());
            store.update(first, part.count(), part.values());
        } else {
            if (store.isTended()) {
                store.admit(keys, at);
                Arrays.setAll(at, k -> Math.max(at[k], KeyIndex.NONE));
            }
            watched.touch(at, part.count());
            store.update(at, part.count(), part.values());
            if (store.isTended()) {
                Arrays.stream(store.tidy()).forEach(watched::evict);
            }
        }
    }

    /// What a function makes of the rows.
    Figures compute(ServerFunction function, Figures with) {
        return function.over(store.view(false), with);
    }

    /// Has a function change the rows.
    void change(ServerChange change, Figures with) {
        changes++;
        watched.touchAll();
        change.over(store.view(true), with);
    }

    /// Whether a part has the values of an update: a row for every key, of the type of the table.
    boolean takes(Part part) {
        return store.takes(part.values(), part.count());
    }

    /// The rows of a part at its slots.
    Values read(Part part, int[] at) {
        return read(part, at, false);
    }

    /// @param lent whether they may be the rows themselves, good until one changes
    Values read(Part part, int[] at, boolean lent) {
        if (store.isTended()) {
            // What an update brought in is not in the slots that were found before it; what it put out still is there.
            store.fill(keys, at);
        }
        return store.isRun(part.keys())
                ? store.read(store.run(part.key(0), part.count()), part.count(), lent)
                : store.read(at, part.count());
    }

    /// The rows of a part, at its slots, that their last step left alone.
    BitSet stayed(Part part, int[] at) {
        boolean run = store.isRun(part.keys());
        int first = run ? store.run(part.key(0), part.count()) : 0;
        BitSet stayed = new BitSet();
        for (int k = 0; k < part.count(); k++) {
            int slot = run ? first + k : at[k];
            if (slot != KeyIndex.NONE && store.stayed(slot)) {
                stayed.set(k);
            }
        }
        return stayed;
    }

    private int[] room(int count) {
        if (slots.length < count) {
            slots = new int[count + (count >> 2)];
        }
        return slots;
    }
}
