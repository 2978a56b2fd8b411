package tandem.data;

import java.io.IOException;

/// How much of the heap there is for columns, for all workers of a process together. For many threads.
final class ColumnRoom {

    /// Columns in memory take this part of the heap at most; the rest is for scores, weights and what is under way.
    private static final int HELD_PART = 2;

    /// Those that are read from disk take this part, and as much is taken while they are built.
    private static final int WINDOW_PART = 8;

    private static final long MOST_BUILDING_BYTES = 256L << 20;
    private static final long LEAST_BUILDING_BYTES = 1L << 20;

    private final long heapBytes;
    private final Room held;
    private final ColumnWindow window;

    ColumnRoom(long heapBytes) {
        this.heapBytes = heapBytes;
        held = new Room(heapBytes / HELD_PART);
        window = new ColumnWindow(heapBytes / WINDOW_PART);
    }

    /// What it takes to hold the columns of a stream: its entries twice while rows are turned into columns, and what
    /// there is for each row and key.
    static long needed(CacheFile.Opened cache, int stream, int streams) throws IOException {
        long bytes = 0;
        for (int batch = stream; batch < cache.starts().length; batch += streams) {
            BatchCodec.Size size = cache.size(batch);
            bytes += (size.others() == 0 ? 8L : 16L) * size.entries() + 16L * size.keys() + 64L * size.rows();
        }
        return bytes;
    }

    /// The room for columns in memory.
    Room held() {
        return held;
    }

    ColumnWindow window() {
        return window;
    }

    /// What rows in memory may take while one of so many streams is built.
    long buildingBytes(int streams) {
        return Math.clamp(heapBytes / WINDOW_PART / streams, LEAST_BUILDING_BYTES, MOST_BUILDING_BYTES);
    }
}
