package tandem.server;

import java.util.Arrays;
import tandem.wire.Age;
import tandem.wire.Values;

/// Rows of floats of lengths of their own. A slot stays where it is; what it points to is a block of the
/// least size that holds the row, and moves to a larger one when the row outgrows it.
final class VariableRows implements Rows {

    private final RowRule rule;

    /// The rule for what is applied next.
    private RowRule now;

    private final int width;
    private final int columns;

    /// By size: each holds half as many entries again as the one before or more, the last one `width`.
    private final Blocks[] bySize;

    /// By slot: the key, how many entries there are, and the block they are in.
    private long[] keys = new long[0];

    private int[] lengths = new int[0];
    private int[] blocks = new int[0];

    VariableRows(RowRule rule, int width) {
        this.rule = rule;
        this.now = rule;
        this.width = width;
        this.columns = rule.columns();
        check(rule.firstLength(), 1);
        int[] entries = new int[64];
        int sizes = 0;
        for (int size = 1; size < width; size += Math.max(1, size / 2)) {
            entries[sizes++] = size;
        }
        entries[sizes++] = width;
        bySize = new Blocks[sizes];
        Arrays.setAll(bySize, s -> new Blocks(Math.multiplyExact(entries[s], columns)));
    }

    private void check(int length, int least) {
        if (length < least || length > width) {
            throw new IllegalArgumentException("the rule wants a row of " + length + " entries; it has " + least
                    + " at least, and the table has rows of up to " + width);
        }
    }

    @Override
    public void make(int slot, long key) {
        if (slot >= keys.length) {
            int room = Math.max(FIRST, slot + (slot >> 1) + 1);
            keys = Arrays.copyOf(keys, room);
            lengths = Arrays.copyOf(lengths, room);
            blocks = Arrays.copyOf(blocks, room);
        }
        if (lengths[slot] > 0) {
            of(slot).give(blocks[slot]);
        }
        keys[slot] = key;
        lengths[slot] = rule.firstLength();
        blocks[slot] = of(slot).take();
        rule.begin(key, row(slot), at(slot), 0, lengths[slot]);
    }

    @Override
    public void start(int slot, double weight) {
        rule.start(row(slot), at(slot), lengths[slot], (float) weight);
    }

    @Override
    public void start(int slot, float[] beside, int from) {
        if (lengths[slot] < width) {
            lengthen(slot, width);
        }
        rule.start(row(slot), at(slot), width, beside, from);
    }

    @Override
    public Values read(int[] slots, int count) {
        int[] shown = new int[count];
        int all = 0;
        for (int k = 0; k < count; k++) {
            int slot = slots[k];
            shown[k] = slot == KeyIndex.NONE ? 0 : rule.shown(row(slot), at(slot), lengths[slot]);
            all = Math.addExact(all, shown[k]);
        }
        float[] into = new float[all];
        for (int k = 0, to = 0; k < count; k++) {
            if (shown[k] > 0) {
                float[] row = row(slots[k]);
                for (int e = 0, at = at(slots[k]); e < shown[k]; e++, at += columns) {
                    into[to++] = row[at];
                }
            }
        }
        return Values.Ragged.packed(into, shown);
    }

    @Override
    public Values read(int first, int count) {
        return read(slots(first, count), count);
    }

    @Override
    public Values lend(int first, int count) {
        return read(first, count);
    }

    @Override
    public boolean takes(Values values, int count) {
        if (!(values instanceof Values.Ragged ragged) || ragged.rows() != count) {
            return false;
        }
        for (int row = 0; row < count; row++) {
            if (ragged.length(row) < 0 || ragged.length(row) > width) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void meet(Age age) {
        now = rule.aged(age);
    }

    @Override
    public void update(int[] slots, int count, Values gradients) {
        Values.Ragged given = (Values.Ragged) gradients;
        for (int k = 0; k < count; k++) {
            if (slots[k] != KeyIndex.NONE) {
                update(slots[k], given.array(), given.start(k), given.length(k));
            }
        }
    }

    @Override
    public void update(int first, int count, Values gradients) {
        update(slots(first, count), count, gradients);
    }

    private void update(int slot, float[] gradients, int from, int count) {
        int length = lengths[slot];
        int next = now.update(row(slot), at(slot), length, gradients, from, Math.min(count, length));
        if (next != length) {
            check(next, length);
            lengthen(slot, next);
        }
    }

    @Override
    public Values states(int[] slots, int count) {
        int[] sizes = new int[count];
        int all = 0;
        for (int k = 0; k < count; k++) {
            sizes[k] = lengths[slots[k]] * columns;
            all = Math.addExact(all, sizes[k]);
        }
        float[] states = new float[all];
        for (int k = 0, to = 0; k < count; to += sizes[k++]) {
            System.arraycopy(row(slots[k]), at(slots[k]), states, to, sizes[k]);
        }
        return Values.Ragged.packed(states, sizes);
    }

    @Override
    public boolean takesStates(Values states, int count) {
        if (!(states instanceof Values.Ragged ragged) || ragged.rows() != count) {
            return false;
        }
        for (int row = 0; row < count; row++) {
            int length = ragged.length(row);
            if (length < columns || length % columns != 0 || length / columns > width) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void put(int[] slots, int count, Values states) {
        Values.Ragged given = (Values.Ragged) states;
        for (int k = 0; k < count; k++) {
            int slot = slots[k];
            of(slot).give(blocks[slot]);
            lengths[slot] = given.length(k) / columns;
            blocks[slot] = of(slot).take();
            System.arraycopy(given.array(), given.start(k), row(slot), at(slot), given.length(k));
        }
    }

    private void lengthen(int slot, int to) {
        int length = lengths[slot];
        Blocks before = of(slot);
        int block = blocks[slot];
        lengths[slot] = to;
        if (of(slot) != before) {
            blocks[slot] = of(slot).take();
            System.arraycopy(before.slab(block), before.at(block), row(slot), at(slot), length * columns);
            before.give(block);
        }
        rule.begin(keys[slot], row(slot), at(slot), length, to);
    }

    /// The blocks that hold rows as long as that of a slot.
    private Blocks of(int slot) {
        int size = 0;
        while (bySize[size].size < lengths[slot] * columns) {
            size++;
        }
        return bySize[size];
    }

    private float[] row(int slot) {
        return of(slot).slab(blocks[slot]);
    }

    private int at(int slot) {
        return of(slot).at(blocks[slot]);
    }

    private static int[] slots(int first, int count) {
        int[] slots = new int[count];
        Arrays.setAll(slots, k -> first + k);
        return slots;
    }

    @Override
    public long bytes() {
        long bytes = (Long.BYTES + 2L * Integer.BYTES) * keys.length;
        for (Blocks blocksOfSize : bySize) {
            bytes += blocksOfSize.bytes();
        }
        return bytes;
    }

    /// As they begin: how long they grow nobody knows.
    @Override
    public long bytes(int slots) {
        return (long) slots * (Long.BYTES + 2L * Integer.BYTES + Float.BYTES * rule.firstLength() * columns);
    }

    @Override
    public Cursor cursor() {
        return new Cursor() {

            private int slot;

            @Override
            void move(int to) {
                slot = to;
            }

            @Override
            public int length() {
                return lengths[slot];
            }

            @Override
            public int columns() {
                return columns;
            }

            @Override
            public double value(int entry, int column) {
                return row(slot)[VariableRows.this.at(slot) + entry * columns + column];
            }

            @Override
            void put(int entry, int column, double value) {
                row(slot)[VariableRows.this.at(slot) + entry * columns + column] = (float) value;
            }
        };
    }
}
