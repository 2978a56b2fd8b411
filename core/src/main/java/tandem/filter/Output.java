package tandem.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Bytes that filters write, little-endian, as many as there come to be.
public final class Output {

    private ByteBuffer buffer;

    Output(int room) {
        buffer = ByteBuffer.allocate(Math.max(16, room)).order(ByteOrder.LITTLE_ENDIAN);
    }

    public void int8(int value) {
        room(1).put((byte) value);
    }

    public void int16(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    public void int32(int value) {
        room(Integer.BYTES).putInt(value);
    }

    public void int64(long value) {
        room(Long.BYTES).putLong(value);
    }

    public void float64(double value) {
        int64(Double.doubleToRawLongBits(value));
    }

    /// An unsigned number in seven bits a byte, the lowest first: small ones are short.
    public void varint(long value) {
        ByteBuffer into = room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            into.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        into.put((byte) rest);
    }

    public void bytes(byte[] values) {
        room(values.length).put(values);
    }

    /// How many bytes there are.
    public int size() {
        return buffer.position();
    }

    byte[] toBytes() {
        return buffer.position() == buffer.capacity()
                ? buffer.array()
                : Arrays.copyOf(buffer.array(), buffer.position());
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int most = Math.addExact(buffer.position(), Math.max(bytes, buffer.position()));
            buffer = ByteBuffer.allocate(most).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
        }
        return buffer;
    }
}
