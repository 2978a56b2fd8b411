package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;

/// Bytes from one peer, put together to frames. Memory grows with the bytes that arrive, never with a length that a
/// peer claims. Belongs to the thread that reads.
final class Incoming {

    private static final int LEAST_BYTES = 1 << 16;

    /// How many reads in a row must have been small before a large buffer is given up.
    private static final int PATIENCE = 256;

    private final Limits limits;
    private final Buffers buffers;
    private final LongAdder received;

    /// Bytes from `start` until its position are there and not yet understood.
    private ByteBuffer buffer;

    private int start;
    private int smallReads;

    /// @param received counts bytes
    Incoming(Limits limits, Buffers buffers, LongAdder received) {
        this.limits = limits;
        this.buffers = buffers;
        this.received = received;
        buffer = buffers.take(LEAST_BYTES);
    }

    /// Reads what is there, and hands on the messages that are complete.
    void read(ReadableByteChannel channel, Consumer<Message> receiver) throws IOException {
        if (!buffer.hasRemaining()) {
            makeRoom();
        }
        int read = channel.read(buffer);
        if (read < 0) {
            throw new EOFException("closed by the other side");
        }
        received.add(read);
        ByteBuffer there = buffer.duplicate().flip().position(start);
        for (int length; (length = Codec.frameLength(there, limits)) >= 0 && length <= there.remaining(); ) {
            int end = there.position() + length;
            Message message = Codec.decode(there.slice(there.position(), length), limits);
            there.position(end);
            receiver.accept(message);
        }
        start = there.position();
        if (start == buffer.position()) {
            start = 0;
            buffer.clear();
            settle(read);
        }
    }

    private void makeRoom() {
        ByteBuffer unread = buffer.flip().position(start);
        if (start > 0) {
            buffer = unread.compact();
        } else {
            int length = Codec.frameLength(unread, limits);
            buffer =
                    buffers.take((int) Math.min(4L * unread.capacity(), length)).put(unread);
            buffers.give(unread);
        }
        start = 0;
    }

    private void settle(int read) {
        smallReads = read > LEAST_BYTES ? 0 : smallReads + 1;
        if (smallReads > PATIENCE && buffer.capacity() > LEAST_BYTES) {
            buffers.give(buffer);
            buffer = buffers.take(LEAST_BYTES);
        }
    }

    int capacity() {
        return buffer.capacity();
    }

    void close() {
        buffers.give(buffer);
    }
}
