package tandem.server;

import tandem.math.Hash;

/// Counts keys in a fixed amount of memory, never too low: a count-min sketch (Cormode and Muthukrishnan 2005) with
/// conservative update (Estan and Varghese 2002). Four counters of a byte stand for a key, one in each of four rows,
/// and its count is the least of them.
///
/// So that a stream without end does not fill it up, all counts are halved whenever as many keys have been counted as a
/// row has counters: a count is of the recent past.
final class Sketch {

    private static final int ROWS = 4;
    private static final int MOST = 255;

    private final byte[] counters;
    private final int width;
    private int added;

    /// @param bytes the memory to use; as much of it as is four times a power of two is
    Sketch(long bytes) {
        width = Integer.highestOneBit((int) Math.clamp(bytes / ROWS, 1, 1 << 28));
        counters = new byte[ROWS * width];
    }

    /// Counts `key` once more, and returns how often it has been now.
    int add(long key) {
        if (added == width) {
            halve();
        }
        added++;
        int count = Math.min(MOST, count(key) + 1);
        for (int row = 0; row < ROWS; row++) {
            int at = place(key, row);
            if ((counters[at] & 0xff) < count) {
                counters[at] = (byte) count;
            }
        }
        return count;
    }

    /// How often `key` has been counted, or more.
    int count(long key) {
        int least = MOST;
        for (int row = 0; row < ROWS; row++) {
            least = Math.min(least, counters[place(key, row)] & 0xff);
        }
        return least;
    }

    long bytes() {
        return counters.length;
    }

    private int place(long key, int row) {
        return row * width + (int) (Hash.number(row, key) & width - 1);
    }

    private void halve() {
        for (int c = 0; c < counters.length; c++) {
            counters[c] = (byte) ((counters[c] & 0xff) >> 1);
        }
        added = 0;
    }
}
