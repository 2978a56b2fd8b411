package tandem.link;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.ProtocolError;
import tandem.wire.Room;

/// All connections of a process, and the place it listens at. One thread at a time reads them all and hands on what
/// comes: a loop that waits for an answer anyway, so that no other thread has to wake it, and else a thread of their
/// own.
public final class Links implements AutoCloseable {

    private static final Logger LOG = System.getLogger("tandem.link");

    /// How long a loop that was served may take to come back before the thread reads again.
    private static final long LEFT_NANOS = 500_000;

    /// How long nothing more is said about bytes that make no sense, after something has been.
    private static final long QUIET_NANOS = 10_000_000_000L;

    /// How long a reader looks again and again for bytes before it sleeps, if the last ones came soon: to wake up
    /// takes as long, at both ends. Never where there is one processor, which others need to send at all.
    private static final long ALERT_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 50_000 : 0;

    private final LinkLimits limits;

    /// What connections go through; null for nothing.
    private final Tls tls;

    private final Receiver receiver;
    private final Buffers buffers = new Buffers();
    private final SharedRoom room = new SharedRoom();
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Place place;
    private final Thread thread;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Set<Link> all = ConcurrentHashMap.newKeySet();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();

    /// Bytes that wait for peers to read them, over all connections.
    private final AtomicLong waitingBytes = new AtomicLong();

    /// Bytes that are here and are no message yet, over all connections.
    private final AtomicLong halfBytes = new AtomicLong();

    private volatile boolean closed;

    /// Who reads just now, and how many loops wait meanwhile.
    private final AtomicReference<Thread> reader = new AtomicReference<>();

    private final AtomicInteger followers = new AtomicInteger();

    /// Whether the thread is to leave reading to a loop; its own.
    private boolean leaving;

    /// Connections that were closed because of what came, and when that was last complained of. Anybody can say
    /// anything, as often as it likes, and must not fill a log.
    private final AtomicInteger misfits = new AtomicInteger();

    private final AtomicLong complainedNanos = new AtomicLong();

    /// Of the reading thread: connections that have not said who they are, those from here whose other side has not
    /// proved who it is, and those with answers to send.
    private final Set<Link> pending = new LinkedHashSet<>();

    private final Set<Link> opening = new LinkedHashSet<>();

    private final ArrayDeque<Link> corked = new ArrayDeque<>();

    /// Likewise: whether the last bytes came soon, and until when the next ones would.
    private boolean alert;

    private long soonNanos;

    /// Whom connections and messages are for. Called on the reading thread, except for `closed`.
    public interface Receiver {

        /// Somebody has connected and said who it is; false closes the connection.
        boolean admits(Link link);

        void receive(Link link, Message message);

        /// A connection is closed, or could not be made.
        void closed(Link link);
    }

    /// Without anything to know others by, and so only for this machine.
    public Links(Place listen, LinkLimits limits, Receiver receiver) throws IOException {
        this(listen, null, limits, receiver);
    }

    /// @param trust what both ends of every connection know each other by, which then goes through TLS; null for
    /// nothing
    public Links(Place listen, Trust trust, LinkLimits limits, Receiver receiver) throws IOException {
        this.limits = limits;
        this.receiver = receiver;
        listener = listen.listen();
        place = Place.at(listener);
        if (trust == null && !place.isLocal()) {
            listener.close();
            throw new IllegalArgumentException("asked to listen at " + listen + ", which other machines can reach,"
                    + " without a secret or certificates; anybody there could read and change what is learned. Give all"
                    + " nodes the same --secret-file, or certificates of one authority (--tls-ca), or listen at"
                    + " 127.0.0.1");
        }
        tls = trust == null ? null : new Tls(trust);
        selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread = Thread.ofPlatform().name("tandem-links").daemon().start(this::run);
    }

    /// Where it really listens.
    public Place place() {
        return place;
    }

    Tls tls() {
        return tls;
    }

    LinkLimits limits() {
        return limits;
    }

    Buffers buffers() {
        return buffers;
    }

    Room room() {
        return room;
    }

    /// Takes an array of a message that nobody needs any more, for other messages.
    public void reuse(float[] array) {
        room.keep(array);
    }

    /// Connects to a place. What is sent before the connection stands waits for it.
    public Link connect(Place to, Hello hello) throws IOException {
        Link link = new Link(this, to.connect(), hello);
        all.add(link);
        jobs.add(() -> register(link, SelectionKey.OP_CONNECT));
        selector.wakeup();
        return link;
    }

    /// Whether this is the reading thread, in the middle of a read.
    boolean isReading() {
        return Thread.currentThread().equals(reader.get());
    }

    /// Reads on this thread until `done`, or until the time is `untilNanos`; false at once if another thread reads, and
    /// then this one is to be woken.
    public boolean readUntil(BooleanSupplier done, long untilNanos) {
        if (closed || !reader.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        try {
            for (long left; !done.getAsBoolean() && !closed && (left = untilNanos - System.nanoTime()) > 0; ) {
                round(left / 1_000_000 + 1);
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
        } finally {
            reader.set(null);
            if (followers.get() > 0) {
                LockSupport.unpark(thread);
            }
        }
        return true;
    }

    /// Waits to be woken while another thread reads.
    public void follow(long nanos) {
        followers.incrementAndGet();
        try {
            if (reader.get() != null) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            followers.decrementAndGet();
        }
    }

    /// Says that a loop has what it waited for. It may be back soon, so if the thread of the links reads just now, it
    /// leaves reading to the loop for a while.
    public void served() {
        if (Thread.currentThread().equals(thread)) {
            leaving = true;
        }
    }

    void uncorkLater(Link link) {
        corked.add(link);
    }

    /// Goes on with what was read from a link before it paused.
    void resumeLater(Link link) {
        jobs.add(() -> {
            try {
                link.resume();
            } catch (IOException | RuntimeException e) {
                close(link, e);
            }
            uncork();
        });
        wake();
    }

    void wake() {
        if (!isReading()) {
            selector.wakeup();
        }
    }

    private void run() {
        // Not the field, which this thread may be too early to see.
        Thread me = Thread.currentThread();
        while (!closed || !reader.compareAndSet(null, me)) {
            if (!reader.compareAndSet(null, me)) {
                LockSupport.parkNanos(this, LEFT_NANOS);
                continue;
            }
            leaving = false;
            while (!closed && !leaving) {
                round(0);
            }
            reader.set(null);
            if (!closed && followers.get() == 0) {
                LockSupport.parkNanos(this, LEFT_NANOS);
            }
        }
        // Last words, such as that an order is carried out, may still wait for the end of a read.
        all.stream().filter(Link::isConnected).forEach(Link::write);
        all.forEach(link -> close(link, new IOException("this node goes")));
        try {
            listener.close();
            selector.close();
            place.leave();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot leave " + place + ": " + e.getMessage(), e);
        }
    }

    /// Waits for bytes, at most so long (0: for ever), and does what they ask for; on the reading thread.
    private void round(long millis) {
        try {
            long most = pending.isEmpty() && opening.isEmpty()
                    ? millis
                    : limits.hello().toMillis() / 4 + 1;
            await(millis == 0 ? most : Math.min(millis, most));
            uncork();
            for (Runnable job; (job = jobs.poll()) != null; ) {
                job.run();
            }
            expire();
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.ERROR, "reading from other nodes failed; please report this", e);
        }
    }

    private void await(long millis) throws IOException {
        long start = System.nanoTime();
        while (alert && System.nanoTime() - start < ALERT_NANOS) {
            if (selector.selectNow(this::ready) > 0 || closed || !jobs.isEmpty()) {
                return;
            }
            Thread.yield();
        }
        alert = false;
        soonNanos = start + 2 * ALERT_NANOS;
        selector.select(this::ready, millis);
    }

    private void ready(SelectionKey key) {
        alert |= System.nanoTime() - soonNanos < 0;
        if (key.attachment() == null) {
            accept();
            return;
        }
        Link link = (Link) key.attachment();
        try {
            int ready = key.readyOps();
            if ((ready & SelectionKey.OP_CONNECT) != 0) {
                link.connect();
            }
            if ((ready & SelectionKey.OP_WRITE) != 0) {
                link.write();
            }
            if ((ready & SelectionKey.OP_READ) != 0) {
                link.read();
            }
        } catch (IOException | RuntimeException e) {
            close(link, e);
        }
        uncork();
    }

    private void uncork() {
        for (Link link; (link = corked.poll()) != null; ) {
            link.write();
        }
    }

    private void accept() {
        try {
            for (SocketChannel channel; (channel = listener.accept()) != null; ) {
                if (pending.size() >= limits.pending() || all.size() >= limits.connections()) {
                    channel.close();
                    continue;
                }
                channel.configureBlocking(false);
                Place.prepare(channel);
                Link link = new Link(this, channel);
                all.add(link);
                pending.add(link);
                register(link, SelectionKey.OP_READ);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot take a connection at " + place + ": " + e.getMessage(), e);
        }
    }

    private void register(Link link, int interest) {
        try {
            link.register(link.channel().register(selector, interest, link));
            if (!link.isAccepted() && tls != null) {
                opening.add(link);
            }
            if (!link.isAccepted() && link.channel().isConnected()) {
                link.connect();
            }
        } catch (IOException | RuntimeException e) {
            close(link, e);
        }
    }

    /// Closes connections that have not said in time who they are.
    private void expire() {
        expire(pending);
        expire(opening);
    }

    private void expire(Set<Link> among) {
        if (among.isEmpty()) {
            return;
        }
        List<Link> late = new ArrayList<>();
        for (Link link : among) {
            if (link.isClosed() || link.ageNanos() > limits.hello().toNanos()) {
                late.add(link);
            }
        }
        late.forEach(link -> close(link, new ProtocolError("it did not say who it is in time")));
        late.forEach(among::remove);
    }

    /// Both sides know who the other is.
    void trust(Link link) {
        pending.remove(link);
        opening.remove(link);
        if (link.isAccepted() && !receiver.admits(link)) {
            throw new ProtocolError("it wants to reach " + link.hello().to() + ", which is not here");
        }
    }

    void receive(Link link, Message message) {
        if (!link.isClosed()) {
            receiver.receive(link, message);
        }
    }

    /// Any thread.
    void close(Link link, Exception why) {
        if (!link.shut()) {
            return;
        }
        all.remove(link);
        if (why instanceof Greeting.Unproven) {
            link.refuse(why.getMessage());
        }
        String who = link.hello() == null
                ? "somebody"
                : link.hello().from() + " to " + link.hello().to();
        switch (why) {
            case Greeting.Unproven e ->
                LOG.log(
                        isToldElsewhere(link) ? Level.DEBUG : Level.WARNING,
                        "closed the connection from " + who + ": " + e.getMessage());
            case IOException e -> LOG.log(Level.DEBUG, "the connection from " + who + " is gone: " + e.getMessage());
            case CancelledKeyException _ -> LOG.log(Level.DEBUG, "the connection from " + who + " is gone");
            case ProtocolError e ->
                LOG.log(
                        isWorthAWarning() ? Level.WARNING : Level.DEBUG,
                        "closed the connection from " + who + ": " + e.getMessage());
            default -> LOG.log(Level.ERROR, "closed the connection from " + who + "; please report this", why);
        }
        jobs.add(() -> {
            pending.remove(link);
            opening.remove(link);
        });
        jobs.add(link::release);
        // A channel that was registered goes away with the next selection.
        selector.wakeup();
        receiver.closed(link);
    }

    /// A node that the coordinator refuses, or that refuses it, ends and says so.
    private static boolean isToldElsewhere(Link link) {
        return !link.isAccepted() && link.hello().to().equals(Address.COORDINATOR);
    }

    private boolean isWorthAWarning() {
        long now = System.nanoTime();
        long last = complainedNanos.get();
        return (misfits.getAndIncrement() == 0 || now - last > QUIET_NANOS) && complainedNanos.compareAndSet(last, now);
    }

    /// Bytes that wait for peers to read them, over all connections.
    public long waitingBytes() {
        return waitingBytes.get();
    }

    /// More bytes wait, or less.
    void waits(long more) {
        waitingBytes.addAndGet(more);
    }

    /// Whether so much waits that a peer for which something waits gets no more.
    boolean areFull() {
        return waitingBytes.get() >= limits.allBytes();
    }

    /// Bytes that are here and are no message yet, over all connections.
    public long halfBytes() {
        return halfBytes.get();
    }

    /// More bytes are half here, or less; on the reading thread. Where they are too many, the connection goes that has
    /// brought most of them, and its peer has to send again what it was about.
    void arrives(long more) {
        if (halfBytes.addAndGet(more) > limits.halfBytes() && more > 0) {
            all.stream().max(Comparator.comparingLong(Link::halfBytes)).ifPresent(this::closeHalfway);
        }
    }

    private void closeHalfway(Link most) {
        close(
                most,
                new ProtocolError(most.halfBytes() + " bytes of a message that is not complete have come from it, and "
                        + halfBytes + " from all; at most " + limits.halfBytes() + " may wait. If all of them mean"
                        + " well, have fewer nodes, or smaller batches"));
        most.forgetHalf();
    }

    /// Bytes written to connections so far.
    public LongAdder sentBytes() {
        return sentBytes;
    }

    /// Bytes read from connections so far.
    public LongAdder receivedBytes() {
        return receivedBytes;
    }

    /// Breaks all connections, as a network might; how many there were.
    public int sever() {
        int before = all.size();
        all.forEach(Link::close);
        return before;
    }

    /// Closes all connections and stops listening.
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
