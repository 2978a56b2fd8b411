package tandem.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import tandem.wire.ProtocolError;

/// Bytes that filters read, as [Output] wrote them. Whatever is not there, or cannot be, is a [ProtocolError].
public final class Input {

    private final ByteBuffer buffer;

    Input(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    public int int8() {
        need(1);
        return buffer.get() & 0xff;
    }

    public int int16() {
        need(Short.BYTES);
        return buffer.getShort();
    }

    public int int32() {
        need(Integer.BYTES);
        return buffer.getInt();
    }

    public long int64() {
        need(Long.BYTES);
        return buffer.getLong();
    }

    public double float64() {
        return Double.longBitsToDouble(int64());
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            long next = int8();
            if (shift == 63 && next > 1) {
                break;
            }
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new ProtocolError("packed values have a number of more than 64 bits");
    }

    /// A number that is at most `most`.
    public int varint(int most, String what) {
        long value = varint();
        if (value < 0 || value > most) {
            throw new ProtocolError(
                    "packed values have " + Long.toUnsignedString(value) + " " + what + "; at most " + most);
        }
        return (int) value;
    }

    public byte[] bytes(int count) {
        need(count);
        byte[] values = new byte[count];
        buffer.get(values);
        return values;
    }

    /// How many bytes are left.
    public int remaining() {
        return buffer.remaining();
    }

    /// That so many bytes are left: to be asked before room is made for what they say.
    public void need(long bytes) {
        if (bytes > buffer.remaining()) {
            throw new ProtocolError(
                    "packed values end early: " + bytes + " bytes needed, " + buffer.remaining() + " there");
        }
    }

    void end() {
        if (buffer.hasRemaining()) {
            throw new ProtocolError(buffer.remaining() + " bytes are left over after packed values");
        }
    }
}
