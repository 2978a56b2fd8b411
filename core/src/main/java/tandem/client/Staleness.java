package tandem.client;

import java.util.Arrays;

/// How many clocks behind the reader the slowest stream was, read by read: a histogram whose last place also counts
/// all that were further behind. A reader that is itself the slowest is 0 behind.
public final class Staleness {

    private static final int LONGEST = 1 << 10;

    private final long[] counts = new long[LONGEST + 1];
    private int most;

    void add(long clocks) {
        int behind = Math.clamp(clocks, 0, LONGEST);
        counts[behind]++;
        most = Math.max(most, behind);
    }

    /// How many reads were 0, 1, 2 … clocks behind, up to the most seen.
    public long[] histogram() {
        return Arrays.copyOf(counts, most + 1);
    }
}
