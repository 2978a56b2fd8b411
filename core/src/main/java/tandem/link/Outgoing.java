package tandem.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import tandem.wire.Codec;
import tandem.wire.Frames;
import tandem.wire.Message;

/// Frames on their way to one peer, a limited number of bytes. Those without rows overtake those with, and short
/// questions overtake what is long; long messages go in pieces that others travel between. So a heartbeat does not wait
/// behind a model. Updates and answers keep their order. Guarded by the lock of its link.
final class Outgoing {

    /// Frames that fit into what is left of such a buffer share it.
    private static final int SHARED_BYTES = 1 << 14;

    /// How fast a peer has to read for a sender to wait until the channel takes more, instead of leaving that to the
    /// thread that reads: the switch to it takes longer than a fast peer needs, and pieces grow cold meanwhile.
    private static final int BYTES_A_NANO = 2;

    /// By how much of a hurry they are in: control, short questions, everything else.
    private final List<ArrayDeque<ByteBuffer>> queues =
            List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());

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

    /// Whether a message of so many bytes may wait too: if it fits, if it is the only one, or if it would never fit and
    /// little else waits.
    boolean admits(long length) {
        return bytes + length <= mostBytes || bytes == 0 || length > mostBytes && !isPressed();
    }

    /// Whether senders should wait before they send more.
    boolean isPressed() {
        return bytes > mostBytes / 2;
    }

    /// Adds a message whose frame would be so long.
    ///
    /// @param channel takes the pieces of a long message as they are made, while it can; null if it is not free
    void add(Message message, long length, WritableByteChannel channel) throws IOException {
        if (length > Codec.PIECE) {
            Through through = new Through(channel, length / BYTES_A_NANO);
            Codec.encode(message, through);
            if (through.failure != null) {
                throw through.failure;
            }
            return;
        }
        ArrayDeque<ByteBuffer> queue = queues.get(rank(message, length));
        ByteBuffer last = queue.peekLast();
        if (last == null || last.capacity() - last.limit() < length) {
            last = buffers.take(Math.max((int) length, SHARED_BYTES)).limit(0);
            queue.add(last);
        }
        int end = last.limit();
        Codec.encode(message, last.limit(end + (int) length).position(end));
        last.position(0);
        bytes += length;
    }

    /// Adds a frame of a long message, after those before it.
    void add(ByteBuffer frame) {
        queues.getLast().add(frame);
        bytes += frame.remaining();
    }

    /// Writes pieces while they are still in the processor's cache, and keeps those that the channel does not take.
    private final class Through implements Frames {

        private WritableByteChannel channel;
        private IOException failure;

        /// How long it may still wait for the channel, over the whole message.
        private long patienceNanos;

        Through(WritableByteChannel channel, long patienceNanos) {
            this.channel = channel;
            this.patienceNanos = patienceNanos;
        }

        @Override
        public ByteBuffer take(int length) {
            return buffers.take(length);
        }

        @Override
        public void give(ByteBuffer frame) {
            add(frame);
            try {
                channel = channel != null && drain() ? channel : null;
            } catch (IOException e) {
                failure = e;
                channel = null;
            }
        }

        private boolean drain() throws IOException {
            while (!writeTo(channel)) {
                long start = System.nanoTime();
                if (patienceNanos <= 0) {
                    return false;
                }
                Thread.yield();
                patienceNanos -= System.nanoTime() - start;
            }
            return true;
        }
    }

    /// Puts bytes before everything else.
    void addFirst(ByteBuffer first) {
        queues.getFirst().addFirst(first);
        bytes += first.remaining();
    }

    private static int rank(Message message, long length) {
        if (isUrgent(message)) {
            return 0;
        }
        Message said = message instanceof Message.Seated(int _, Message about) ? about : message;
        boolean asks =
                said instanceof Message.Pull || said instanceof Message.Settled || said instanceof Message.Compute;
        return asks && length <= SHARED_BYTES ? 1 : 2;
    }

    private static boolean isUrgent(Message message) {
        return switch (message) {
            case Message.Seated(int _, Message about) -> isUrgent(about);
            case Message.Update _,
                    Message.Ahead _,
                    Message.Rest _,
                    Message.Merged _,
                    Message.Forward _,
                    Message.Give _,
                    Message.Copy _,
                    Message.Whole _,
                    Message.PushPull _,
                    Message.Change _,
                    Message.Updated _,
                    Message.Pull _,
                    Message.Rows _,
                    Message.Compute _,
                    Message.Computed _,
                    Message.Follow _,
                    Message.Settled _,
                    Message.Followed _,
                    Message.Refresh _,
                    Message.Unfollow _,
                    Message.Piece _ -> false;
            case Message.Applied _,
                    Message.Stored _,
                    Message.Taken _,
                    Message.CaughtUp _,
                    Message.Claim _,
                    Message.Manage _,
                    Message.Managed _,
                    Message.Claimed _,
                    Message.Renew _,
                    Message.Renewed _,
                    Message.Refused _,
                    Message.UnknownKeys _,
                    Message.Meet _,
                    Message.Met _,
                    Message.Wanted _,
                    Message.Got _,
                    Message.Sent _,
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
        current = null;
        for (int rank = 0; current == null && rank < queues.size(); rank++) {
            current = queues.get(rank).poll();
        }
        return current != null;
    }

    /// Drops everything.
    void clear() {
        queues.forEach(ArrayDeque::clear);
        current = null;
        bytes = 0;
    }
}
