package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// The pieces of one long message, as they come; frames that are whole may come between them. Holds no more than what
/// has arrived. Belongs to one thread.
public final class Pieces {

    private final Limits limits;
    private final List<ByteBuffer> bodies = new ArrayList<>();
    private int kind;
    private long bytes;

    public Pieces(Limits limits) {
        this.limits = limits;
    }

    /// Whether no message is half there.
    public boolean isEmpty() {
        return bodies.isEmpty();
    }

    /// The message that a frame is, or that it completes; null if pieces are still missing. Until then the bytes of
    /// the frame must stay as they are.
    public Message add(ByteBuffer bytesOfFrame) {
        ByteBuffer frame = bytesOfFrame.slice().order(ByteOrder.LITTLE_ENDIAN);
        int flags = Codec.open(frame, limits);
        if (flags == Codec.WHOLE) {
            return Codec.read(frame.get(Codec.KIND_AT), List.of(frame.position(Codec.HEADER)), limits);
        }
        if (!bodies.isEmpty() && kind != frame.get(Codec.KIND_AT)) {
            throw new ProtocolError("a piece of a message of kind " + frame.get(Codec.KIND_AT) + " among those of one"
                    + " of kind " + kind);
        }
        kind = frame.get(Codec.KIND_AT);
        bodies.add(frame.position(Codec.HEADER));
        bytes += frame.remaining();
        if (bytes > limits.frameBytes()) {
            throw new ProtocolError("a message of more than " + limits.frameBytes() + " bytes in pieces");
        }
        if (flags == Codec.MORE) {
            return null;
        }
        try {
            return Codec.read(kind, bodies, limits);
        } finally {
            bodies.clear();
            bytes = 0;
        }
    }
}
