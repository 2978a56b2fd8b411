package tandem.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;
import tandem.wire.Codec;
import tandem.wire.Message;

/// Frames on their way to one peer, a limited number of bytes. Those without rows overtake those with, so that a
/// heartbeat does not wait behind a model. Guarded by the lock of its link.
final class Outgoing {

    /// Frames that fit into what is left of such a buffer share it.
    private static final int SHARED_BYTES = 1 << 14;

    private final ArrayDeque<ByteBuffer> urgent = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> bulk = new ArrayDeque<>();
    private final Buffers buffers;
    private final int mostBytes;
    private final LongAdder sent;

    /// What is being written; its frames cannot be overtaken.
    private ByteBuffer current;

    private long bytes;

    /// @param sent counts bytes
    Outgoing(Buffers buffers, int mostBytes, LongAdder sent) {
        this.buffers = buffers;
        this.mostBytes = mostBytes;
        this.sent = sent;
    }

    /// Bytes that wait.
    long bytes() {
        return bytes;
    }

    /// Whether a frame of so many bytes may wait too; one always may.
    boolean admits(long length) {
        return bytes == 0 || bytes + length <= mostBytes;
    }

    /// Whether senders should wait before they send more.
    boolean isPressed() {
        return bytes > mostBytes / 2;
    }

    void add(Message message, int length) {
        ArrayDeque<ByteBuffer> queue = isUrgent(message) ? urgent : bulk;
        ByteBuffer last = queue.peekLast();
        if (last == null || last.capacity() - last.limit() < length) {
            last = buffers.take(Math.max(length, SHARED_BYTES)).limit(0);
            queue.add(last);
        }
        int end = last.limit();
        Codec.encode(message, last.limit(end + length).position(end));
        last.position(0);
        bytes += length;
    }

    /// Puts bytes before everything else.
    void addFirst(ByteBuffer first) {
        urgent.addFirst(first);
        bytes += first.remaining();
    }

    private static boolean isUrgent(Message message) {
        return switch (message) {
            case Message.Update _,
                    Message.PushPull _,
                    Message.Change _,
                    Message.Updated _,
                    Message.Pull _,
                    Message.Rows _,
                    Message.Compute _,
                    Message.Computed _,
                    Message.Follow _,
                    Message.Followed _,
                    Message.Refresh _,
                    Message.Unfollow _ -> false;
            case Message.Applied _,
                    Message.Refused _,
                    Message.UnknownKeys _,
                    Message.Held _,
                    Message.Fenced _,
                    Message.Join _,
                    Message.Placed _,
                    Message.Create _,
                    Message.Drop _,
                    Message.Laid _,
                    Message.Heartbeat _,
                    Message.Order _,
                    Message.Done _,
                    Message.Guide _,
                    Message.Guided _,
                    Message.Ask _,
                    Message.Given _ -> true;
        };
    }

    /// Writes as much as the channel takes; true if nothing is left.
    boolean writeTo(WritableByteChannel channel) throws IOException {
        while (next()) {
            int written = channel.write(current);
            sent.add(written);
            bytes -= written;
            if (current.hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    private boolean next() {
        if (current != null && current.hasRemaining()) {
            return true;
        }
        if (current != null) {
            buffers.give(current);
        }
        current = urgent.poll();
        if (current == null) {
            current = bulk.poll();
        }
        return current != null;
    }

    /// Drops everything.
    void clear() {
        urgent.clear();
        bulk.clear();
        current = null;
        bytes = 0;
    }
}
