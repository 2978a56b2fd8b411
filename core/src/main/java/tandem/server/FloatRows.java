package tandem.server;

import java.util.Arrays;
import tandem.wire.Values;

/// Rows of `width` entries of floats.
final class FloatRows implements Rows {

    private final UpdateRule rule;
    private final int width;
    private final int columns;
    private final int stride;

    /// The weights that a row begins with.
    private final float[] beginning;

    /// Slots `s << SHIFT` on are in `slabs[s]`; the last one grows until it is full.
    private float[][] slabs = {};

    FloatRows(UpdateRule rule, int width) {
        this.rule = rule;
        this.width = width;
        this.columns = rule.columns();
        this.stride = Math.multiplyExact(width, columns);
        this.beginning = new float[width];
        float[] entry = new float[columns];
        rule.begin(entry, 0);
        Arrays.fill(beginning, entry[0]);
    }

    @Override
    public void make(int slot, long key) {
        int s = slot >>> SHIFT;
        if (s == slabs.length) {
            slabs = Arrays.copyOf(slabs, s + 1);
            slabs[s] = new float[s == 0 ? FIRST * stride : SLAB * stride];
        }
        int end = ((slot & (SLAB - 1)) + 1) * stride;
        if (end > slabs[s].length) {
            slabs[s] = Arrays.copyOf(slabs[s], Math.min(SLAB * stride, 2 * slabs[s].length));
        }
        Arrays.fill(slabs[s], end - stride, end, 0);
        for (int at = end - stride; at < end; at += columns) {
            rule.begin(slabs[s], at);
        }
    }

    @Override
    public Values read(int[] slots, int count) {
        float[] into = new float[Math.multiplyExact(count, width)];
        int to = 0;
        for (int k = 0; k < count; k++) {
            if (slots[k] == KeyIndex.NONE) {
                System.arraycopy(beginning, 0, into, to, width);
                to += width;
            } else {
                float[] slab = slabs[slots[k] >>> SHIFT];
                int entry = (slots[k] & (SLAB - 1)) * stride;
                for (int e = 0; e < width; e++, entry += columns) {
                    into[to++] = slab[entry];
                }
            }
        }
        return Values.of(into);
    }

    @Override
    public boolean takes(Values values, int count) {
        return values instanceof Values.Floats floats && floats.length() == (long) count * width;
    }

    @Override
    public void update(int[] slots, int count, Values gradients) {
        Values.Floats floats = (Values.Floats) gradients;
        float[] values = floats.array();
        int from = floats.at();
        for (int k = 0; k < count; k++, from += width) {
            if (slots[k] == KeyIndex.NONE) {
                continue;
            }
            float[] slab = slabs[slots[k] >>> SHIFT];
            int entry = (slots[k] & (SLAB - 1)) * stride;
            for (int e = 0; e < width; e++, entry += columns) {
                rule.update(slab, entry, values[from + e]);
            }
        }
    }

    @Override
    public long bytes() {
        long floats = 0;
        for (float[] slab : slabs) {
            floats += slab.length;
        }
        return Float.BYTES * floats;
    }

    /// Where the row of a slot is, for those who read floats in place.
    void show(long key, int slot, Server.Visitor visitor) {
        visitor.visit(key, slabs[slot >>> SHIFT], (slot & (SLAB - 1)) * stride, columns, width);
    }

    @Override
    public Cursor cursor() {
        return new Cursor() {

            private float[] slab;
            private int start;

            @Override
            void move(int slot) {
                slab = slabs[slot >>> SHIFT];
                start = (slot & (SLAB - 1)) * stride;
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
                slab[start + entry * columns + column] = (float) value;
            }
        };
    }
}
