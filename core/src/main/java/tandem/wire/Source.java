package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/// The body of a message, in one frame or several, read number by number. Never reads past its end, and allocates an
/// array only for bytes that are there.
final class Source {

    private final Iterator<ByteBuffer> pieces;
    private final Limits limits;

    /// What is being read, and the bytes of the pieces after it.
    private ByteBuffer from;

    private long after;

    /// @param bodies little-endian, each from its position to its limit
    Source(List<ByteBuffer> bodies, Limits limits) {
        this.limits = limits;
        pieces = bodies.iterator();
        for (ByteBuffer body : bodies) {
            after += body.remaining();
        }
        from = pieces.next();
        after -= from.remaining();
    }

    Limits limits() {
        return limits;
    }

    int int8() {
        return one(1, "a byte").get() & 0xff;
    }

    int int32() {
        return one(Integer.BYTES, "a number").getInt();
    }

    long int64() {
        return one(Long.BYTES, "a number").getLong();
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
        for (int at = 0, some; at < count; at += some) {
            some = some(Long.BYTES, count - at, "keys");
            from.asLongBuffer().get(values, at, some);
            skip(Long.BYTES * some);
        }
        return values;
    }

    float[] floats(int count) {
        need((long) Float.BYTES * count, "values");
        float[] values = new float[count];
        for (int at = 0, some; at < count; at += some) {
            some = some(Float.BYTES, count - at, "values");
            from.asFloatBuffer().get(values, at, some);
            skip(Float.BYTES * some);
        }
        return values;
    }

    double[] doubles(int count) {
        need((long) Double.BYTES * count, "numbers");
        double[] values = new double[count];
        for (int at = 0, some; at < count; at += some) {
            some = some(Double.BYTES, count - at, "numbers");
            from.asDoubleBuffer().get(values, at, some);
            skip(Double.BYTES * some);
        }
        return values;
    }

    int[] ints(int count) {
        need((long) Integer.BYTES * count, "numbers");
        int[] values = new int[count];
        for (int at = 0, some; at < count; at += some) {
            some = some(Integer.BYTES, count - at, "numbers");
            from.asIntBuffer().get(values, at, some);
            skip(Integer.BYTES * some);
        }
        return values;
    }

    byte[] blob(int most) {
        byte[] values = new byte[count(most, 1, "bytes")];
        for (int at = 0, some; at < values.length; at += some) {
            some = some(1, values.length - at, "bytes");
            from.get(values, at, some);
        }
        return values;
    }

    /// Text that may be null.
    String textOrNull() {
        if (one(Integer.BYTES, "text").getInt(from.position()) == -1) {
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
        long left = from.remaining() + after;
        if (left > 0) {
            throw new ProtocolError(left + " bytes are left over at the end of a message");
        }
    }

    /// The piece with the next number, of so many bytes.
    private ByteBuffer one(int bytes, String what) {
        some(bytes, 1, what);
        return from;
    }

    /// How many of the next numbers are in the present piece, at least one.
    private int some(int bytesEach, int count, String what) {
        while (!from.hasRemaining() && pieces.hasNext()) {
            from = pieces.next();
            after -= from.remaining();
        }
        if (from.remaining() < bytesEach) {
            throw new ProtocolError("the message ends inside " + what + ": " + bytesEach + " bytes needed, "
                    + from.remaining() + " there");
        }
        return Math.min(count, from.remaining() / bytesEach);
    }

    /// That so many bytes are there, before anything is allocated for them.
    private void need(long bytes, String what) {
        if (bytes > from.remaining() + after) {
            throw new ProtocolError("the message ends inside " + what + ": " + bytes + " bytes needed, "
                    + (from.remaining() + after) + " there");
        }
    }

    private void skip(int bytes) {
        from.position(from.position() + bytes);
    }
}
