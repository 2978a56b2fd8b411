package tandem.server;

import java.util.Arrays;

/// Blocks of one size, in slabs that are appended and never move. A block that is given back is handed out again, so
/// rows that outgrow theirs leave nothing behind.
final class Blocks {

    private static final int SHIFT = 8;
    private static final int SLAB = 1 << SHIFT;

    /// Floats a block.
    final int size;

    private float[][] slabs = {};
    private int made;
    private int[] free = new int[4];
    private int freeCount;

    Blocks(int size) {
        this.size = size;
    }

    /// A block, all zeros.
    int take() {
        if (freeCount > 0) {
            int block = free[--freeCount];
            Arrays.fill(slab(block), at(block), at(block) + size, 0);
            return block;
        }
        if (made >>> SHIFT == slabs.length) {
            slabs = Arrays.copyOf(slabs, slabs.length + 1);
            slabs[slabs.length - 1] = new float[SLAB * size];
        }
        return made++;
    }

    void give(int block) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = block;
    }

    float[] slab(int block) {
        return slabs[block >>> SHIFT];
    }

    /// Where a block starts in its slab.
    int at(int block) {
        return (block & (SLAB - 1)) * size;
    }

    long bytes() {
        return (long) Float.BYTES * SLAB * size * slabs.length + (long) Integer.BYTES * free.length;
    }
}
