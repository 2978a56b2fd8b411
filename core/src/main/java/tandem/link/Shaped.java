package tandem.link;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import tandem.wire.Codec;
import tandem.wire.Frames;
import tandem.wire.Message;

/// Holds frames back until a network of a given [Shape] would have delivered them. The rate is a token bucket that
/// fills while nothing is sent, up to one frame; a frame leaves when its last byte is paid for, and a long message is
/// several. Any thread may use it.
public final class Shaped implements AutoCloseable {

    /// How long closing waits for what was sent before.
    private static final long LAST_NANOS = 1_000_000_000;

    private final Shape shape;
    private final long mostBytes;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private long waitingBytes;

    /// When the last byte of the frames so far is paid for.
    private long paidNanos;

    /// Whether nothing more is taken, and whether nothing leaves any more either.
    private boolean closing;

    private volatile boolean closed;
    private Thread thread;

    /// What leaves at a time: a message that is one frame, or a frame of a longer one.
    private record Frame(long dueNanos, long bytes, Link link, Message message, ByteBuffer piece) {

        void leave() {
            if (piece == null) {
                link.send(message);
            } else {
                link.sendPiece(piece);
            }
        }
    }

    /// @param mostBytes bytes that may wait; what is beyond is dropped
    /// @param clock     the time in nanoseconds
    public Shaped(Shape shape, long mostBytes, LongSupplier clock) {
        this.shape = shape;
        this.mostBytes = mostBytes;
        this.clock = clock;
        paidNanos = clock.getAsLong();
    }

    /// Starts the thread that lets frames go when they are due.
    public void start() {
        thread = Thread.ofPlatform().name("tandem-shaped").daemon().start(this::run);
    }

    /// A link, made slower.
    public Way over(Link link) {
        return new Over(link);
    }

    /// When a frame of so many bytes arrives that is sent now; from then on it is counted as sent.
    long send(long bytes) {
        paidNanos = Math.max(paidNanos, clock.getAsLong()) + Math.round(bytes * 1e9 / shape.bytesPerSecond());
        return paidNanos + shape.delayNanos();
    }

    private final class Over implements Way, Frames {

        private final Link link;

        Over(Link link) {
            this.link = link;
        }

        @Override
        public boolean send(Message message) {
            long bytes = Codec.length(message);
            lock.lock();
            try {
                if (closing || waitingBytes > 0 && waitingBytes + bytes > mostBytes) {
                    return false;
                }
                if (bytes <= Codec.PIECE) {
                    add(bytes, message.detached(), null);
                } else {
                    Codec.encode(message, this);
                }
                changed.signalAll();
                return true;
            } finally {
                lock.unlock();
            }
        }

        private void add(long bytes, Message message, ByteBuffer piece) {
            waitingBytes += bytes;
            waiting.add(new Frame(Shaped.this.send(bytes), bytes, link, message, piece));
        }

        @Override
        public ByteBuffer take(int bytes) {
            return link.buffer(bytes);
        }

        @Override
        public void give(ByteBuffer piece) {
            add(piece.remaining(), null, piece);
        }

        @Override
        public boolean isPressed() {
            lock.lock();
            try {
                return waitingBytes > mostBytes / 2;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean awaitRoom(long nanos) throws InterruptedException {
            lock.lock();
            try {
                long left = nanos;
                while (!closing && waitingBytes > mostBytes / 2 && left > 0) {
                    left = changed.awaitNanos(left);
                }
                return left > 0;
            } finally {
                lock.unlock();
            }
        }
    }

    private void run() {
        while (!closed) {
            Frame next = null;
            lock.lock();
            try {
                next = waiting.peek();
                long left = next == null ? TimeUnit.SECONDS.toNanos(1) : next.dueNanos - clock.getAsLong();
                if (left > 0) {
                    changed.awaitNanos(left);
                    continue;
                }
                waiting.remove();
                waitingBytes -= next.bytes;
                changed.signalAll();
            } catch (InterruptedException e) {
                return;
            } finally {
                lock.unlock();
            }
            next.leave();
        }
    }

    /// Takes nothing more, and returns when what was sent before has left, or a second later: a node that goes has
    /// said last what came of its last order, and somebody waits for that. The links must be open meanwhile.
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            for (long left = LAST_NANOS; thread != null && !waiting.isEmpty() && left > 0; ) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
            changed.signalAll();
            lock.unlock();
        }
        awaitLast();
    }

    /// The last frame is off the queue before it leaves.
    private void awaitLast() {
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
