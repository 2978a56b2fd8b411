package tandem.client;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import tandem.wire.Part;

/// How many clocks behind the reader the slowest stream was, read by read: for each table a histogram whose last place
/// also counts all that were further behind. A reader that is itself the slowest is 0 behind. A read that several
/// servers answer counts once for each.
public final class Staleness {

    private static final int LONGEST = 1 << 10;

    private final Map<Integer, Counts> byTable = new TreeMap<>();

    private static final class Counts {
        private final long[] counts = new long[LONGEST + 1];
        private int most;

        void add(int behind) {
            counts[behind]++;
            most = Math.max(most, behind);
        }
    }

    void add(int table, long clocks) {
        byTable.computeIfAbsent(table, _ -> new Counts()).add(Math.clamp(clocks, 0, LONGEST));
    }

    /// A server answered for these parts, which come by table.
    void add(Part[] parts, long clocks) {
        for (int p = 0; p < parts.length; p++) {
            if (p == 0 || parts[p].table() != parts[p - 1].table()) {
                add(parts[p].table(), clocks);
            }
        }
    }

    /// How many reads were 0, 1, 2 … clocks behind, up to the most seen, by the number of the table.
    public Map<Integer, long[]> histograms() {
        Map<Integer, long[]> all = new TreeMap<>();
        byTable.forEach((table, counts) -> all.put(table, Arrays.copyOf(counts.counts, counts.most + 1)));
        return all;
    }

    /// The same over all tables.
    public long[] histogram() {
        return sum(histograms().values());
    }

    /// Histograms added up, place by place.
    public static long[] sum(Iterable<long[]> histograms) {
        long[] sum = {};
        for (long[] one : histograms) {
            sum = Arrays.copyOf(sum, Math.max(sum.length, one.length));
            for (int behind = 0; behind < one.length; behind++) {
                sum[behind] += one[behind];
            }
        }
        return sum;
    }
}
