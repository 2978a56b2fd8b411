package tandem.server;

import java.util.Arrays;
import tandem.wire.Keys;

/// The rows of one shard and the rule that changes them. Rows lie in slabs that are only appended, so that a
/// slot once given out stays good. Belongs to one thread.
///
/// A row is `width` entries side by side, each the weight and what the rule remembers of it.
final class Store {

    private static final int SHIFT = 12;
    private static final int SLAB = 1 << SHIFT;
    private static final int FIRST = 64;

    private final UpdateRule rule;
    private final int width;
    private final int columns;
    private final int stride;

    /// Null for a dense shard, whose slots are its keys less the first.
    private final KeyIndex index;

    private final long firstKey;
    private int size;

    /// Slots `s << SHIFT` on are in `slabs[s]`; the last one grows until it is full.
    private float[][] slabs = {};

    /// A shard of keys that `index` finds.
    Store(UpdateRule rule, int width, KeyIndex index) {
        this(rule, width, index, 0);
    }

    /// A shard of the rows from `firstKey` until `endKey`.
    Store(UpdateRule rule, int width, long firstKey, long endKey) {
        this(rule, width, null, firstKey);
        int rows = Math.toIntExact(endKey - firstKey);
        while (size < rows) {
            append();
        }
    }

    private Store(UpdateRule rule, int width, KeyIndex index, long firstKey) {
        this.rule = rule;
        this.width = width;
        this.columns = rule.columns();
        this.stride = Math.multiplyExact(width, columns);
        this.index = index;
        this.firstKey = firstKey;
    }

    int size() {
        return size;
    }

    /// The slot of key number `from` and so on into `slots[0]` and so on; with `make`, keys that have none get one.
    void resolve(Keys keys, int from, int to, boolean make, int[] slots) {
        if (index == null) {
            for (int k = from; k < to; k++) {
                slots[k - from] = dense(keys.at(k));
            }
            return;
        }
        for (int k = from; k < to; k++) {
            int slot = index.find(keys.at(k));
            if (slot == KeyIndex.NONE && make) {
                slot = append();
                index.put(keys.at(k), slot);
            }
            slots[k - from] = slot;
        }
    }

    private int dense(long key) {
        long slot = key - firstKey;
        if (slot < 0 || slot >= size) {
            throw new IllegalArgumentException(
                    "row " + key + " of a dense table; this shard has " + firstKey + " to " + (firstKey + size - 1));
        }
        return (int) slot;
    }

    /// The weights at `slots`, from `into[at]` on; 0 where a key has no row.
    void read(int[] slots, int count, float[] into, int at) {
        int to = at;
        for (int k = 0; k < count; k++) {
            if (slots[k] == KeyIndex.NONE) {
                Arrays.fill(into, to, to + width, 0);
                to += width;
            } else {
                float[] slab = slabs[slots[k] >>> SHIFT];
                int entry = (slots[k] & (SLAB - 1)) * stride;
                for (int e = 0; e < width; e++, entry += columns) {
                    into[to++] = slab[entry];
                }
            }
        }
    }

    /// Applies a row of gradients, from `gradients[at]` on, at each slot.
    void update(int[] slots, int count, float[] gradients, int at) {
        int from = at;
        for (int k = 0; k < count; k++) {
            float[] slab = slabs[slots[k] >>> SHIFT];
            int entry = (slots[k] & (SLAB - 1)) * stride;
            for (int e = 0; e < width; e++, entry += columns) {
                rule.update(slab, entry, gradients[from++]);
            }
        }
    }

    void forEach(Server.Visitor visitor) {
        if (index == null) {
            for (int slot = 0; slot < size; slot++) {
                show(firstKey + slot, slot, visitor);
            }
        } else {
            index.forEach((key, slot) -> show(key, slot, visitor));
        }
    }

    private void show(long key, int slot, Server.Visitor visitor) {
        visitor.visit(key, slabs[slot >>> SHIFT], (slot & (SLAB - 1)) * stride, columns, width);
    }

    private int append() {
        int s = size >>> SHIFT;
        if (s == slabs.length) {
            slabs = Arrays.copyOf(slabs, s + 1);
            slabs[s] = new float[s == 0 ? FIRST * stride : SLAB * stride];
        }
        int needed = ((size & (SLAB - 1)) + 1) * stride;
        if (needed > slabs[s].length) {
            slabs[s] = Arrays.copyOf(slabs[s], Math.min(SLAB * stride, 2 * slabs[s].length));
        }
        for (int e = 0, at = needed - stride; e < width; e++, at += columns) {
            rule.begin(slabs[s], at);
        }
        return size++;
    }
}
