package tandem.server;

import java.util.Arrays;
import java.util.function.Consumer;
import tandem.wire.Age;
import tandem.wire.Keys;
import tandem.wire.Upkeep;
import tandem.wire.Values;

/// The keys of one shard, the slots they have, and the rows in them. Belongs to one thread.
final class Store {

    /// How many keys are looked at together.
    private static final int AHEAD = 64;

    private static final int[] NOTHING = {};

    /// Null for a dense shard, whose slots are its keys less the first.
    private final KeyIndex index;

    private final long firstKey;
    private final Rows rows;

    /// Who has a row, where not every key can; else null.
    private final Tending tending;

    private int size;

    /// A shard of keys that `index` finds.
    Store(Rows rows, KeyIndex index, Upkeep upkeep) {
        this.rows = rows;
        this.index = index;
        this.tending =
                upkeep.keepsAll() ? null : new Tending(upkeep, slots -> rows.bytes(slots) + KeyIndex.bytes(slots));
        this.firstKey = 0;
    }

    /// A shard of the rows from `firstKey` until `endKey`.
    Store(Rows rows, long firstKey, long endKey) {
        this.rows = rows;
        this.index = null;
        this.tending = null;
        this.firstKey = firstKey;
        int count = Math.toIntExact(endKey - firstKey);
        while (size < count) {
            append(firstKey + size);
        }
    }

    /// How many rows there are.
    int size() {
        return tending == null ? size : tending.live();
    }

    /// Whether keys have to earn a row, and can lose it.
    boolean isTended() {
        return tending != null;
    }

    /// What slots are worth: those of an earlier generation may be other keys' by now.
    long generation() {
        return tending == null ? 0 : tending.generation();
    }

    /// How that went; null if every key has a row.
    Tending.Tally tally() {
        return tending == null ? null : tending.tally();
    }

    /// Looks again for keys that had no row when `slots` were found.
    void fill(long[] keys, int[] slots) {
        for (int k = 0; k < keys.length; k++) {
            if (slots[k] == KeyIndex.NONE) {
                slots[k] = index.find(keys[k]);
            }
        }
    }

    /// Counts an update of some keys, and gives rows to those that have earned one by it.
    void admit(long[] keys, int[] slots) {
        tending.begin();
        for (int k = 0; k < keys.length; k++) {
            if (slots[k] >= 0) {
                tending.touch(slots[k]);
            } else if (slots[k] == KeyIndex.NONE && tending.admits(keys[k])) {
                slots[k] = made(keys[k]);
            }
        }
    }

    /// Makes room for others if there is little, and returns the slots whose rows went.
    int[] tidy() {
        return tending.isShort() ? tending.sweep(index) : NOTHING;
    }

    private int made(long key) {
        int slot = tending.next();
        index.findOrPut(key, slot);
        rows.make(slot, key);
        return slot;
    }

    /// Whether `keys` are rows side by side, which need no slot each.
    boolean isRun(Keys keys) {
        return index == null && keys.isRange();
    }

    /// The slot of key number `from` and so on into `slots[0]` and so on; with `make`, keys that have none get one.
    void resolve(Keys keys, int from, int to, boolean make, int[] slots) {
        if (index == null) {
            for (int k = from; k < to; k++) {
                slots[k - from] = dense(keys.at(k));
            }
            return;
        }
        long[] list = keys.list();
        for (int start = from, end; start < to; start = end) {
            end = Math.min(to, start + AHEAD);
            index.find(list, start, end, slots, start - from);
            for (int k = start; make && k < end; k++) {
                if (slots[k - from] == KeyIndex.NONE) {
                    slots[k - from] = slot(list[k]);
                }
            }
        }
    }

    private int slot(long key) {
        if (tending != null) {
            int found = index.find(key);
            return found != KeyIndex.NONE || !tending.isRoom() ? found : made(key);
        }
        int slot = index.findOrPut(key, size);
        return slot == size ? append(key) : slot;
    }

    /// The slot of the first of `count` rows side by side.
    int run(long key, int count) {
        if (count > 0) {
            dense(key + count - 1);
        }
        return dense(key);
    }

    private int dense(long key) {
        long slot = key - firstKey;
        if (slot < 0 || slot >= size) {
            throw new IllegalArgumentException(
                    "row " + key + " of a dense table; this shard has " + firstKey + " to " + (firstKey + size - 1));
        }
        return (int) slot;
    }

    private int append(long key) {
        rows.make(size, key);
        return size++;
    }

    /// Makes the row of `key` stand for `weight`, in each of its entries.
    void start(long key, double weight) {
        int slot = started(key);
        if (slot != KeyIndex.NONE) {
            rows.start(slot, weight);
        }
    }

    /// Makes the numbers beside the weight of `key` those of `beside` from `from` on.
    void start(long key, float[] beside, int from) {
        int slot = started(key);
        if (slot != KeyIndex.NONE) {
            rows.start(slot, beside, from);
        }
    }

    private int started(long key) {
        int[] slot = {KeyIndex.NONE};
        resolve(Keys.once(new long[] {key}, 1), 0, 1, true, slot);
        return slot[0];
    }

    long rowBytes() {
        return rows.bytes() + (tending == null ? 0 : tending.bytes());
    }

    long indexBytes() {
        return index == null ? 0 : index.bytes();
    }

    Values read(int[] slots, int count) {
        return rows.read(slots, count);
    }

    /// @param lent whether they may be the rows themselves, good until one changes
    Values read(int first, int count, boolean lent) {
        return lent ? rows.lend(first, count) : rows.read(first, count);
    }

    boolean takes(Values values, int count) {
        return rows.takes(values, count);
    }

    /// What is applied next is of this age.
    void meet(Age age) {
        rows.meet(age);
    }

    void update(int[] slots, int count, Values gradients) {
        rows.update(slots, count, gradients);
    }

    void update(int first, int count, Values gradients) {
        rows.update(first, count, gradients);
    }

    /// All keys that have a row, and their slots.
    Listed listed() {
        Listed listed = new Listed(new long[size()], new int[size()]);
        int[] count = {0};
        visit((key, slot) -> {
            listed.keys[count[0]] = key;
            listed.slots[count[0]++] = slot;
        });
        return listed;
    }

    record Listed(long[] keys, int[] slots) {}

    /// Rows with all that the rule remembers of them.
    Values states(int[] slots, int count) {
        return rows.states(slots, count);
    }

    /// Makes the rows of keys what they were where `states` were taken.
    void put(Keys keys, Values states) {
        int[] slots = new int[keys.count()];
        resolve(keys, 0, keys.count(), true, slots);
        if (!rows.takesStates(states, keys.count()) || Arrays.stream(slots).anyMatch(slot -> slot < 0)) {
            throw new IllegalArgumentException(keys.count() + " rows were copied that do not fit their table");
        }
        rows.put(slots, keys.count(), states);
    }

    boolean settles() {
        return rows.settles();
    }

    void settle(int[] slots, int count) {
        rows.settle(slots, count);
    }

    void settle(int first, int count) {
        rows.settle(first, count);
    }

    boolean settlesTogether() {
        return rows.settlesTogether();
    }

    void settle(long[] keys, int[] slots) {
        rows.settle(keys, slots);
    }

    /// Whether the last step of a row left it alone.
    boolean stayed(int slot) {
        return rows.stayed(slot);
    }

    /// Shows each key and its slot, ascending by key.
    private void visit(KeyIndex.Visitor visitor) {
        if (index != null) {
            index.forEachInOrder(visitor);
            return;
        }
        for (int slot = 0; slot < size; slot++) {
            visitor.visit(firstKey + slot, slot);
        }
    }

    /// The rows as functions see them.
    TableRows view(boolean mayChange) {
        Cursor cursor = rows.cursor().changing(mayChange);
        return new TableRows() {

            @Override
            public long size() {
                return Store.this.size();
            }

            @Override
            public Row find(long key) {
                int slot = index != null
                        ? index.find(key)
                        : key >= firstKey && key < firstKey + size ? (int) (key - firstKey) : KeyIndex.NONE;
                return slot == KeyIndex.NONE ? null : cursor.at(key, slot);
            }

            @Override
            public void forEach(Consumer<Row> visitor) {
                visit((key, slot) -> visitor.accept(cursor.at(key, slot)));
            }
        };
    }
}
