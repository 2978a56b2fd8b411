package tandem.server;

import java.util.Arrays;

/// Entries of a fixed number of floats, in slabs that are appended and never move, so that a slot once
/// given out stays good. Growing is done by one thread at a time; readers may go on meanwhile.
final class Slabs {

    private static final int SHIFT = 13;

    /// Slots a slab.
    static final int SLAB = 1 << SHIFT;

    private final int columns;
    private volatile float[][] slabs = new float[0][];

    Slabs(int columns) {
        this.columns = columns;
    }

    int columns() {
        return columns;
    }

    /// Appends a slab and returns its first slot.
    synchronized int grow() {
        float[][] old = slabs;
        if (old.length == Integer.MAX_VALUE >>> SHIFT) {
            throw new IllegalStateException("a table holds at most " + Integer.MAX_VALUE + " keys; use more tables");
        }
        float[][] grown = Arrays.copyOf(old, old.length + 1);
        grown[old.length] = new float[SLAB * columns];
        slabs = grown;
        return old.length << SHIFT;
    }

    /// A view for a loop over slots that were all given out before this call.
    float[][] view() {
        return slabs;
    }

    static float[] slab(float[][] view, int slot) {
        return view[slot >>> SHIFT];
    }

    int offset(int slot) {
        return (slot & (SLAB - 1)) * columns;
    }
}
