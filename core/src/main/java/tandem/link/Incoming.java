package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.Pieces;
import tandem.wire.ProtocolError;
import tandem.wire.Room;

/// Bytes from one peer, put together to frames and these to messages. Memory grows with the bytes that arrive, and with
/// a length that a peer claims only as far as there is [Room]. Belongs to the thread that reads.
final class Incoming {

    private static final int LEAST_BYTES = 1 << 16;
    /// Two frames of the longest: what is read is still in the processor's cache when it is taken apart.
    private static final int MOST_BYTES = 2 * Codec.PIECE;

    /// How many reads in a row must have been small before a large buffer is given up.
    private static final int PATIENCE = 256;

    private final Limits limits;
    private final Buffers buffers;
    private final LongAdder received;
    private final Pieces pieces;

    /// Bytes from `start` until its position are there and not yet understood.
    private ByteBuffer buffer;

    private int start;
    private int smallReads;

    /// Full buffers in which pieces lie of a message that is not complete.
    private final List<ByteBuffer> full = new ArrayList<>();

    /// @param room     for arrays that are filled as their bytes come
    /// @param received counts bytes
    Incoming(Limits limits, Buffers buffers, Room room, LongAdder received) {
        this.limits = limits;
        this.buffers = buffers;
        this.received = received;
        pieces = new Pieces(limits, room);
        buffer = buffers.take(LEAST_BYTES);
    }

    /// Reads what is there, and hands on the messages that are complete; after one for which `receiver` is false no
    /// more, until [#deliver]. Returns how many bytes it read.
    int read(ReadableByteChannel channel, Predicate<Message> receiver) throws IOException {
        if (!buffer.hasRemaining()) {
            makeRoom();
        }
        int read = channel.read(buffer.limit(end()));
        buffer.limit(buffer.capacity());
        if (read < 0) {
            throw new EOFException("closed by the other side");
        }
        received.add(read);
        smallReads = read > LEAST_BYTES ? 0 : smallReads + 1;
        deliver(receiver);
        return read;
    }

    /// Whether pieces of a message are still to come.
    boolean isHalfway() {
        return pieces.areMissing();
    }

    /// Bytes that have come and are no message yet.
    long halfBytes() {
        return pieces.bytes() + buffer.position() - start;
    }

    /// Where to stop reading: of a long frame that has begun, at the header of the next one, so that little has to move
    /// when the buffer is full.
    private int end() {
        ByteBuffer there = buffer.duplicate().flip().position(start);
        int length = there.remaining() < Codec.HEADER ? 0 : frameLength(there);
        int end = start + length + Codec.HEADER;
        return length < LEAST_BYTES || end > buffer.capacity() ? buffer.capacity() : end;
    }

    /// Hands on messages that have been read already.
    void deliver(Predicate<Message> receiver) {
        ByteBuffer there = buffer.duplicate().flip().position(start);
        boolean goesOn = true;
        for (int length; goesOn && (length = frameLength(there)) >= 0 && length <= there.remaining(); ) {
            Message message = pieces.add(there.slice(start, length));
            start += length;
            there.position(start);
            if (message != null) {
                full.forEach(buffers::give);
                full.clear();
                goesOn = receiver.test(message);
            }
        }
        if (start == buffer.position() && !pieces.keeps()) {
            start = 0;
            buffer.clear();
            settle();
        }
    }

    private int frameLength(ByteBuffer there) {
        int length = Codec.frameLength(there, limits);
        if (length > Codec.PIECE) {
            throw new ProtocolError(
                    "a frame of " + length + " bytes; what is longer than " + Codec.PIECE + " comes in pieces");
        }
        return length;
    }

    private void makeRoom() {
        ByteBuffer unread = buffer.flip().position(start);
        if (start > 0 && !pieces.keeps()) {
            buffer = unread.compact();
        } else {
            ByteBuffer old = buffer;
            buffer = buffers.take(Math.min(4 * old.capacity(), MOST_BYTES)).put(unread);
            if (pieces.keeps()) {
                full.add(old);
            } else {
                buffers.give(old);
            }
        }
        start = 0;
    }

    private void settle() {
        if (smallReads > PATIENCE && buffer.capacity() > LEAST_BYTES) {
            buffers.give(buffer);
            buffer = buffers.take(LEAST_BYTES);
        }
    }

    /// Bytes of the buffers that it holds.
    long capacity() {
        return buffer.capacity() + full.stream().mapToLong(ByteBuffer::capacity).sum();
    }

    void close() {
        pieces.clear();
        buffers.give(buffer);
        full.forEach(buffers::give);
        full.clear();
    }
}
