package tandem.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Whatever the bytes, frames are messages or a protocol error, and what was read is written and read as the same.
/// Versions, checksums and lengths are made right, as somebody who crafts a frame would.
class WireFuzz {

    static final int UPDATE = 1;
    static final int ROWS = 4;
    static final int PLACED = 9;
    static final int COMPUTE = 16;
    static final int CREATE = 23;
    static final int GIVE = 53;

    /// Kind and flags, and then the fields.
    @FuzzTest(maxDuration = "30s")
    void frame(byte[] bytes) {
        read(frame(bytes, Codec.KIND_AT));
    }

    /// Cut into pieces whose lengths the first bytes say: arrays that are filled as their bytes come are those made in
    /// the end.
    @FuzzTest(maxDuration = "30s")
    void pieces(byte[] bytes) {
        if (bytes.length < 5) {
            return;
        }
        Held room = new Held();
        Pieces ahead = new Pieces(Limits.DEFAULT, room);
        byte[] first = made(bytes, ahead);
        ahead.clear();
        if (room.taken != 0) {
            throw new AssertionError(room.taken + " bytes of room were not given back");
        }
        if (!Arrays.equals(first, made(bytes, new Pieces(Limits.DEFAULT, Room.NONE)))) {
            throw new AssertionError("what is read depends on when it is read");
        }
    }

    @FuzzTest(maxDuration = "30s")
    void parts(byte[] bytes) {
        message(UPDATE, bytes);
    }

    @FuzzTest(maxDuration = "30s")
    void values(byte[] bytes) {
        message(ROWS, bytes);
    }

    @FuzzTest(maxDuration = "30s")
    void figures(byte[] bytes) {
        message(COMPUTE, bytes);
    }

    @FuzzTest(maxDuration = "30s")
    void layout(byte[] bytes) {
        message(PLACED, bytes);
    }

    @FuzzTest(maxDuration = "30s")
    void table(byte[] bytes) {
        message(CREATE, bytes);
    }

    /// What one server passes to another, a message within a message.
    @FuzzTest(maxDuration = "30s")
    void given(byte[] bytes) {
        message(GIVE, bytes);
    }

    private static void message(int kind, byte[] fields) {
        read(message(fields, kind));
    }

    static ByteBuffer message(byte[] fields, int kind) {
        ByteBuffer frame = frame(fields, Codec.HEADER).put(Codec.KIND_AT, (byte) kind);
        sealed(frame.array());
        return frame;
    }

    /// A frame with these bytes at this place.
    static ByteBuffer frame(byte[] bytes, int at) {
        ByteBuffer frame = ByteBuffer.allocate(Math.max(Codec.HEADER, at + bytes.length));
        frame.put(at, bytes).put(Codec.VERSION_AT, (byte) Codec.VERSION);
        sealed(frame.array());
        return frame;
    }

    private static void read(ByteBuffer frame) {
        Message message;
        try {
            message = Codec.decode(frame, Limits.DEFAULT);
        } catch (ProtocolError expected) {
            return;
        }
        byte[] once = written(message);
        if (!Arrays.equals(once, written(Codec.decode(ByteBuffer.wrap(once), Limits.DEFAULT)))) {
            throw new AssertionError(message + " is read as something else than was written");
        }
    }

    private static byte[] written(Message message) {
        byte[] bytes = new byte[Math.toIntExact(Codec.length(message))];
        Codec.encode(message, ByteBuffer.wrap(bytes));
        return bytes;
    }

    /// The message that the last piece completes, as bytes; null if there is none.
    private static byte[] made(byte[] bytes, Pieces pieces) {
        byte[] made = null;
        byte kind = bytes[0];
        try {
            for (int at = 4, n = 0; at < bytes.length; n++) {
                int length = Math.min(1 + (bytes[1 + n % 3] & 0xff), bytes.length - at);
                byte[] frame = new byte[Codec.HEADER + length];
                System.arraycopy(bytes, at, frame, Codec.HEADER, length);
                at += length;
                frame[Codec.VERSION_AT] = Codec.VERSION;
                frame[Codec.KIND_AT] = kind;
                frame[10] = (byte) (at < bytes.length ? Codec.MORE : Codec.LAST);
                sealed(frame);
                Message message = pieces.add(ByteBuffer.wrap(frame));
                made = message == null ? made : written(message);
            }
        } catch (ProtocolError expected) {
            return null;
        }
        return made;
    }

    private static void sealed(byte[] frame) {
        ByteBuffer header =
                ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(4, frame.length);
        CRC32C crc = new CRC32C();
        crc.update(frame, 4, frame.length - 4);
        header.putInt(0, (int) crc.getValue());
    }

    /// A mebibyte.
    private static final class Held implements Room {

        private long taken;

        @Override
        public boolean take(long bytes) {
            boolean fits = taken + bytes <= 1 << 20;
            taken += fits ? bytes : 0;
            return fits;
        }

        @Override
        public void give(long bytes) {
            taken -= bytes;
        }
    }
}
