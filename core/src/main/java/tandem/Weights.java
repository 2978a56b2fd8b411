package tandem;

import java.util.Arrays;
import java.util.List;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.server.Table;

/// The weights of one problem: `values[k]` belongs to feature `ids[k]`, ascending as unsigned numbers.
record Weights(long[] ids, double[] values, double intercept) {

    /// Those in a table now.
    static Weights of(Table table, Table intercept) {
        int size = Math.toIntExact(table.size());
        long[] keys = new long[size];
        double[] values = new double[size];
        int[] next = {0};
        table.forEach((key, entries, at) -> {
            keys[next[0]] = key;
            values[next[0]++] = entries[at];
        });
        double[] b = {0};
        if (intercept != null) {
            intercept.forEach((_, entries, at) -> b[0] = entries[at]);
        }
        return ofKeys(keys, values, b[0]);
    }

    /// Those of mixed `keys`, in any order; both arrays are taken over.
    static Weights ofKeys(long[] keys, double[] values, double intercept) {
        for (int k = 0; k < keys.length; k++) {
            keys[k] = Mix.unmix(keys[k]);
        }
        RadixSort.sort(keys, values);
        return new Weights(keys, values, intercept);
    }

    /// All ids that one of `many` has.
    static long[] ids(List<Weights> many) {
        long[] all = many.getFirst().ids;
        for (Weights weights : many.subList(1, many.size())) {
            if (!Arrays.equals(all, weights.ids)) {
                all = union(all, weights.ids);
            }
        }
        return all;
    }

    /// The values for `all` ids, ascending; 0 for those it has no weight for.
    double[] over(long[] all) {
        double[] spread = new double[all.length];
        int mine = 0;
        for (int k = 0; k < all.length && mine < ids.length; k++) {
            if (all[k] == ids[mine]) {
                spread[k] = values[mine++];
            }
        }
        return spread;
    }

    private static long[] union(long[] a, long[] b) {
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
}
