package tandem.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A batch as bytes in the cache, little-endian; the layout is described in `docs/cache.md`.
///
/// Made to be decoded fast: keys and values are copied as they are, positions take 16 bits where they
/// can, and only values that are not 1 are stored.
final class BatchCodec {

    static final int HEADER_BYTES = 48;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int WIDE_POSITIONS = 1;
    private static final int WIDE_LENGTHS = 2;
    private static final int WEIGHTS = 4;
    private static final int ALL_VALUES = 8;
    private static final int BYTE_LABELS = 16;
    private static final int FLOAT_LABELS = 32;

    private BatchCodec() {}

    /// How much a batch holds.
    ///
    /// @param others values that are not 1
    record Size(int rows, int entries, int keys, int others) {}

    /// What the first bytes of a batch say, which nobody has checked.
    static Size size(byte[] header) {
        MemorySegment in = MemorySegment.ofArray(header);
        return new Size(in.get(INT, 8), in.get(INT, 12), in.get(INT, 16), in.get(INT, 20));
    }

    /// How many bytes [#encode] may need.
    static long roomFor(Batch batch) {
        return HEADER_BYTES
                + 8L * batch.keyCount()
                + 16L * batch.rows()
                + 8L * batch.entries()
                + 8L * (batch.entries() / 64 + 1);
    }

    /// Writes `batch` at the start of `bytes`; returns how many bytes it took.
    static int encode(Batch batch, byte[] bytes) {
        MemorySegment out = MemorySegment.ofArray(bytes);
        int rows = batch.rows();
        int entries = batch.entries();
        int others = count(batch.values(), entries);
        int flags = flags(batch, others);
        out.set(INT, 4, flags);
        out.set(INT, 8, rows);
        out.set(INT, 12, entries);
        out.set(INT, 16, batch.keyCount());
        out.set(INT, 20, others);
        out.set(LONG, 24, batch.number());
        out.set(LONG, 32, batch.signatureHigh());
        out.set(LONG, 40, batch.signatureLow());
        long at = HEADER_BYTES;
        MemorySegment.copy(batch.keys(), 0, out, LONG, at, batch.keyCount());
        at += 8L * batch.keyCount();
        for (int r = 0; r < rows; r++) {
            double label = batch.labels()[r];
            if ((flags & BYTE_LABELS) != 0) {
                bytes[(int) at++] = (byte) label;
            } else if ((flags & FLOAT_LABELS) != 0) {
                out.set(FLOAT, at, (float) label);
                at += 4;
            } else {
                out.set(DOUBLE, at, label);
                at += 8;
            }
        }
        if ((flags & WEIGHTS) != 0) {
            MemorySegment.copy(batch.weights(), 0, out, FLOAT, at, rows);
            at += 4L * rows;
        }
        for (int r = 0; r < rows; r++) {
            at = put(out, at, batch.starts()[r + 1] - batch.starts()[r], (flags & WIDE_LENGTHS) != 0);
        }
        for (int e = 0; e < entries; e++) {
            at = put(out, at, batch.positions()[e], (flags & WIDE_POSITIONS) != 0);
        }
        if ((flags & ALL_VALUES) != 0) {
            MemorySegment.copy(batch.values(), 0, out, FLOAT, at, entries);
            at += 4L * entries;
        } else if (others > 0) {
            at = sparse(batch.values(), entries, out, at);
        }
        out.set(INT, 0, PieceFile.sum(bytes, 4, (int) at));
        return (int) at;
    }

    private static long put(MemorySegment out, long at, int number, boolean wide) {
        if (wide) {
            out.set(INT, at, number);
            return at + 4;
        }
        out.set(CHAR, at, (char) number);
        return at + 2;
    }

    /// A bit for each entry whose value is not 1, then those values.
    private static long sparse(float[] values, int entries, MemorySegment out, long at) {
        long value = at + 8L * words(entries);
        for (int w = 0; w < words(entries); w++) {
            long bits = 0;
            for (int e = w * 64; e < Math.min(entries, w * 64 + 64); e++) {
                if (values[e] != 1) {
                    bits |= 1L << e;
                    out.set(FLOAT, value, values[e]);
                    value += 4;
                }
            }
            out.set(LONG, at + 8L * w, bits);
        }
        return value;
    }

    private static int flags(Batch batch, int others) {
        int flags = batch.keyCount() > 1 << 16 ? WIDE_POSITIONS : 0;
        boolean bytes = true;
        boolean floats = true;
        for (int r = 0; r < batch.rows(); r++) {
            double label = batch.labels()[r];
            bytes &= label == (byte) label && !(label == 0 && 1 / label < 0);
            floats &= label == (float) label;
            flags |= batch.weights()[r] == 1 ? 0 : WEIGHTS;
            flags |= batch.starts()[r + 1] - batch.starts()[r] < 1 << 16 ? 0 : WIDE_LENGTHS;
        }
        flags |= bytes ? BYTE_LABELS : floats ? FLOAT_LABELS : 0;
        return flags | (others > batch.entries() / 2 ? ALL_VALUES : 0);
    }

    /// Fills `batch` from `bytes`, which must be one batch and nothing else.
    static void decode(byte[] bytes, int length, Batch batch) throws IOException {
        MemorySegment in = MemorySegment.ofArray(bytes);
        if (length < HEADER_BYTES || in.get(INT, 0) != PieceFile.sum(bytes, 4, length)) {
            throw new IOException("a batch does not match its checksum");
        }
        int flags = in.get(INT, 4);
        int rows = in.get(INT, 8);
        int entries = in.get(INT, 12);
        int keys = in.get(INT, 16);
        int others = in.get(INT, 20);
        if (rows < 0 || entries < 0 || keys < 0 || others < 0 || length != size(flags, rows, entries, keys, others)) {
            throw new IOException("a batch is not as long as it says");
        }
        batch.resize(in.get(LONG, 24), rows, entries, keys);
        batch.sign(in.get(LONG, 32), in.get(LONG, 40));
        long at = HEADER_BYTES;
        MemorySegment.copy(in, LONG, at, batch.keys(), 0, keys);
        requireAscending(batch.keys(), keys);
        at += 8L * keys;
        at = labels(in, at, flags, batch);
        if ((flags & WEIGHTS) != 0) {
            MemorySegment.copy(in, FLOAT, at, batch.weights(), 0, rows);
            at += 4L * rows;
        } else {
            Arrays.fill(batch.weights(), 0, rows, 1);
        }
        at = starts(in, at, (flags & WIDE_LENGTHS) != 0, batch);
        at = positions(in, at, (flags & WIDE_POSITIONS) != 0, batch);
        if ((flags & ALL_VALUES) != 0) {
            MemorySegment.copy(in, FLOAT, at, batch.values(), 0, entries);
        } else {
            sparse(in, at, batch, others);
        }
    }

    private static long labels(MemorySegment in, long at, int flags, Batch batch) {
        double[] labels = batch.labels();
        int rows = batch.rows();
        if ((flags & BYTE_LABELS) != 0) {
            for (int r = 0; r < rows; r++) {
                labels[r] = in.get(ValueLayout.JAVA_BYTE, at + r);
            }
            return at + rows;
        }
        if ((flags & FLOAT_LABELS) != 0) {
            for (int r = 0; r < rows; r++) {
                labels[r] = in.get(FLOAT, at + 4L * r);
            }
            return at + 4L * rows;
        }
        MemorySegment.copy(in, DOUBLE, at, labels, 0, rows);
        return at + 8L * rows;
    }

    private static long starts(MemorySegment in, long at, boolean wide, Batch batch) throws IOException {
        int[] starts = batch.starts();
        starts[0] = 0;
        for (int r = 0; r < batch.rows(); r++) {
            int length = wide ? in.get(INT, at + 4L * r) : in.get(CHAR, at + 2L * r);
            if (length < 0 || length > batch.entries() - starts[r]) {
                throw new IOException("a row of a batch is longer than the batch");
            }
            starts[r + 1] = starts[r] + length;
        }
        if (starts[batch.rows()] != batch.entries()) {
            throw new IOException("the rows of a batch do not add up to its entries");
        }
        return at + (wide ? 4L : 2L) * batch.rows();
    }

    /// Whoever computes with a batch trusts its positions, so that they are checked once, here.
    private static long positions(MemorySegment in, long at, boolean wide, Batch batch) throws IOException {
        int[] positions = batch.positions();
        int entries = batch.entries();
        int last = batch.keyCount() - 1;
        int signs = 0; // below 0 as soon as a position is below 0 or after the last key
        if (wide) {
            MemorySegment.copy(in, INT, at, positions, 0, entries);
            for (int e = 0; e < entries; e++) {
                signs |= positions[e] | (last - positions[e]);
            }
        } else {
            for (int e = 0; e < entries; e++) {
                int position = in.get(CHAR, at + 2L * e);
                positions[e] = position;
                signs |= last - position;
            }
        }
        if (signs < 0) {
            throw new IOException("an entry of a batch points beyond its keys");
        }
        return at + (wide ? 4L : 2L) * entries;
    }

    private static void requireAscending(long[] keys, int count) throws IOException {
        boolean ascending = true;
        for (int k = 1; k < count; k++) {
            ascending &= (keys[k - 1] ^ Long.MIN_VALUE) < (keys[k] ^ Long.MIN_VALUE);
        }
        if (!ascending) {
            throw new IOException("the keys of a batch are out of order");
        }
    }

    private static void sparse(MemorySegment in, long at, Batch batch, int others) throws IOException {
        float[] values = batch.values();
        Arrays.fill(values, 0, batch.entries(), 1);
        if (others == 0) {
            return;
        }
        int words = words(batch.entries());
        int marked = 0;
        for (int w = 0; w < words; w++) {
            marked += Long.bitCount(in.get(LONG, at + 8L * w));
        }
        long beyond = in.get(LONG, at + 8L * (words - 1)) & (-2L << (batch.entries() - 1));
        if (marked != others || beyond != 0) {
            throw new IOException("a batch does not mark as many values as it has");
        }
        long value = at + 8L * words;
        for (int w = 0; w < words; w++) {
            for (long bits = in.get(LONG, at + 8L * w); bits != 0; bits &= bits - 1) {
                values[w * 64 + Long.numberOfTrailingZeros(bits)] = in.get(FLOAT, value);
                value += 4;
            }
        }
    }

    private static long size(int flags, int rows, int entries, int keys, int others) {
        long labels = (flags & BYTE_LABELS) != 0 ? 1 : (flags & FLOAT_LABELS) != 0 ? 4 : 8;
        long row = labels + ((flags & WEIGHTS) != 0 ? 4 : 0) + ((flags & WIDE_LENGTHS) != 0 ? 4 : 2);
        long entry = (flags & WIDE_POSITIONS) != 0 ? 4 : 2;
        long values = (flags & ALL_VALUES) != 0 ? 4L * entries : others == 0 ? 0 : 8L * words(entries) + 4L * others;
        return HEADER_BYTES + 8L * keys + row * rows + entry * entries + values;
    }

    private static int words(int entries) {
        return (entries + 63) / 64;
    }

    private static int count(float[] values, int entries) {
        int others = 0;
        for (int e = 0; e < entries; e++) {
            others += values[e] != 1 ? 1 : 0;
        }
        return others;
    }
}
