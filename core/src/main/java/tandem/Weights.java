package tandem;

import java.util.List;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.math.SortedIds;
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
        return many.stream().map(Weights::ids).reduce(SortedIds::union).orElseThrow();
    }

    /// The values for `all` ids, ascending; 0 for those it has no weight for.
    double[] over(long[] all) {
        return SortedIds.spread(ids, values, all);
    }
}
