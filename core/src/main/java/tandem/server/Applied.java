package tandem.server;

import java.util.stream.LongStream;

/// Which updates of each stream a shard has applied, so that none is applied twice: a watermark below which
/// all are, and a window above it. Memory grows with streams, not with updates.
final class Applied {

    /// How far above the watermark an update may be.
    static final int WINDOW = 1024;

    private static final long[] NONE = {};

    /// By stream: all updates up to this number are applied, and with them the stream reached this clock.
    private final long[] upTo;

    private final long[] clocks;

    /// By stream, once something came out of order: the clock of each update above the watermark plus 1, at
    /// its number modulo the window; 0 where it has not come.
    private final long[][] above;

    Applied(int streams) {
        upTo = new long[streams];
        clocks = new long[streams];
        above = new long[streams][];
    }

    /// Whether update `sequence` of `stream` is new; if so it counts as applied from now on.
    boolean admits(int stream, long sequence, long clock) {
        long next = upTo[stream] + 1;
        if (sequence < next) {
            return false;
        }
        if (sequence == next) {
            upTo[stream] = sequence;
            clocks[stream] = clock;
            if (above[stream] != null) {
                catchUp(stream);
            }
            return true;
        }
        if (sequence - next >= WINDOW) {
            throw new IllegalArgumentException("update " + sequence + " of stream " + stream + " came when " + next
                    + " was due; at most " + WINDOW + " may be under way");
        }
        if (above[stream] == null) {
            above[stream] = new long[WINDOW];
        }
        int place = (int) (sequence % WINDOW);
        if (above[stream][place] != 0) {
            return false;
        }
        above[stream][place] = clock + 1;
        return true;
    }

    /// All updates of `stream` up to this number are applied.
    long upTo(int stream) {
        return upTo[stream];
    }

    /// The updates of `stream` that are applied though one before them is not, ascending.
    long[] beyond(int stream) {
        if (above[stream] == null) {
            return NONE;
        }
        long first = upTo[stream] + 1;
        return LongStream.range(first, first + WINDOW)
                .filter(sequence -> above[stream][(int) (sequence % WINDOW)] != 0)
                .toArray();
    }

    /// The clock that `stream` has reached here.
    long clock(int stream) {
        return clocks[stream];
    }

    private void catchUp(int stream) {
        long[] waiting = above[stream];
        for (int place = (int) ((upTo[stream] + 1) % WINDOW);
                waiting[place] != 0;
                place = (int) ((upTo[stream] + 1) % WINDOW)) {
            clocks[stream] = waiting[place] - 1;
            upTo[stream]++;
            waiting[place] = 0;
        }
    }
}
