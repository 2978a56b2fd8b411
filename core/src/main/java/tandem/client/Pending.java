package tandem.client;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/// Changes of the rows of one table that are kept back, summed by key; keys ascend as unsigned numbers.
final class Pending {

    private final int width;
    private long[] keys = {};
    private float[] changes = {};

    /// How large each row was when it was last read: the sum of its absolute values.
    private float[] sizes = {};

    private int count;

    Pending(int width) {
        this.width = width;
    }

    int count() {
        return count;
    }

    /// Adds the changes of rows to what is kept. Both lists ascend, so one pass merges them.
    ///
    /// @param more   the keys, `length` of them
    /// @param change a row of changes for each
    /// @param read   the rows that the changes were computed from
    void add(long[] more, int length, float[] change, float[] read) {
        long[] mergedKeys = new long[count + length];
        float[] mergedChanges = new float[mergedKeys.length * width];
        float[] mergedSizes = new float[mergedKeys.length];
        int a = 0;
        int b = 0;
        int to = 0;
        while (a < count || b < length) {
            int order = a == count ? 1 : b == length ? -1 : Long.compareUnsigned(keys[a], more[b]);
            mergedKeys[to] = order <= 0 ? keys[a] : more[b];
            if (order <= 0) {
                System.arraycopy(changes, a * width, mergedChanges, to * width, width);
                mergedSizes[to] = sizes[a++];
            }
            if (order >= 0) {
                mergedSizes[to] = 0;
                for (int w = 0; w < width; w++) {
                    mergedChanges[to * width + w] += change[b * width + w];
                    mergedSizes[to] += Math.abs(read[b * width + w]);
                }
                b++;
            }
            to++;
        }
        keys = mergedKeys;
        changes = mergedChanges;
        sizes = mergedSizes;
        count = to;
    }

    /// Rows that were kept back.
    record Rows(long[] keys, float[] changes) {}

    /// Takes out all rows.
    Rows takeAll() {
        Rows all = new Rows(Arrays.copyOf(keys, count), Arrays.copyOf(changes, count * width));
        count = 0;
        return all;
    }

    /// Takes out the `most` rows of the largest priority.
    ///
    /// @param priority of the sizes of a row's change and of the row as it was read
    Rows take(int most, DoubleBinaryOperator priority) {
        if (most >= count) {
            return takeAll();
        }
        if (most <= 0) {
            return new Rows(new long[0], new float[0]);
        }
        double[] priorities = new double[count];
        for (int k = 0; k < count; k++) {
            double change = 0;
            for (int w = 0; w < width; w++) {
                change += Math.abs(changes[k * width + w]);
            }
            priorities[k] = priority.applyAsDouble(change, sizes[k]);
        }
        double[] sorted = priorities.clone();
        Arrays.sort(sorted);
        double least = sorted[count - most];
        int ties = most;
        for (int k = count - most; k < count; k++) {
            ties -= sorted[k] > least ? 1 : 0;
        }
        Rows taken = new Rows(new long[most], new float[most * width]);
        int to = 0;
        int kept = 0;
        for (int k = 0; k < count; k++) {
            boolean goes = priorities[k] > least || priorities[k] == least && ties-- > 0;
            System.arraycopy(changes, k * width, goes ? taken.changes : changes, (goes ? to : kept) * width, width);
            if (goes) {
                taken.keys[to++] = keys[k];
            } else {
                keys[kept] = keys[k];
                sizes[kept++] = sizes[k];
            }
        }
        count = kept;
        return taken;
    }
}
