package tandem.client;

import java.util.ArrayDeque;
import java.util.Arrays;

/// A row as it was read, and what its reader has added to it since.
final class CachedRow {

    /// About what a row takes besides its numbers.
    private static final int OVERHEAD_BYTES = 160;

    final int seat;

    /// The numbers as read, with own updates up to `own` in them.
    final double[] values;

    long own;

    /// Every stream had reached this clock when they were read.
    long clock;

    /// Which run of refreshes keeps it good; see [RowCache].
    long run = RowCache.NO_RUN;

    /// Own updates that are not in `values`, by number.
    private final ArrayDeque<Written> pending = new ArrayDeque<>();

    /// What one update adds.
    private record Written(long sequence, double[] added) {}

    CachedRow(int seat, int width) {
        this.seat = seat;
        this.values = new double[width];
    }

    long bytes() {
        return OVERHEAD_BYTES + (long) Double.BYTES * values.length * (1 + pending.size());
    }

    /// Update number `sequence` of the reader adds to it.
    void wrote(long sequence, double[] added) {
        pending.add(new Written(sequence, added));
    }

    /// Own updates up to `upTo`, and those in `beyond`, are in the values now.
    void includes(long upTo, long[] beyond) {
        own = upTo;
        pending.removeIf(one -> one.sequence <= upTo || Arrays.binarySearch(beyond, one.sequence) >= 0);
    }

    /// Whether an own update is not in the values.
    boolean isBehind() {
        return !pending.isEmpty();
    }

    /// The values with the own updates that they lack.
    double[] current() {
        double[] sum = values.clone();
        for (Written one : pending) {
            for (int v = 0; v < sum.length; v++) {
                sum[v] += one.added[v];
            }
        }
        return sum;
    }
}
