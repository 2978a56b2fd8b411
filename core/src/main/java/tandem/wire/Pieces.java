package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// The pieces of one long message, as they come; frames that are whole may come between them. Holds no more than what
/// has arrived, but for arrays that it fills as their numbers come, as far as there is [Room]. Belongs to one thread.
public final class Pieces {

    private final Limits limits;
    private final Ahead ahead;
    private final List<ByteBuffer> bodies = new ArrayList<>();
    private int kind;
    private long bytes;

    /// Whether nothing more is read ahead: what the next bytes are is not known before all are there.
    private boolean plain;

    public Pieces(Limits limits, Room room) {
        this.limits = limits;
        ahead = new Ahead(room);
    }

    /// Whether it needs the bytes of frames that it was given.
    public boolean keeps() {
        return plain;
    }

    /// Whether some pieces of a message have come, and not all.
    public boolean areMissing() {
        return bytes > 0;
    }

    /// Bytes that have come of a message that is not complete.
    public long bytes() {
        return bytes;
    }

    /// The message that a frame is, or that it completes; null if pieces are still missing. From then on the bytes of
    /// the frame must stay as they are while it [#keeps] them.
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
        ByteBuffer body = frame.position(Codec.HEADER);
        bytes += body.remaining();
        if (bytes > limits.frameBytes()) {
            throw new ProtocolError("a message of more than " + limits.frameBytes() + " bytes in pieces");
        }
        if (!ahead.isFilling() || ahead.fill(body)) {
            bodies.add(body);
            if (flags == Codec.MORE && !plain) {
                lookAhead();
            }
        }
        if (flags == Codec.MORE) {
            return null;
        }
        if (ahead.isFilling()) {
            throw new ProtocolError("the message ends inside an array");
        }
        try {
            return Codec.readAll(kind, new Source(bodies, limits, ahead, true));
        } finally {
            clear();
        }
    }

    /// Reads fields as far as they are there. If they end inside an array, it is filled from now on, and what was
    /// before it moves to memory of its own.
    private void lookAhead() {
        try {
            List<ByteBuffer> copies = new ArrayList<>();
            bodies.forEach(body -> copies.add(body.duplicate().order(ByteOrder.LITTLE_ENDIAN)));
            Codec.readAll(kind, new Source(copies, limits, ahead, false));
        } catch (Ahead.NotYet _) {
            // As was to be expected.
        }
        plain = !ahead.isFilling();
        if (!plain) {
            ByteBuffer fields = bodies.removeLast().limit(ahead.start());
            bodies.add(ByteBuffer.allocate(fields.remaining())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(fields)
                    .flip());
        }
    }

    /// Forgets a message that is half there.
    public void clear() {
        bodies.clear();
        ahead.clear();
        bytes = 0;
        plain = false;
    }
}
