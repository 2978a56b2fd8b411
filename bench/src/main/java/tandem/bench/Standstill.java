package tandem.bench;

import java.util.Arrays;

/// For how long the streams of workers have stood still, at most. Belongs to one thread.
final class Standstill {

    private final long[] acknowledged;
    private final long[] sinceNanos;
    private long longestNanos;

    /// @param acknowledged by stream: updates so far
    Standstill(long[] acknowledged, long nowNanos) {
        this.acknowledged = acknowledged.clone();
        sinceNanos = new long[acknowledged.length];
        Arrays.fill(sinceNanos, nowNanos);
    }

    /// What is known now. Who takes over a stream may tell less than was known at first.
    void see(long[] now, long nowNanos) {
        for (int stream = 0; stream < now.length; stream++) {
            longestNanos = Math.max(longestNanos, nowNanos - sinceNanos[stream]);
            if (now[stream] > acknowledged[stream]) {
                acknowledged[stream] = now[stream];
                sinceNanos[stream] = nowNanos;
            }
        }
    }

    /// By stream: the most that was known.
    long[] acknowledged() {
        return acknowledged.clone();
    }

    double longestSeconds() {
        return longestNanos * 1e-9;
    }
}
