package tandem.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The long arrays of a message whose pieces are still coming, filled as they come, so that little is left to do after
/// the last. The fields of the message are read once for each such array: every time up to the place where bytes are
/// missing, with the arrays that are full already taken from here. Belongs to one thread.
final class Ahead {

    /// The most of a message. More would be many short ones, and reading their fields over and over.
    private static final int MOST = 64;

    private final Room room;
    private final List<Array<?>> arrays = new ArrayList<>();

    /// Of the arrays here: the one that is being filled, or null; and the bytes of all.
    private Array<?> filling;

    private long bytes;

    /// Where the bytes of the last array began in the body they began in.
    private int start;

    /// An array, which is number `number` of those in its message.
    private static final class Array<A> {

        final int number;
        final Numbers<A> kind;
        final A all;
        final int length;
        int filled;

        Array(int number, Numbers<A> kind, int length, A all) {
            this.number = number;
            this.kind = kind;
            this.length = length;
            this.all = all;
        }

        /// Takes what is there; true if it is full.
        boolean take(ByteBuffer body) {
            filled += kind.take(body, all, filled, length - filled);
            return filled == length;
        }
    }

    /// The fields cannot be read to their end yet.
    static final class NotYet extends RuntimeException {

        private static final long serialVersionUID = 1;

        NotYet() {
            super(null, null, false, false);
        }
    }

    Ahead(Room room) {
        this.room = room;
    }

    /// Bytes of the arrays that are here.
    long bytes() {
        return bytes;
    }

    boolean isFilling() {
        return filling != null;
    }

    int start() {
        return start;
    }

    /// Makes array `number` of a message and begins to fill it, if there is room for that.
    <A> void begin(int number, Numbers<A> kind, int length, ByteBuffer body) {
        long size = (long) length * kind.bytes();
        if (arrays.size() < MOST && room.take(size)) {
            bytes += size;
            filling = new Array<>(number, kind, length, made(kind, length));
            arrays.add(filling);
            start = body.position();
            fill(body);
        }
    }

    @SuppressWarnings("unchecked") // floats are of the kind of floats
    private <A> A made(Numbers<A> kind, int length) {
        return kind.equals(Numbers.FLOATS)
                ? (A) room.floats(length)
                : kind.make().apply(length);
    }

    /// Goes on filling; true if the array is full now.
    boolean fill(ByteBuffer body) {
        if (filling.take(body)) {
            filling = null;
            return true;
        }
        if (body.hasRemaining()) {
            throw new ProtocolError("a piece ends inside one of the " + filling.kind.what());
        }
        return false;
    }

    /// Array `number` of the message, or null if it is not here.
    @SuppressWarnings("unchecked") // the same fields ask for the same kind each time
    <A> A find(int number) {
        for (Array<?> array : arrays) {
            if (array.number == number) {
                return (A) array.all;
            }
        }
        return null;
    }

    /// Forgets everything, because the message is complete or will never be.
    void clear() {
        room.give(bytes);
        bytes = 0;
        filling = null;
        arrays.clear();
    }
}
