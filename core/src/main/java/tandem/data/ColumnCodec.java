package tandem.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Neighbouring columns as bytes in the cache of columns, little-endian; the layout is described in `docs/cache.md`.
/// Made to be decoded fast: all numbers are copied as they are.
final class ColumnCodec {

    static final int HEADER_BYTES = 20;

    /// Set in the length of a column that has values; otherwise all of them are 1.
    private static final int VALUED = Integer.MIN_VALUE;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ColumnCodec() {}

    /// Columns that are put together to be encoded. Arrays may be longer than what is used.
    static final class Draft {
        int columns;
        int entries;
        int values;
        private long[] keys = new long[64];
        private int[] lengths = new int[64];
        private int[] rows = new int[1 << 12];
        private float[] valued = new float[0];
        private boolean hasValues;

        /// How many entries of the last column are still to come.
        private int left;

        /// Whether it is another stretch of the column that the piece before ended with.
        boolean goesOn;

        /// Begins another stretch of a column, alone in its piece.
        void goOn(long key, int count, boolean hasValues) {
            begin(key, count, hasValues);
            goesOn = true;
        }

        /// Begins a column, of which `count` entries follow.
        void begin(long key, int count, boolean hasValues) {
            if (columns == keys.length) {
                keys = Arrays.copyOf(keys, 2 * columns);
                lengths = Arrays.copyOf(lengths, 2 * columns);
            }
            keys[columns] = key;
            lengths[columns++] = hasValues ? count | VALUED : count;
            this.hasValues = hasValues;
            left = count;
            rows = roomFor(rows, entries + count);
            if (hasValues && valued.length < values + count) {
                valued = Arrays.copyOf(valued, values + count + (values >> 1));
            }
        }

        /// Adds entries `from` until `to` of these to the column that was begun.
        void add(int[] rowNumbers, float[] numbers, int from, int to) {
            int count = to - from;
            System.arraycopy(rowNumbers, from, rows, entries, count);
            entries += count;
            if (hasValues) {
                System.arraycopy(numbers, from, valued, values, count);
                values += count;
            }
            left -= count;
        }

        /// How many entries of the column that was begun are still to come.
        int room() {
            return left;
        }

        boolean isFull() {
            return left == 0;
        }

        private static int[] roomFor(int[] array, int count) {
            return array.length < count ? Arrays.copyOf(array, count + (array.length >> 1)) : array;
        }

        long bytes() {
            return HEADER_BYTES + 12L * columns + 4L * entries + 4L * values;
        }

        void clear() {
            columns = 0;
            entries = 0;
            values = 0;
            goesOn = false;
        }
    }

    /// @param number which piece of its file it is
    static byte[] encode(Draft piece, int number) {
        byte[] bytes = new byte[Math.toIntExact(piece.bytes())];
        MemorySegment out = MemorySegment.ofArray(bytes);
        out.set(INT, 4, number);
        out.set(INT, 8, piece.columns);
        out.set(INT, 12, piece.entries);
        out.set(INT, 16, piece.values);
        long at = HEADER_BYTES;
        MemorySegment.copy(piece.keys, 0, out, LONG, at, piece.columns);
        at += 8L * piece.columns;
        MemorySegment.copy(piece.lengths, 0, out, INT, at, piece.columns);
        at += 4L * piece.columns;
        MemorySegment.copy(piece.rows, 0, out, INT, at, piece.entries);
        at += 4L * piece.entries;
        MemorySegment.copy(piece.valued, 0, out, FLOAT, at, piece.values);
        out.set(INT, 0, PieceFile.sum(bytes, 4, bytes.length));
        return bytes;
    }

    /// The columns of `bytes`, which must be piece `number` of a file and nothing else, of so many rows. Whoever
    /// computes with columns trusts their rows, so that these are checked once, here.
    static Columns decode(byte[] bytes, int number, int rows) throws IOException {
        MemorySegment in = MemorySegment.ofArray(bytes);
        if (bytes.length < HEADER_BYTES || in.get(INT, 0) != PieceFile.sum(bytes, 4, bytes.length)) {
            throw new IOException("columns do not match their checksum");
        }
        int count = in.get(INT, 8);
        int entries = in.get(INT, 12);
        int valueCount = in.get(INT, 16);
        if (in.get(INT, 4) != number) {
            throw new IOException("columns are not where they should be");
        }
        if (count < 0
                || entries < 0
                || valueCount < 0
                || bytes.length != HEADER_BYTES + 12L * count + 4L * entries + 4L * valueCount) {
            throw new IOException("columns are not as long as they say");
        }
        long[] keys = new long[count];
        long at = HEADER_BYTES;
        MemorySegment.copy(in, LONG, at, keys, 0, count);
        requireAscending(keys);
        at += 8L * count;
        int[] starts = new int[count + 1];
        int[] valueStarts = new int[count + 1];
        for (int j = 0; j < count; j++) {
            int length = in.get(INT, at + 4L * j);
            int plain = length & ~VALUED;
            if (plain > entries - starts[j] || length < 0 && plain > valueCount - valueStarts[j]) {
                throw new IOException("a column is longer than all of them");
            }
            starts[j + 1] = starts[j] + plain;
            valueStarts[j + 1] = valueStarts[j] + (length < 0 ? plain : 0);
        }
        if (starts[count] != entries || valueStarts[count] != valueCount) {
            throw new IOException("columns do not add up to their entries");
        }
        at += 4L * count;
        int[] rowNumbers = new int[entries];
        MemorySegment.copy(in, INT, at, rowNumbers, 0, entries);
        requireRows(starts, rowNumbers, rows);
        at += 4L * entries;
        float[] values = new float[valueCount];
        MemorySegment.copy(in, FLOAT, at, values, 0, valueCount);
        return new Columns(keys, starts, rowNumbers, valueStarts, values, new double[0], new float[0]);
    }

    private static void requireAscending(long[] keys) throws IOException {
        for (int j = 1; j < keys.length; j++) {
            if (Long.compareUnsigned(keys[j - 1], keys[j]) >= 0) {
                throw new IOException("the keys of columns are out of order");
            }
        }
    }

    private static void requireRows(int[] starts, int[] rowNumbers, int rows) throws IOException {
        int signs = 0; // below 0 as soon as a row is not above the one before, or after the last
        for (int j = 0; j < starts.length - 1; j++) {
            int before = -1;
            for (int e = starts[j]; e < starts[j + 1]; e++) {
                signs |= rowNumbers[e] | (rowNumbers[e] - before - 1) | (rows - 1 - rowNumbers[e]);
                before = rowNumbers[e];
            }
        }
        if (signs < 0) {
            throw new IOException("a column has rows that are out of order or not there");
        }
    }
}
