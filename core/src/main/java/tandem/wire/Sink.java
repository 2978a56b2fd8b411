package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Where the body of a frame goes, number by number: into a buffer or several, or only into its length. One
/// description of the bytes serves all, so they cannot disagree.
sealed interface Sink permits Sink.Count, Sink.Fill, Cut {

    void int8(int value);

    void int32(int value);

    void int64(long value);

    void longs(long[] values, int from, int count);

    void floats(float[] values, int from, int count);

    void doubles(double[] values, int from, int count);

    void ints(int[] values);

    void bytes(byte[] values);

    /// A length and that many bytes of UTF-8; null is a length of −1.
    default void text(String text) {
        if (text == null) {
            int32(-1);
        } else {
            blob(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// A length and that many bytes.
    default void blob(byte[] values) {
        int32(values.length);
        bytes(values);
    }

    /// Counts bytes.
    final class Count implements Sink {

        private long bytes;

        long bytes() {
            return bytes;
        }

        @Override
        public void int8(int value) {
            bytes++;
        }

        @Override
        public void int32(int value) {
            bytes += Integer.BYTES;
        }

        @Override
        public void int64(long value) {
            bytes += Long.BYTES;
        }

        @Override
        public void longs(long[] values, int from, int count) {
            bytes += (long) Long.BYTES * count;
        }

        @Override
        public void floats(float[] values, int from, int count) {
            bytes += (long) Float.BYTES * count;
        }

        @Override
        public void doubles(double[] values, int from, int count) {
            bytes += (long) Double.BYTES * count;
        }

        @Override
        public void ints(int[] values) {
            bytes += (long) Integer.BYTES * values.length;
        }

        @Override
        public void bytes(byte[] values) {
            bytes += values.length;
        }
    }

    /// Writes into a little-endian buffer, from its position on.
    record Fill(ByteBuffer into) implements Sink {

        @Override
        public void int8(int value) {
            into.put((byte) value);
        }

        @Override
        public void int32(int value) {
            into.putInt(value);
        }

        @Override
        public void int64(long value) {
            into.putLong(value);
        }

        @Override
        public void longs(long[] values, int from, int count) {
            into.asLongBuffer().put(values, from, count);
            skip(Long.BYTES * count);
        }

        @Override
        public void floats(float[] values, int from, int count) {
            into.asFloatBuffer().put(values, from, count);
            skip(Float.BYTES * count);
        }

        @Override
        public void doubles(double[] values, int from, int count) {
            into.asDoubleBuffer().put(values, from, count);
            skip(Double.BYTES * count);
        }

        @Override
        public void ints(int[] values) {
            into.asIntBuffer().put(values);
            skip(Integer.BYTES * values.length);
        }

        @Override
        public void bytes(byte[] values) {
            into.put(values);
        }

        private void skip(int bytes) {
            into.position(into.position() + bytes);
        }
    }
}
