package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/// Messages as frames: a header of fixed length, then the fields, all little-endian. `docs/wire.md` shows the bytes.
///
/// The header is the CRC-32C of all that follows it (4 bytes), the length of the whole frame (4), the version of the
/// format (1), what kind of message it is (1), and whether it is whole (2).
public final class Codec {

    /// Bytes of the header.
    public static final int HEADER = 12;

    /// The version of the format; frames of any other are refused.
    public static final int VERSION = 3;

    /// Bytes of the longest frame on a connection; a longer message is cut into pieces.
    public static final int PIECE = 1 << 17;

    /// What a frame is: a message, a piece of one that is followed by more, or the last piece.
    static final int WHOLE = 0;

    static final int MORE = 1;
    static final int LAST = 2;

    private static final int LENGTH_AT = 4;
    static final int VERSION_AT = 8;
    static final int KIND_AT = 9;
    private static final int FLAGS_AT = 10;

    private Codec() {}

    /// The exact bytes of the frame that [#encode] would make.
    public static long length(Message message) {
        Sink.Count count = new Sink.Count();
        MessageWriter.write(message, count);
        return HEADER + count.bytes();
    }

    /// Puts a message into `into`, as one frame from its position on; there must be room for its [#length].
    public static void encode(Message message, ByteBuffer into) {
        ByteBuffer frame = into.slice().order(ByteOrder.LITTLE_ENDIAN);
        frame.position(HEADER);
        MessageWriter.write(message, new Sink.Fill(frame));
        seal(frame.flip(), Kinds.of(message), WHOLE);
        into.position(into.position() + frame.limit());
    }

    /// Puts a message into as many frames as it takes, none longer than [#PIECE].
    public static void encode(Message message, Frames frames) {
        Cut cut = new Cut(Kinds.of(message), frames);
        MessageWriter.write(message, cut);
        cut.end();
    }

    /// Fills in the header of a frame.
    static void seal(ByteBuffer frame, int kind, int flags) {
        frame.putInt(LENGTH_AT, frame.limit());
        frame.put(VERSION_AT, (byte) VERSION);
        frame.put(KIND_AT, (byte) kind);
        frame.putShort(FLAGS_AT, (short) flags);
        frame.putInt(0, checksum(frame));
    }

    /// The length of the frame that starts at the position of `bytes`, or −1 while too little of it is there to tell.
    public static int frameLength(ByteBuffer bytes, Limits limits) {
        if (bytes.remaining() < HEADER) {
            return -1;
        }
        int at = bytes.position() + LENGTH_AT;
        int length =
                bytes.order() == ByteOrder.LITTLE_ENDIAN ? bytes.getInt(at) : Integer.reverseBytes(bytes.getInt(at));
        if (length < HEADER || length > limits.frameBytes()) {
            throw new ProtocolError("a frame of " + Integer.toUnsignedString(length) + " bytes; frames have " + HEADER
                    + " to " + limits.frameBytes());
        }
        return length;
    }

    /// The message of a whole frame, which reaches from the position of `bytes` to its limit. Its arrays are its own.
    public static Message decode(ByteBuffer bytes, Limits limits) {
        ByteBuffer frame = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (open(frame, limits) != WHOLE) {
            throw new ProtocolError("a piece of a message where a whole one was to come");
        }
        return read(frame.get(KIND_AT), List.of(frame.position(HEADER)), limits);
    }

    /// Checks the header of a whole frame or piece and says which it is.
    static int open(ByteBuffer frame, Limits limits) {
        if (frameLength(frame, limits) != frame.remaining()) {
            throw new ProtocolError("a frame is cut short: only " + frame.remaining() + " bytes are there");
        }
        if (frame.getInt(0) != checksum(frame)) {
            throw new ProtocolError("a frame was damaged on its way: its checksum is not that of its bytes");
        }
        if (frame.get(VERSION_AT) != VERSION) {
            throw new ProtocolError("a frame of version " + frame.get(VERSION_AT) + "; this node speaks version "
                    + VERSION + ", so start all nodes from the same release");
        }
        int flags = frame.getShort(FLAGS_AT);
        if (flags < WHOLE || flags > LAST) {
            throw new ProtocolError("a frame with flags " + flags + ", which are not known here");
        }
        return flags;
    }

    /// The message whose fields are in `bodies`, one after another.
    static Message read(int kind, List<ByteBuffer> bodies, Limits limits) {
        return readAll(kind, new Source(bodies, limits));
    }

    static Message readAll(int kind, Source source) {
        Message message = MessageReader.read(kind, source);
        source.end();
        return message;
    }

    /// The checksum of a frame: of all but its own four bytes.
    private static int checksum(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        frame.position(LENGTH_AT);
        crc.update(frame);
        frame.position(0);
        return (int) crc.getValue();
    }
}
