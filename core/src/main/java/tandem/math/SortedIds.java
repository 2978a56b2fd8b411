package tandem.math;

import java.util.Arrays;

/// Lists of ids, ascending as unsigned numbers.
public final class SortedIds {

    private SortedIds() {}

    /// All ids of either list.
    public static long[] union(long[] a, long[] b) {
        if (Arrays.equals(a, b)) {
            return a;
        }
        long[] merged = new long[a.length + b.length];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < a.length || j < b.length) {
            int order = i == a.length ? 1 : j == b.length ? -1 : Long.compareUnsigned(a[i], b[j]);
            merged[count++] = order <= 0 ? a[i] : b[j];
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return Arrays.copyOf(merged, count);
    }

    /// The place of `id`; negative if it is not there.
    public static int find(long[] ids, long id) {
        int low = 0;
        int high = ids.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(ids[middle], id);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return ~low;
    }

    /// The values of `ids`, some of `all`, by their place in `all`; 0 for the others.
    public static double[] spread(long[] ids, double[] values, long[] all) {
        double[] spread = new double[all.length];
        int mine = 0;
        for (int k = 0; k < all.length && mine < ids.length; k++) {
            if (all[k] == ids[mine]) {
                spread[k] = values[mine++];
            }
        }
        return spread;
    }
}
