package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// The body of a frame, read number by number. Never reads past its end, and allocates an array only for bytes that are
/// there.
record Source(ByteBuffer from, Limits limits) {

    int int8() {
        need(1, "a byte");
        return from.get() & 0xff;
    }

    int int32() {
        need(Integer.BYTES, "a number");
        return from.getInt();
    }

    long int64() {
        need(Long.BYTES, "a number");
        return from.getLong();
    }

    double float64() {
        return Double.longBitsToDouble(int64());
    }

    boolean bool() {
        int value = int8();
        if (value > 1) {
            throw new ProtocolError(value + " where 0 or 1 belongs");
        }
        return value == 1;
    }

    /// How many `what` follow, each at least `bytesEach` long.
    int count(int most, int bytesEach, String what) {
        int count = int32();
        if (count < 0 || count > most) {
            throw new ProtocolError(Integer.toUnsignedString(count) + " " + what + " in a frame; at most " + most);
        }
        need((long) count * bytesEach, what);
        return count;
    }

    long[] longs(int count) {
        need((long) Long.BYTES * count, "keys");
        long[] values = new long[count];
        from.asLongBuffer().get(values);
        skip(Long.BYTES * count);
        return values;
    }

    float[] floats(long count) {
        need(Float.BYTES * count, "values");
        float[] values = new float[(int) count];
        from.asFloatBuffer().get(values);
        skip(Float.BYTES * values.length);
        return values;
    }

    double[] doubles(int count) {
        need((long) Double.BYTES * count, "settings");
        double[] values = new double[count];
        from.asDoubleBuffer().get(values);
        skip(Double.BYTES * count);
        return values;
    }

    int[] ints(int count) {
        need((long) Integer.BYTES * count, "numbers");
        int[] values = new int[count];
        from.asIntBuffer().get(values);
        skip(Integer.BYTES * count);
        return values;
    }

    byte[] blob(int most) {
        byte[] values = new byte[count(most, 1, "bytes")];
        from.get(values);
        return values;
    }

    /// Text that may be null.
    String textOrNull() {
        need(Integer.BYTES, "text");
        if (from.getInt(from.position()) == -1) {
            skip(Integer.BYTES);
            return null;
        }
        return text();
    }

    String text() {
        byte[] bytes = blob(limits.textBytes());
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolError("a name that is not UTF-8", e);
        }
    }

    /// That everything has been read.
    void end() {
        if (from.hasRemaining()) {
            throw new ProtocolError(from.remaining() + " bytes are left over at the end of a frame");
        }
    }

    private void need(long bytes, String what) {
        if (bytes > from.remaining()) {
            throw new ProtocolError(
                    "the frame ends inside " + what + ": " + bytes + " bytes needed, " + from.remaining() + " there");
        }
    }

    private void skip(int bytes) {
        from.position(from.position() + bytes);
    }
}
