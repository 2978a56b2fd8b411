package tandem.server;

import java.util.Arrays;
import java.util.stream.LongStream;
import tandem.math.Hash;

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

    /// Whether update `sequence` of `stream` is new, and not too far ahead of those that are applied.
    boolean isNew(int stream, long sequence) {
        long next = upTo[stream] + 1;
        if (sequence - next >= WINDOW) {
            throw new IllegalArgumentException("update " + sequence + " of stream " + stream + " came when " + next
                    + " was due; at most " + WINDOW + " may be under way");
        }
        return sequence == next
                || sequence > next && (above[stream] == null || above[stream][(int) (sequence % WINDOW)] == 0);
    }

    /// Whether update `sequence` of `stream` is new; if so it counts as applied from now on.
    boolean admits(int stream, long sequence, long clock) {
        if (!isNew(stream, sequence)) {
            return false;
        }
        if (sequence == upTo[stream] + 1) {
            upTo[stream] = sequence;
            clocks[stream] = clock;
            if (above[stream] != null) {
                catchUp(stream);
            }
            return true;
        }
        if (above[stream] == null) {
            above[stream] = new long[WINDOW];
        }
        above[stream][(int) (sequence % WINDOW)] = clock + 1;
        return true;
    }

    /// All updates of `stream` up to this number are applied.
    long upTo(int stream) {
        return upTo[stream];
    }

    /// How many updates of all streams are applied, but for those above a watermark.
    long all() {
        return LongStream.of(upTo).sum();
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

    /// What it knows, for someone who has the rows: the numbers and clocks by stream, and of updates above a
    /// watermark the stream, number and clock, one after the other.
    Known known() {
        LongStream.Builder beyond = LongStream.builder();
        for (int stream = 0; stream < above.length; stream++) {
            for (long sequence : beyond(stream)) {
                beyond.add(stream);
                beyond.add(sequence);
                beyond.add(above[stream][(int) (sequence % WINDOW)] - 1);
            }
        }
        return new Known(upTo.clone(), clocks.clone(), beyond.build().toArray());
    }

    record Known(long[] upTo, long[] clocks, long[] beyond) {}

    /// A hash of what it knows.
    long hash() {
        Known known = known();
        long hash = 0;
        for (long[] numbers : new long[][] {known.upTo, known.clocks, known.beyond}) {
            for (long number : numbers) {
                hash = Hash.number(hash, number);
            }
        }
        return hash;
    }

    /// Makes it know that.
    void set(Known known) {
        if (known.upTo.length != upTo.length || known.clocks.length != upTo.length || known.beyond.length % 3 != 0) {
            throw new IllegalArgumentException(
                    "a copy of " + known.upTo.length + " streams came where there are " + upTo.length);
        }
        System.arraycopy(known.upTo, 0, upTo, 0, upTo.length);
        System.arraycopy(known.clocks, 0, clocks, 0, clocks.length);
        Arrays.fill(above, null);
        for (int k = 0; k < known.beyond.length; k += 3) {
            admits(Math.toIntExact(known.beyond[k]), known.beyond[k + 1], known.beyond[k + 2]);
        }
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
