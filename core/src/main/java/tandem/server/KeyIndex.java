package tandem.server;

import java.util.Arrays;
import tandem.math.Mix;
import tandem.math.RadixSort;

/// From mixed keys to slots: open addressing over key–slot pairs that sit side by side, so that a probe
/// costs one cache line. The home of a key follows its order, so that a sorted key list walks the
/// index forward. Keys that crowd get homes by chance instead, until the index grows: because they have come in
/// ascending order so far, or because someone chose ids so that their first bits agree. Not safe for several threads.
final class KeyIndex {

    /// The answer for a key that is not there.
    static final int NONE = -1;

    private static final int FAR_OFF = -2;
    private static final int FIRST_BITS = 10;

    /// How many keys are looked at together.
    private static final int BLOCK = 64;

    /// A key this many places from home is not there by chance.
    private static final int FAR = 256;

    /// How many steps to such keys are enough, for each place and in all.
    private static final long MANY_STEPS = 64;

    private static final long TOO_MANY_STEPS = 1 << 22;

    /// The keys of this index are those from `first` on, one of `ranges` equal ranges of all keys.
    private final long first;

    private final long ranges;

    private int bits = FIRST_BITS;

    /// `pairs[2i]` is a key, `pairs[2i + 1]` its slot plus 1; 0 marks a free place.
    private long[] pairs = new long[2 << FIRST_BITS];

    private int size;
    private long steps;

    /// The chance that decides homes where keys crowd, and whether they do.
    private final long salt;

    private boolean crowded;

    @SuppressWarnings("unused") // written so that the compiler does not leave out the touches
    private long seen;

    KeyIndex(long first, long ranges, long salt) {
        this.first = first;
        this.ranges = ranges;
        this.salt = salt;
    }

    int size() {
        return size;
    }

    /// Whether homes follow the order of keys at present.
    boolean keepsOrder() {
        return !crowded;
    }

    /// The memory it takes.
    long bytes() {
        return 8L * pairs.length;
    }

    /// The slots of keys `from` until `to`, into `slots[at]` and so on: what [#find] says of each. The homes of a block
    /// of keys, and a few places further, where many of them are, are looked at first, so that they come into the
    /// processor's cache side by side and not one after another.
    void find(long[] keys, int from, int to, int[] slots, int at) {
        for (int start = from, end; start < to; start = end) {
            end = Math.min(to, start + BLOCK);
            seen += touch(keys, start, end);
            int shift = at - from;
            for (int k = start; k < end; k++) {
                slots[k + shift] = near(keys[k]);
                if (slots[k + shift] == FAR_OFF) {
                    slots[k + shift] = find(keys[k]);
                }
            }
        }
    }

    private long touch(long[] keys, int from, int to) {
        long[] all = pairs;
        int mask = all.length - 1;
        long sum = 0;
        for (int k = from; k < to; k++) {
            int home = home(keys[k]);
            sum += all[home] + all[(home + 6) & mask];
        }
        return sum;
    }

    /// What [#find] says, or [#FAR_OFF] if the key is too far from home to look for it without counting the steps.
    private int near(long key) {
        long[] all = pairs;
        int mask = all.length - 1;
        int place = home(key);
        for (int step = 0; step <= FAR; step++) {
            if (all[place + 1] == 0 || all[place] == key) {
                return (int) all[place + 1] - 1;
            }
            place = (place + 2) & mask;
        }
        return FAR_OFF;
    }

    /// The slot of `key`, or [#NONE].
    int find(long key) {
        int place = place(key);
        return (int) pairs[place + 1] - 1;
    }

    /// The slot of `key`; one that has none gets `fresh`, and that is returned.
    int findOrPut(long key, int fresh) {
        int place = place(key);
        if (pairs[place + 1] != 0) {
            return (int) pairs[place + 1] - 1;
        }
        if (size >= (5L << bits) / 8) {
            grow();
            place = place(key);
        }
        pairs[place] = key;
        pairs[place + 1] = fresh + 1L;
        size++;
        return fresh;
    }

    /// Takes a key out, if it is there. Keys that had to go past its place move back, so that no gap hides them.
    void remove(long key) {
        int mask = pairs.length - 1;
        int hole = place(key);
        if (pairs[hole + 1] == 0) {
            return;
        }
        size--;
        for (int next = (hole + 2) & mask; pairs[next + 1] != 0; next = (next + 2) & mask) {
            int fromHome = (next - home(pairs[next])) & mask;
            if (fromHome >= ((next - hole) & mask)) {
                pairs[hole] = pairs[next];
                pairs[hole + 1] = pairs[next + 1];
                hole = next;
            }
        }
        pairs[hole + 1] = 0;
    }

    /// The memory that an index of so many keys takes.
    static long bytes(int keys) {
        int needed = FIRST_BITS;
        while (keys > (5L << needed) / 8) {
            needed++;
        }
        return 16L << needed;
    }

    /// Shows each key and slot, ascending by key, so that what is summed up does not depend on how keys came.
    /// Homes follow the order of keys, so only keys that stand side by side have to be brought into theirs. The
    /// greatest may have come round to the first places.
    void forEachInOrder(Visitor visitor) {
        int free = 0;
        while (!crowded && pairs[free + 1] != 0) {
            free += 2;
        }
        Together some = new Together();
        for (int place = 0; place < free; place += 2) {
            if (home(pairs[place]) <= place) {
                some.add(pairs[place], pairs[place + 1]);
            }
        }
        some.show(visitor);
        for (int place = free; place < pairs.length; place += 2) {
            if (pairs[place + 1] != 0) {
                some.add(pairs[place], pairs[place + 1]);
            } else if (!crowded) {
                some.show(visitor);
            }
        }
        for (int place = 0; place < free; place += 2) {
            if (home(pairs[place]) > place) {
                some.add(pairs[place], pairs[place + 1]);
            }
        }
        some.show(visitor);
    }

    /// Keys that stand side by side, and their slots.
    private static final class Together {

        /// So many are sorted by putting each in its place.
        private static final int FEW = 64;

        private long[] keys = new long[FEW];
        private double[] slots = new double[FEW];
        private int count;

        void add(long key, long slotPlusOne) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, 2 * count);
                slots = Arrays.copyOf(slots, 2 * count);
            }
            keys[count] = key;
            slots[count++] = slotPlusOne - 1;
        }

        void show(Visitor visitor) {
            if (count > FEW) {
                keys = Arrays.copyOf(keys, count);
                slots = Arrays.copyOf(slots, count);
                RadixSort.sort(keys, slots);
            } else {
                insert();
            }
            for (int k = 0; k < count; k++) {
                visitor.visit(keys[k], (int) slots[k]);
            }
            count = 0;
        }

        private void insert() {
            for (int k = 1; k < count; k++) {
                long key = keys[k];
                double slot = slots[k];
                int to = k;
                for (; to > 0 && Long.compareUnsigned(keys[to - 1], key) > 0; to--) {
                    keys[to] = keys[to - 1];
                    slots[to] = slots[to - 1];
                }
                keys[to] = key;
                slots[to] = slot;
            }
        }
    }

    /// Shows each key and slot, in no order that matters.
    void forEach(Visitor visitor) {
        for (int place = 0; place < pairs.length; place += 2) {
            if (pairs[place + 1] != 0) {
                visitor.visit(pairs[place], (int) pairs[place + 1] - 1);
            }
        }
    }

    @FunctionalInterface
    interface Visitor {
        void visit(long key, int slot);
    }

    /// Where `key` is, or the free place where it would go.
    private int place(long key) {
        int mask = pairs.length - 1;
        int home = home(key);
        int place = home;
        while (pairs[place + 1] != 0 && pairs[place] != key) {
            place = (place + 2) & mask;
        }
        int far = ((place - home) & mask) >> 1;
        if (far > FAR && !crowded && (steps += far) > Math.min(MANY_STEPS << bits, TOO_MANY_STEPS)) {
            crowded = true;
            rebuild();
            return place(key);
        }
        return place;
    }

    private int home(long key) {
        long order = crowded ? Mix.mix(key ^ salt) : (key - first) * ranges;
        return (int) (order >>> (64 - bits)) << 1;
    }

    private void grow() {
        bits++;
        if (bits > 29) {
            throw new IllegalStateException("one shard of a table holds too many keys: " + size);
        }
        crowded = false;
        steps = 0;
        rebuild();
    }

    private void rebuild() {
        long[] old = pairs;
        pairs = new long[2 << bits];
        for (int place = 0; place < old.length; place += 2) {
            if (old[place + 1] != 0) {
                int home = place(old[place]);
                pairs[home] = old[place];
                pairs[home + 1] = old[place + 1];
            }
        }
    }
}
