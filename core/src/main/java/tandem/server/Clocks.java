package tandem.server;

import java.util.Arrays;

/// How far each stream has come at a server, and the slowest of them.
final class Clocks {

    /// From this clock on a stream is over, and nobody waits for it.
    static final long OVER = Long.MAX_VALUE - 1;

    private final long[] clocks;
    private long slowest;
    private int atSlowest;

    Clocks(int streams) {
        clocks = new long[streams];
        atSlowest = streams;
    }

    /// Sets the clock of `stream`, which never goes back; true if the slowest clock rose.
    boolean set(int stream, long clock) {
        long before = clocks[stream];
        clocks[stream] = clock;
        if (before > slowest || clock == before || --atSlowest > 0) {
            return false;
        }
        slowest = Arrays.stream(clocks).min().orElseThrow();
        for (long one : clocks) {
            atSlowest += one == slowest ? 1 : 0;
        }
        return true;
    }

    long slowest() {
        return slowest;
    }

    long of(int stream) {
        return clocks[stream];
    }

    /// The clock that a share of the streams has reached.
    long reachedBy(double share) {
        if (share == 1) {
            return slowest;
        }
        long[] sorted = clocks.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - (int) Math.ceil(share * sorted.length)];
    }

    /// A stream at the slowest clock.
    int laggard() {
        int stream = 0;
        while (clocks[stream] != slowest) {
            stream++;
        }
        return stream;
    }
}
