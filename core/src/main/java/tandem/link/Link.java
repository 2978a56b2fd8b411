package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tandem.wire.Codec;
import tandem.wire.Message;

/// One connection. Whoever sends writes at once; what the channel does not take waits, up to a limit, and what is
/// beyond the limit is dropped, so that a peer that does not read costs memory and time to nobody but itself. Who can
/// afford to wait asks [#awaitRoom] first. Any thread may send and close; one thread reads.
public final class Link implements Way {

    /// Less than this waits for the other answers to the same read.
    private static final int CORKED_BYTES = 1 << 15;

    /// What is read of one connection before others have their turn, how long bytes may be missing meanwhile, and how
    /// long to wait between two looks: each holds up the kernel, which is about to bring them.
    private static final int AT_ONCE_BYTES = 1 << 20;

    private static final long LOOK_NANOS = 50_000;
    private static final long PAUSE_NANOS = 5_000;

    private final Links links;
    private final SocketChannel channel;
    private final boolean accepted;

    /// What frames go through: the channel itself, or TLS over it, which is null if there is none.
    private final ByteChannel frames;

    private final TlsChannel tls;
    private final Greeting greeting;
    private final Incoming incoming;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private final Outgoing outgoing;

    /// Set once: who is at the ends, and when the connection stood and both were sure of it. Null and false until then.
    private volatile Hello hello;

    private volatile boolean connected;
    private volatile boolean closed;

    /// Why the other side is not who it should be; null if it is.
    private volatile String refusal;

    private SelectionKey key;
    private ByteBuffer firstWords = ByteBuffer.allocate(Hello.BYTES);
    private final long sinceNanos = System.nanoTime();

    /// What counts as waiting here among what waits over all connections.
    private long countedBytes;

    /// What counts as half here, likewise; of the reading thread.
    private long halfBytes;

    /// Whether what waits is flushed at the end of the read that is going on.
    private boolean corked;

    /// Whether nothing is read because the peer does not read; changed under the lock.
    private volatile boolean paused;

    /// Whether somebody has waited for room in vain.
    private boolean givenUp;

    /// One that somebody opened to here.
    Link(Links links, SocketChannel channel) {
        this(links, channel, null);
    }

    /// One that is being opened from here.
    Link(Links links, SocketChannel channel, Hello hello) {
        this.links = links;
        this.channel = channel;
        this.hello = hello;
        accepted = hello == null;
        tls = links.tls() == null ? null : new TlsChannel(channel, links.tls().engine(!accepted));
        greeting = tls == null ? null : new Greeting(tls, links.tls().trust(), hello);
        frames = tls == null ? channel : tls;
        incoming = new Incoming(links.limits().frames(), links.buffers(), links.room(), links.receivedBytes());
        outgoing = new Outgoing(links.buffers(), links.limits().queueBytes(), links.sentBytes());
        if (!accepted && tls == null) {
            outgoing.addFirst(hello.encode());
        }
    }

    /// Who opened it and for whom; null while it is not known.
    public Hello hello() {
        return hello;
    }

    /// Whether the other side opened it.
    public boolean isAccepted() {
        return accepted;
    }

    public boolean isClosed() {
        return closed;
    }

    /// Whether it ever stood, and both sides knew the secret if there is one.
    public boolean isConnected() {
        return connected;
    }

    /// Why the other side is not who it should be, if that is why it is closed; else null.
    public String refusal() {
        return refusal;
    }

    void refuse(String why) {
        refusal = why;
    }

    long ageNanos() {
        return System.nanoTime() - sinceNanos;
    }

    @Override
    public boolean send(Message message) {
        long length = Codec.length(message);
        if (length > links.limits().frames().frameBytes()) {
            throw new IllegalArgumentException("a message of " + length + " bytes; it may have at most "
                    + links.limits().frames().frameBytes() + ", so use smaller batches or more servers");
        }
        lock.lock();
        try {
            if (closed || !admits(length)) {
                return false;
            }
            boolean free = connected && (outgoing.bytes() == 0 || corked && links.isReading());
            outgoing.add(message, length, free ? frames : null);
            if (free && links.isReading() && outgoing.bytes() < CORKED_BYTES) {
                cork();
            } else if (free) {
                flush();
            }
            if (!corked) {
                count();
            }
            if (accepted && outgoing.isPressed()) {
                pause();
            }
            return true;
        } catch (IOException e) {
            links.close(this, e);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Whether so many bytes may wait too: nobody whose peer reads is refused because others do not.
    private boolean admits(long length) {
        return outgoing.admits(length) && (countedBytes == 0 || !links.areFull());
    }

    /// Has what waits here count, under the lock. What is written at once never does.
    private void count() {
        long more = outgoing.bytes() - countedBytes;
        if (more != 0) {
            countedBytes += more;
            links.waits(more);
        }
    }

    /// An empty buffer for [#sendPiece].
    ByteBuffer buffer(int bytes) {
        return links.buffers().take(bytes);
    }

    /// Sends the next frame of a long message. One that is dropped would spoil the message, so where there is no room
    /// for it the connection goes.
    void sendPiece(ByteBuffer frame) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!admits(frame.remaining())) {
                links.close(this, new IOException("the other side does not read"));
                return;
            }
            outgoing.add(frame);
            if (connected) {
                flush();
            }
            count();
        } finally {
            lock.unlock();
        }
    }

    /// Whoever opened this does not read its answers: no more of its questions are read until it does. Who opened one
    /// always reads, so no two wait for each other.
    private void pause() {
        if (!paused) {
            paused = true;
            key.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    /// Goes on where [#pause] stopped; on the reading thread.
    void resume() throws IOException {
        if (!closed && !paused) {
            incoming.deliver(this::take);
            countHalf();
            if (tls != null) {
                readOn();
            }
        }
    }

    private boolean take(Message message) {
        links.receive(this, message);
        return !paused;
    }

    /// Answers to what came in one read go out together.
    private void cork() {
        if (!corked) {
            corked = true;
            links.uncorkLater(this);
        }
    }

    /// Writes what waits; on the reading thread.
    void write() {
        lock.lock();
        try {
            if (!closed) {
                flush();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isPressed() {
        lock.lock();
        try {
            return outgoing.isPressed();
        } finally {
            lock.unlock();
        }
    }

    /// Once this was in vain nobody waits any more, until the peer has caught up after all.
    @Override
    public boolean awaitRoom(long nanos) throws InterruptedException {
        lock.lock();
        try {
            for (long left = nanos; !closed && !givenUp && outgoing.isPressed(); ) {
                left = drained.awaitNanos(left);
                givenUp = left <= 0;
            }
            return !givenUp;
        } finally {
            lock.unlock();
        }
    }

    private void flush() {
        corked = false;
        try {
            boolean done = (!connected || outgoing.writeTo(frames)) && (tls == null || tls.flush());
            count();
            if (!outgoing.isPressed()) {
                givenUp = false;
                drained.signalAll();
                if (paused) {
                    paused = false;
                    key.interestOpsOr(SelectionKey.OP_READ);
                    links.resumeLater(this);
                }
            }
            int interest = key.interestOps();
            if (done && (interest & SelectionKey.OP_WRITE) != 0) {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
            } else if (!done && (interest & SelectionKey.OP_WRITE) == 0) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                links.wake();
            }
        } catch (IOException | CancelledKeyException e) {
            links.close(this, e);
        }
    }

    /// From here on it takes part; on the reading thread.
    void register(SelectionKey own) {
        lock.lock();
        try {
            key = own;
        } finally {
            lock.unlock();
        }
    }

    /// Finishes connecting; on the reading thread.
    void connect() throws IOException {
        if (!channel.finishConnect()) {
            return;
        }
        lock.lock();
        try {
            connected = tls == null;
            key.interestOps(SelectionKey.OP_READ);
            flush();
        } finally {
            lock.unlock();
        }
        if (tls != null) {
            read();
        }
    }

    /// On the reading thread.
    void read() throws IOException {
        if (!connected && !(tls == null ? readHello() : greet())) {
            return;
        }
        if (tls != null) {
            if (!paused) {
                readFrames();
            }
            readOn();
            return;
        }
        // The rest of a long message is on its way: to be told that it is here costs more than to look.
        long last = System.nanoTime();
        for (int left = AT_ONCE_BYTES; left > 0 && !paused && !closed; ) {
            int read = readFrames();
            left -= read;
            if (!incoming.isHalfway()) {
                return;
            }
            long now = System.nanoTime();
            last = read > 0 ? now : last;
            if (now - last > LOOK_NANOS) {
                return;
            }
            while (read == 0 && System.nanoTime() - now < PAUSE_NANOS) {
                Thread.onSpinWait();
            }
        }
    }

    /// Reads what TLS has taken from the channel already: nothing else tells that it is there.
    private void readOn() throws IOException {
        while (!paused && !closed && tls.hasMore()) {
            if (tls.owes()) {
                write();
            }
            readFrames();
        }
    }

    private int readFrames() throws IOException {
        int read = incoming.read(frames, this::take);
        countHalf();
        return read;
    }

    /// Has what is here of a message that is not complete count; on the reading thread.
    private void countHalf() {
        countHalf(closed ? 0 : incoming.halfBytes());
    }

    /// What is half here of one that is closed goes soon.
    void forgetHalf() {
        countHalf(0);
    }

    private void countHalf(long now) {
        long more = now - halfBytes;
        if (more != 0) {
            halfBytes = now;
            links.arrives(more);
        }
    }

    /// Bytes that are here and are no message yet; for the reading thread.
    long halfBytes() {
        return halfBytes;
    }

    private boolean greet() throws IOException {
        Hello said;
        lock.lock();
        try {
            said = greeting.advance();
            connected = said != null;
            flush();
        } finally {
            lock.unlock();
        }
        if (said == null) {
            return false;
        }
        hello = said;
        links.trust(this);
        return true;
    }

    private boolean readHello() throws IOException {
        if (channel.read(firstWords) < 0) {
            throw new EOFException("closed by the other side before it said who it is");
        }
        if (firstWords.hasRemaining()) {
            return false;
        }
        hello = Hello.decode(firstWords.flip());
        connected = true;
        links.trust(this);
        return true;
    }

    /// Gives its memory back; on the reading thread, after it is closed.
    void release() {
        incoming.close();
        forgetHalf();
    }

    SocketChannel channel() {
        return channel;
    }

    /// Closes it; what waits is dropped. False if it was closed before.
    boolean shut() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            outgoing.clear();
            count();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            channel.close();
        } catch (IOException _) {
            // There is nothing left to save.
        }
        return true;
    }

    /// Closes it, as if it had broken.
    public void close() {
        links.close(this, new IOException("closed from here"));
    }
}
