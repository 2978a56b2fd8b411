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

    /// Arrays whose bytes are no more in the bodies; null if there are none.
    private final Ahead ahead;

    /// Whether this is all of the message.
    private final boolean whole;

    /// What is being read, and the bytes of the pieces after it and of the arrays that are there ahead.
    private ByteBuffer from;

    private long after;

    /// Arrays so far.
    private int arrays;

    /// All of a message.
    ///
    /// @param bodies little-endian, each from its position to its limit
    Source(List<ByteBuffer> bodies, Limits limits) {
        this(bodies, limits, null, true);
    }

    /// A message of which some arrays are there ahead of the rest; unless it is whole, reading it ends in
    /// [Ahead.NotYet] where bytes are missing.
    Source(List<ByteBuffer> bodies, Limits limits, Ahead ahead, boolean whole) {
        this.limits = limits;
        this.ahead = ahead;
        this.whole = whole;
        pieces = bodies.iterator();
        after = ahead == null ? 0 : ahead.bytes();
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
        int count = length(most, what);
        need((long) count * bytesEach, what);
        return count;
    }

    /// The same for numbers, of which an array is read next: that looks whether they are there.
    int length(int most, String what) {
        int count = int32();
        if (count < 0 || count > most) {
            throw new ProtocolError(Integer.toUnsignedString(count) + " " + what + " in a frame; at most " + most);
        }
        return count;
    }

    long[] longs(int count) {
        return array(Numbers.LONGS, count);
    }

    float[] floats(int count) {
        return array(Numbers.FLOATS, count);
    }

    double[] doubles(int count) {
        return array(Numbers.DOUBLES, count);
    }

    int[] ints(int count) {
        return array(Numbers.INTS, count);
    }

    byte[] blob(int most) {
        return array(Numbers.BYTES, length(most, "bytes"));
    }

    private <A> A array(Numbers<A> kind, int count) {
        int number = arrays++;
        A known = ahead == null ? null : ahead.find(number);
        if (known != null) {
            after -= (long) kind.bytes() * count;
            return known;
        }
        advance();
        long bytes = (long) kind.bytes() * count;
        if (!whole && from.remaining() < bytes && bytes <= limits.frameBytes()) {
            ahead.begin(number, kind, count, from);
        }
        need(bytes, kind.what());
        A values = kind.make().apply(count);
        for (int at = 0; at < count; ) {
            some(kind.bytes(), kind.what());
            at += kind.take(from, values, at, count - at);
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

    /// A name.
    String text() {
        return text(limits.textBytes());
    }

    /// Text of at most so many bytes.
    String text(int most) {
        byte[] bytes = blob(most);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolError("text that is not UTF-8", e);
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
        some(bytes, what);
        return from;
    }

    private void advance() {
        while (!from.hasRemaining() && pieces.hasNext()) {
            from = pieces.next();
            after -= from.remaining();
        }
    }

    /// Goes to the piece with the next number, of so many bytes.
    private void some(int bytes, String what) {
        advance();
        if (from.remaining() < bytes) {
            lacks(bytes, what, from.remaining());
        }
    }

    /// That so many bytes are there, before anything is allocated for them.
    private void need(long bytes, String what) {
        if (bytes > from.remaining() + after) {
            lacks(bytes, what, from.remaining() + after);
        }
    }

    private void lacks(long bytes, String what, long there) {
        if (!whole) {
            throw new Ahead.NotYet();
        }
        throw new ProtocolError(
                "the message ends inside " + what + ": " + bytes + " bytes needed, " + there + " there");
    }

    private void skip(int bytes) {
        from.position(from.position() + bytes);
    }
}
