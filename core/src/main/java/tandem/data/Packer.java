package tandem.data;

import java.util.Arrays;
import tandem.math.Hash;
import tandem.math.Mix;

/// Packs rows into a batch: finds their distinct keys, sorts them, and points the entries at them.
///
/// Mixed keys are uniform, so their top bits are both the hash and the order: a table probed linearly
/// from the top bits holds the distinct keys almost sorted, and reading it from front to back leaves
/// only neighbours to swap. Ids that someone chose so that their keys agree in the top bits would make that
/// quadratic; such a batch is sorted instead. One a thread.
final class Packer {

    private static final int FREE = -1;

    /// How far from its place a key may be. In a table at most half full chance exceeds this once in 10^10 keys.
    private static final int FARTHEST = 128;

    private final long mask;
    private final boolean merge;
    private long[] table = new long[0];
    private int[] rank = new int[0];
    private int[] slots = new int[0];
    private int[] latest = new int[0];
    private int sorted;

    /// Keeps the low `hashBits` bits of ids; `merge` says that an id may occur twice in a row, which adds its values.
    Packer(int hashBits, boolean merge) {
        mask = hashBits == 64 ? -1 : (1L << hashBits) - 1;
        this.merge = merge || hashBits < 64;
    }

    /// Packs rows `from` until `to`.
    void pack(Rows rows, int from, int to, long number, Batch into) {
        int begin = rows.starts[from];
        int entries = rows.starts[to] - begin;
        int bits = Math.max(6, 33 - Integer.numberOfLeadingZeros(Math.max(1, entries)));
        reserve(bits, entries);
        into.resize(number, to - from, entries, 0);
        sorted = 0;
        int used = merge ? merge(rows, from, to, 64 - bits, into) : insert(rows, from, to, 64 - bits, into);
        if (used < 0) {
            sortAll(rows.ids, begin, entries);
            used = merge ? merge(rows, from, to, 64 - bits, into) : insert(rows, from, to, 64 - bits, into);
        }
        int distinct = sorted > 0 ? sorted : sort((1 << bits) + entries);
        into.resize(number, to - from, used, distinct);
        long[] keys = into.keys();
        for (int k = 0; k < distinct; k++) {
            int slot = slots[k];
            keys[k] = table[slot];
            rank[slot] = k;
        }
        int[] positions = into.positions();
        for (int e = 0; e < used; e++) {
            positions[e] = rank[positions[e]];
        }
        System.arraycopy(rows.labels, from, into.labels(), 0, to - from);
        System.arraycopy(rows.weights, from, into.weights(), 0, to - from);
        Hash.Signature signature = Hash.signature(keys, distinct);
        into.sign(signature.high(), signature.low());
    }

    /// Room for a table of 2^bits slots, and for entries that run over its end.
    private void reserve(int bits, int entries) {
        int size = (1 << bits) + entries;
        if (table.length < size) {
            table = new long[size];
            rank = new int[size];
            slots = new int[size];
        }
        Arrays.fill(rank, 0, size, FREE);
    }

    /// Leaves each entry's slot in the batch's positions; -1 if the keys crowd.
    private int insert(Rows rows, int from, int to, int shift, Batch into) {
        int begin = rows.starts[from];
        int count = rows.starts[to] - begin;
        int[] starts = into.starts();
        for (int r = from; r <= to; r++) {
            starts[r - from] = rows.starts[r] - begin;
        }
        System.arraycopy(rows.values, begin, into.values(), 0, count);
        int[] positions = into.positions();
        long[] ids = rows.ids;
        for (int e = 0; e < count; e++) {
            positions[e] = slot(Mix.mix(ids[begin + e]), shift);
            if (positions[e] == FREE) {
                return FREE;
            }
        }
        return count;
    }

    /// The same, where a row may name an id again.
    private int merge(Rows rows, int from, int to, int shift, Batch into) {
        if (latest.length < table.length) {
            latest = new int[table.length];
        }
        int[] starts = into.starts();
        int[] positions = into.positions();
        float[] values = into.values();
        int used = 0;
        for (int r = from; r < to; r++) {
            int rowStart = used;
            starts[r - from] = used;
            for (int e = rows.starts[r]; e < rows.starts[r + 1]; e++) {
                int slot = slot(Mix.mix(rows.ids[e] & mask), shift);
                if (slot == FREE) {
                    return FREE;
                }
                int before = latest[slot];
                if (before >= rowStart && before < used && positions[before] == slot) {
                    values[before] += rows.values[e];
                } else {
                    latest[slot] = used;
                    positions[used] = slot;
                    values[used++] = rows.values[e];
                }
            }
        }
        starts[to - from] = used;
        return used;
    }

    /// Where `key` is in the table, now if not before; [#FREE] if that is too far from its place.
    private int slot(long key, int shift) {
        if (sorted > 0) {
            return find(key);
        }
        int slot = (int) (key >>> shift);
        int farthest = slot + FARTHEST;
        while (rank[slot] != FREE) {
            if (table[slot] == key) {
                return slot;
            }
            if (++slot > farthest) {
                return FREE;
            }
        }
        rank[slot] = 0;
        table[slot] = key;
        return slot;
    }

    /// Lists the used slots in the order of their keys; returns how many there are.
    private int sort(int size) {
        int count = 0;
        for (int slot = 0; slot < size; slot++) {
            if (rank[slot] != FREE) {
                long order = table[slot] ^ Long.MIN_VALUE;
                int at = count++;
                while (at > 0 && (table[slots[at - 1]] ^ Long.MIN_VALUE) > order) {
                    slots[at] = slots[--at];
                }
                slots[at] = slot;
            }
        }
        return count;
    }

    /// Fills the table with the distinct keys in order, without gaps.
    private void sortAll(long[] ids, int from, int count) {
        for (int e = 0; e < count; e++) {
            table[e] = Mix.mix(ids[from + e] & mask) ^ Long.MIN_VALUE;
        }
        Arrays.sort(table, 0, count);
        for (int e = 0; e < count; e++) {
            if (e == 0 || table[e] != (table[sorted - 1] ^ Long.MIN_VALUE)) {
                table[sorted] = table[e] ^ Long.MIN_VALUE;
                slots[sorted] = sorted++;
            }
        }
    }

    private int find(long key) {
        int low = 0;
        int high = sorted - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(table[middle], key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
