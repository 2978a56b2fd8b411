package tandem.data;

import java.io.IOException;
import java.util.Arrays;

/// A run of whole lines from one input. The last line ends with a line feed even if the input does not.
final class Chunk {

    byte[] bytes;
    int from;
    int to;
    String file;

    /// Which chunk of the data this is, counted from 0.
    long number;

    /// The number of its first line in its file, counted from 1.
    long firstLine;

    /// Which file of the data it is from.
    int fileNumber;

    /// The weight of each of its rows, good or bad, unless the data has no file of weights.
    float[] weights;

    /// Why its rows cannot have their weights; null if they have.
    IOException unweighed;

    Chunk(int capacity) {
        bytes = new byte[capacity];
    }

    void grow(int capacity) {
        bytes = Arrays.copyOf(bytes, capacity);
    }

    /// Where a line stands in the data: orders lines, and is the same in every pass.
    long place(long line) {
        return ((long) fileNumber << 40) | line;
    }
}
