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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import tandem.wire.Message;
import tandem.wire.ProtocolError;

/// All connections of a process, and the place it listens at. One thread reads them all and hands on what comes;
/// it never waits for anything but bytes.
public final class Links implements AutoCloseable {

    private static final Logger LOG = System.getLogger("tandem.link");

    private final LinkLimits limits;
    private final Receiver receiver;
    private final Buffers buffers = new Buffers();
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Place place;
    private final Thread thread;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Set<Link> all = ConcurrentHashMap.newKeySet();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();
    private volatile boolean closed;

    /// Connections that were not from nodes. The first is worth a warning; more could fill a log.
    private final AtomicInteger strangers = new AtomicInteger();

    /// Of the reading thread: connections that have not said who they are, and those with answers to send.
    private final Set<Link> pending = new LinkedHashSet<>();

    private final ArrayDeque<Link> corked = new ArrayDeque<>();

    /// Whom connections and messages are for. Called on the reading thread, except for `closed`.
    public interface Receiver {

        /// Somebody has connected and said who it is; false closes the connection.
        boolean admits(Link link);

        void receive(Link link, Message message);

        /// A connection is closed, or could not be made.
        void closed(Link link);
    }

    public Links(Place listen, LinkLimits limits, Receiver receiver) throws IOException {
        this.limits = limits;
        this.receiver = receiver;
        selector = Selector.open();
        listener = listen.listen();
        place = Place.at(listener);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread = Thread.ofPlatform().name("tandem-links").daemon().start(this::run);
    }

    /// Where it really listens.
    public Place place() {
        return place;
    }

    LinkLimits limits() {
        return limits;
    }

    Buffers buffers() {
        return buffers;
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
        return Thread.currentThread().equals(thread);
    }

    void uncorkLater(Link link) {
        corked.add(link);
    }

    /// Goes on with what was read from a link before it paused.
    void resumeLater(Link link) {
        jobs.add(() -> {
            try {
                link.resume();
            } catch (RuntimeException e) {
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
        while (!closed) {
            try {
                selector.select(
                        this::ready, pending.isEmpty() ? 0 : limits.hello().toMillis() / 4 + 1);
                uncork();
                for (Runnable job; (job = jobs.poll()) != null; ) {
                    job.run();
                }
                expire();
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.ERROR, "reading from other nodes failed; please report this", e);
            }
        }
        all.forEach(link -> close(link, new IOException("this node goes")));
        try {
            listener.close();
            selector.close();
            place.leave();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot leave " + place + ": " + e.getMessage(), e);
        }
    }

    private void ready(SelectionKey key) {
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
            if (!link.isAccepted() && link.channel().isConnected()) {
                link.connect();
            }
        } catch (IOException | RuntimeException e) {
            close(link, e);
        }
    }

    /// Closes connections that have not said in time who they are.
    private void expire() {
        if (pending.isEmpty()) {
            return;
        }
        List<Link> late = new ArrayList<>();
        for (Link link : pending) {
            if (link.isClosed() || link.ageNanos() > limits.hello().toNanos()) {
                late.add(link);
            }
        }
        late.forEach(link -> close(link, new ProtocolError("it did not say who it is in time")));
        late.forEach(pending::remove);
    }

    void admit(Link link) {
        pending.remove(link);
        if (!receiver.admits(link)) {
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
        String who = link.hello() == null
                ? "somebody"
                : link.hello().from() + " to " + link.hello().to();
        switch (why) {
            case IOException e -> LOG.log(Level.DEBUG, "the connection from " + who + " is gone: " + e.getMessage());
            case CancelledKeyException _ -> LOG.log(Level.DEBUG, "the connection from " + who + " is gone");
            case ProtocolError e ->
                LOG.log(
                        link.hello() == null && strangers.getAndIncrement() > 0 ? Level.DEBUG : Level.WARNING,
                        "closed the connection from " + who + ": " + e.getMessage());
            default -> LOG.log(Level.ERROR, "closed the connection from " + who + "; please report this", why);
        }
        jobs.add(() -> pending.remove(link));
        jobs.add(link::release);
        // A channel that was registered goes away with the next selection.
        selector.wakeup();
        receiver.closed(link);
    }

    /// Bytes that wait for peers to read them, over all connections.
    public long waitingBytes() {
        return all.stream().mapToLong(Link::waitingBytes).sum();
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
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
