package tandem.server;

import java.util.Arrays;
import tandem.wire.Age;
import tandem.wire.Values;

/// Rows of `width` entries of doubles: the same as [FloatRows] in twice the memory.
final class DoubleRows implements Rows {

    private final UpdateRule rule;

    /// The rule as it is for the update in hand.
    private UpdateRule now;

    private final int width;
    private final int columns;
    private final int stride;

    /// Rows that are there from the start.
    private final int atStart;

    /// Slots a slab, as a power of two, and that number less 1.
    private final int shift;

    private final int mask;

    /// The weights that a row begins with.
    private final double[] beginning;

    /// Slots `s << shift` on are in `slabs[s]`; the last one grows until it is full.
    private double[][] slabs = {};

    @SuppressWarnings("unused") // written so that the compiler does not leave out the touches
    private double seen;

    /// Rows that come one by one.
    DoubleRows(UpdateRule rule, int width) {
        this(rule, width, 0);
    }

    /// Rows of which `count` are there from the start, so that they can lie in few long slabs.
    DoubleRows(UpdateRule rule, int width, int count) {
        this.rule = rule;
        this.now = rule;
        this.width = width;
        this.columns = rule.columns();
        this.stride = Math.multiplyExact(width, columns);
        this.atStart = count;
        this.shift = Rows.shift(count, stride);
        this.mask = (1 << shift) - 1;
        this.beginning = new double[width];
        double[] entry = new double[columns];
        rule.begin(entry, 0);
        rule.update(entry.clone(), 0, 0); // a rule that has no update in doubles says so here
        Arrays.fill(beginning, entry[0]);
    }

    /// How many slots a slab begins with.
    private int firstLength(int slab) {
        int rest = atStart - (slab << shift);
        return rest > 0 ? Math.min(rest, mask + 1) : slab == 0 ? FIRST : mask + 1;
    }

    @Override
    public void make(int slot, long key) {
        int s = slot >>> shift;
        if (s == slabs.length) {
            slabs = Arrays.copyOf(slabs, s + 1);
            slabs[s] = new double[firstLength(s) * stride];
        }
        int end = ((slot & mask) + 1) * stride;
        if (end > slabs[s].length) {
            slabs[s] = Arrays.copyOf(slabs[s], Math.min((mask + 1) * stride, 2 * slabs[s].length));
        }
        Arrays.fill(slabs[s], end - stride, end, 0);
        for (int at = end - stride; at < end; at += columns) {
            rule.begin(slabs[s], at);
        }
    }

    @Override
    public void start(int slot, double weight) {
        rule.start(slabs[slot >>> shift], (slot & mask) * stride, width, weight);
    }

    @Override
    public Values read(int[] slots, int count) {
        double[] into = new double[Math.multiplyExact(count, width)];
        for (int k = 0, end; k < count; k = end) {
            int run = Rows.run(slots, k, count);
            end = k + run;
            if (run >= LONG) {
                copy(slots[k], run, into, k * width);
            } else {
                end = Math.min(count, k + BLOCK);
                seen += touch(slots, k, end);
                scattered(slots, k, end, into);
            }
        }
        return Values.of(into);
    }

    @Override
    public Values read(int first, int count) {
        double[] into = new double[Math.multiplyExact(count, width)];
        for (int k = 0, run; k < count; k += run) {
            run = Math.min(count - k, mask + 1 - (first + k & mask));
            copy(first + k, run, into, k * width);
        }
        return Values.of(into);
    }

    @Override
    public Values lend(int first, int count) {
        int at = (first & mask) * stride;
        boolean together = columns == 1 && first >>> shift == first + count - 1 >>> shift;
        return together ? new Values.Doubles(slabs[first >>> shift], at, count * width) : read(first, count);
    }

    /// Puts the weights at slots `from` until `to` where they belong in `into`.
    private void scattered(int[] slots, int from, int to, double[] into) {
        double[][] all = slabs;
        if (width == 1) {
            for (int k = from; k < to; k++) {
                into[k] =
                        slots[k] == KeyIndex.NONE ? beginning[0] : all[slots[k] >>> shift][(slots[k] & mask) * stride];
            }
            return;
        }
        for (int k = from; k < to; k++) {
            if (slots[k] == KeyIndex.NONE) {
                System.arraycopy(beginning, 0, into, k * width, width);
                continue;
            }
            double[] slab = all[slots[k] >>> shift];
            int entry = (slots[k] & mask) * stride;
            for (int e = k * width; e < (k + 1) * width; e++, entry += columns) {
                into[e] = slab[entry];
            }
        }
    }

    /// Puts the weights of `count` rows of one slab into `into`.
    private void copy(int slot, int count, double[] into, int to) {
        double[] slab = slabs[slot >>> shift];
        int entry = (slot & mask) * stride;
        if (columns == 1) {
            System.arraycopy(slab, entry, into, to, count * width);
            return;
        }
        for (int e = 0; e < count * width; e++, entry += columns) {
            into[to + e] = slab[entry];
        }
    }

    @Override
    public void meet(Age age) {
        now = rule.aged(age);
    }

    @Override
    public boolean takes(Values values, int count) {
        return values instanceof Values.Doubles doubles && doubles.length() == (long) count * width;
    }

    @Override
    public void update(int[] slots, int count, Values gradients) {
        Values.Doubles given = (Values.Doubles) gradients;
        for (int k = 0, end; k < count; k = end) {
            int run = Rows.run(slots, k, count);
            end = k + run;
            if (run >= LONG) {
                apply(slots[k], run, given.array(), given.at() + k * width);
            } else {
                end = Math.min(count, k + BLOCK);
                seen += touch(slots, k, end);
                for (int b = k; b < end; b += run) {
                    run = Rows.run(slots, b, end);
                    if (slots[b] != KeyIndex.NONE) {
                        apply(slots[b], run, given.array(), given.at() + b * width);
                    }
                }
            }
        }
    }

    @Override
    public Values states(int[] slots, int count) {
        double[] states = new double[Math.multiplyExact(count, stride)];
        for (int k = 0; k < count; k++) {
            System.arraycopy(slabs[slots[k] >>> shift], (slots[k] & mask) * stride, states, k * stride, stride);
        }
        return Values.of(states);
    }

    @Override
    public boolean takesStates(Values states, int count) {
        return states instanceof Values.Doubles doubles && doubles.length() == (long) count * stride;
    }

    @Override
    public void put(int[] slots, int count, Values states) {
        Values.Doubles given = (Values.Doubles) states;
        for (int k = 0; k < count; k++) {
            int at = (slots[k] & mask) * stride;
            System.arraycopy(given.array(), given.at() + k * stride, slabs[slots[k] >>> shift], at, stride);
        }
    }

    private double touch(int[] slots, int from, int to) {
        double[][] all = slabs;
        double sum = 0;
        for (int k = from; k < to; k++) {
            if (slots[k] != KeyIndex.NONE) {
                sum += all[slots[k] >>> shift][(slots[k] & mask) * stride];
            }
        }
        return sum;
    }

    @Override
    public void update(int first, int count, Values gradients) {
        Values.Doubles given = (Values.Doubles) gradients;
        for (int k = 0, run; k < count; k += run) {
            run = Math.min(count - k, mask + 1 - (first + k & mask));
            apply(first + k, run, given.array(), given.at() + k * width);
        }
    }

    /// Applies gradients to `count` rows of one slab.
    private void apply(int slot, int count, double[] gradients, int from) {
        double[] slab = slabs[slot >>> shift];
        int entry = (slot & mask) * stride;
        for (int g = 0; g < count * width; g++, entry += columns) {
            now.update(slab, entry, gradients[from + g]);
        }
    }

    @Override
    public boolean settles() {
        return rule.settles();
    }

    @Override
    public void settle(int[] slots, int count) {
        for (int k = 0; k < count; k++) {
            if (slots[k] != KeyIndex.NONE) {
                rule.settle(slabs[slots[k] >>> shift], (slots[k] & mask) * stride, width);
            }
        }
    }

    @Override
    public void settle(int first, int count) {
        for (int slot = first; slot < first + count; slot++) {
            rule.settle(slabs[slot >>> shift], (slot & mask) * stride, width);
        }
    }

    @Override
    public boolean settlesTogether() {
        return rule.settlesTogether();
    }

    @Override
    public void settle(long[] keys, int[] slots) {
        double[] rows = new double[keys.length * stride];
        for (int k = 0; k < keys.length; k++) {
            System.arraycopy(slabs[slots[k] >>> shift], (slots[k] & mask) * stride, rows, k * stride, stride);
        }
        rule.settle(keys, rows);
        for (int k = 0; k < keys.length; k++) {
            System.arraycopy(rows, k * stride, slabs[slots[k] >>> shift], (slots[k] & mask) * stride, stride);
        }
    }

    @Override
    public boolean stayed(int slot) {
        return rule.stayed(slabs[slot >>> shift], (slot & mask) * stride);
    }

    @Override
    public long bytes() {
        long doubles = 0;
        for (double[] slab : slabs) {
            doubles += slab.length;
        }
        return Double.BYTES * doubles;
    }

    @Override
    public long bytes(int slots) {
        return Double.BYTES * stride * Rows.room(slots);
    }

    @Override
    public Cursor cursor() {
        return new Cursor() {

            private double[] slab;
            private int start;

            @Override
            void move(int slot) {
                slab = slabs[slot >>> shift];
                start = (slot & mask) * stride;
            }

            @Override
            public int length() {
                return width;
            }

            @Override
            public int columns() {
                return columns;
            }

            @Override
            public double value(int entry, int column) {
                return slab[start + entry * columns + column];
            }

            @Override
            void put(int entry, int column, double value) {
                slab[start + entry * columns + column] = value;
            }
        };
    }
}
