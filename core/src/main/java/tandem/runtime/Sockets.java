package tandem.runtime;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.cluster.Ground;
import tandem.cluster.Traffic;
import tandem.link.Hello;
import tandem.link.Link;
import tandem.link.LinkLimits;
import tandem.link.Links;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Shaped;
import tandem.link.Trust;
import tandem.link.Way;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Rights;
import tandem.wire.Values;

/// The nodes of this process, in a cluster of processes that talk over sockets. A party's turns run on the thread that
/// reads, on that of the timers, or on that of its loop, whichever brings the work.
///
/// Nodes connect to the coordinator, whose place they are told, and to servers, whose places come with the layout.
/// Everyone else is answered on the connection that it opened.
public final class Sockets implements Ground, AutoCloseable {

    private static final Logger LOG = System.getLogger("tandem.runtime");

    /// How long a loop waits for a peer that does not read before it sends on, and what it sends is dropped.
    private static final long PRESSED_NANOS = 1_000_000_000;

    /// Messages are lost only with a connection.
    private static final long RESEND_NANOS = 250_000_000;

    private final Map<Address, Desk> desks = new ConcurrentHashMap<>();
    private final Loops loops = new Loops();
    private final Timers timers = new Timers(loops::fail);
    private final Links links;
    private final Place coordinator;

    /// Makes the network slower; null if it is not to be.
    private final Shaped shaped;

    /// The ground of the coordinator, and perhaps of others.
    public Sockets(Place listen, LinkLimits limits) throws IOException {
        this(listen, null, limits, Shape.NONE);
    }

    /// The same without anything to know others by, and so only for this machine.
    public Sockets(Place listen, Place coordinator, LinkLimits limits, Shape shape) throws IOException {
        this(listen, coordinator, null, limits, shape);
    }

    /// @param coordinator where the coordinator can be reached; null if it is here
    /// @param trust       what all nodes know each other by; null for nothing
    /// @param shape       how slow the network is made that it sends into
    public Sockets(Place listen, Place coordinator, Trust trust, LinkLimits limits, Shape shape) throws IOException {
        this.coordinator = coordinator;
        shaped = shape.isNone() ? null : new Shaped(shape, limits.queueBytes(), System::nanoTime);
        links = new Links(listen, trust, limits, new Reception());
        if (shaped != null) {
            shaped.start();
        }
    }

    /// Where the nodes of this process can be reached.
    public Place place() {
        return links.place();
    }

    @Override
    public Outbox add(Address address, Party party) {
        Desk desk = new Desk(address, party);
        if (coordinator != null) {
            desk.peer(Address.COORDINATOR).movesTo(coordinator);
        }
        desk.strand.start(() -> desks.putIfAbsent(address, desk) == null);
        return desk;
    }

    @Override
    public void loop(Address address, Body body) {
        Desk desk = desks.get(address);
        loops.add(desk.strand, _ -> body.run(new Patient(desk.strand, desk, links)));
    }

    @Override
    public void run(Body body) {
        Desk desk = desks.get(Address.COORDINATOR);
        loops.run(() -> body.run(new Patient(desk.strand, desk, links)));
    }

    /// Starts the loops, in a process without the coordinator, and returns when all have returned.
    public void run() {
        loops.run(() -> {});
    }

    @Override
    public Traffic traffic(Address node) {
        return new Traffic(links.sentBytes().sum(), links.receivedBytes().sum());
    }

    @Override
    public long resendNanos() {
        return RESEND_NANOS;
    }

    @Override
    public void close() {
        if (shaped != null) {
            shaped.close(); // what was said last has yet to go through the links
        }
        // Before the timers, so that nobody hears what becomes of nodes in the midst of something.
        links.close();
        timers.close();
    }

    /// Does something in a turn of a node that is here, on the calling thread.
    public <T> T turn(Address address, Station.Turn<T> turn) {
        return desks.get(address).strand.turn(turn);
    }

    /// Stops the loops here, because of something that happened outside; who runs them is told why.
    public void fail(Throwable why) {
        loops.fail(why);
    }

    /// Bytes that wait for other nodes to read them.
    public long waitingBytes() {
        return links.waitingBytes();
    }

    /// Breaks all connections, as a network might; how many there were.
    int sever() {
        return links.sever();
    }

    /// The outbox of one node.
    private final class Desk implements Outbox {

        private final Address address;
        private final Strand strand;
        private final Map<Address, Peer> peers = new ConcurrentHashMap<>();

        /// Who is behind with reading, if anybody.
        private volatile Way pressed;

        Desk(Address address, Party party) {
            this.address = address;
            strand = new Strand(address, party, this, this::refused);
        }

        Peer peer(Address other) {
            Peer known = peers.get(other);
            return known != null ? known : peers.computeIfAbsent(other, _ -> new Peer(new Hello(address, other)));
        }

        void connected(Link link) {
            Peer peer;
            do {
                peer = peer(link.hello().from());
                peer.connected(link);
            } while (peers.get(link.hello().from()) != peer); // forgotten meanwhile, because its last one closed
        }

        @Override
        public void send(Address to, Message message) {
            Desk here = desks.get(to);
            if (here != null) {
                here.note(message);
                here.strand.receive(address, message.detached());
                return;
            }
            Link link = peer(to).link(links);
            if (link != null) {
                Way way = shaped == null ? link : shaped.over(link);
                way.send(message);
                if (way.isPressed()) {
                    pressed = way;
                }
            }
        }

        @Override
        public void release(Values values) {
            if (values instanceof Values.Floats(float[] array, int _, int _)) {
                links.reuse(array);
            }
        }

        @Override
        public boolean takesAtOnce(Address to) {
            return shaped == null && !desks.containsKey(to);
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            timers.wakeAt(strand, nanos, tag);
        }

        /// Learns from a message where other nodes are.
        private void note(Message message) {
            switch (message) {
                case Message.Placed placed -> learn(Address.Role.SERVER, placed.places());
                case Message.Met met -> learn(Address.Role.WORKER, met.places());
                default -> {}
            }
        }

        /// A message from another process; waits if this node has too many before it.
        private void receive(Address from, Message message) {
            if (!Rights.allow(from.role(), message)) {
                throw new IllegalArgumentException(
                        "a " + message.getClass().getSimpleName() + ", which is not for a " + from.role() + " to say");
            }
            note(message);
            strand.receiveInTime(from, message);
        }

        /// A message made no sense here. Somebody else loses the connection; what the coordinator says is so,
        /// and a node that cannot do it has failed.
        private void refused(Address from, IllegalArgumentException why) {
            if (from.equals(Address.COORDINATOR)) {
                loops.fail(why);
                return;
            }
            complain(from, address, why);
            Peer peer = peers.get(from);
            if (peer != null) {
                peer.close();
            }
        }

        /// Remembers where other nodes can be found.
        private void learn(Address.Role role, String[] places) {
            for (int number = 0; number < places.length; number++) {
                Address other = new Address(role, number);
                if (places[number] != null && !desks.containsKey(other)) {
                    peer(other).movesTo(Place.of(places[number]));
                }
            }
        }

        /// Waits for whom this node is too fast for; outside all turns.
        private void awaitRoom() {
            Way slow = pressed;
            if (slow != null) {
                pressed = null;
                try {
                    slow.awaitRoom(PRESSED_NANOS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /// A loop's station. After a turn it waits, outside the turn, for peers that are behind with reading. A loop that
    /// waits for an answer reads it itself if it can: a switch of threads costs as much as the way there and back.
    private record Patient(Strand strand, Desk desk, Links links) implements Station, Strand.Idle {

        @Override
        public <T> T turn(Turn<T> turn) {
            T result = strand.turn(turn);
            desk.awaitRoom();
            return result;
        }

        @Override
        public boolean await(Ticket ticket, long untilNanos) {
            return strand.await(ticket, untilNanos, this);
        }

        @Override
        public void until(Ticket ticket, long untilNanos) {
            if (!links.readUntil(ticket::isDone, untilNanos)) {
                links.follow(untilNanos - nowNanos());
            }
        }

        @Override
        public void served() {
            links.served();
        }

        @Override
        public long nowNanos() {
            return strand.nowNanos();
        }
    }

    private static void complain(Address from, Address to, Exception why) {
        LOG.log(Level.WARNING, "closed the connection from " + from + " to " + to + ": " + why.getMessage());
    }

    /// The coordinator and this process do not take each other for nodes of one job.
    public static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /// Takes connections and messages.
    private final class Reception implements Links.Receiver {

        @Override
        public boolean admits(Link link) {
            Desk desk = desks.get(link.hello().to());
            if (desk == null) {
                return false;
            }
            desk.connected(link);
            return true;
        }

        @Override
        public void receive(Link link, Message message) {
            Hello hello = link.hello();
            try {
                if (link.isAccepted()) {
                    desks.get(hello.to()).receive(hello.from(), message);
                } else {
                    desks.get(hello.from()).receive(hello.to(), message);
                }
            } catch (IllegalArgumentException e) {
                complain(hello.from(), hello.to(), e);
                link.close();
            } catch (RuntimeException | Error e) {
                loops.fail(e);
            }
        }

        @Override
        public void closed(Link link) {
            Hello hello = link.hello();
            if (hello == null) {
                return;
            }
            if (link.refusal() != null && hello.to().equals(Address.COORDINATOR)) {
                loops.fail(new Refused("the connection to the coordinator at " + coordinator + ": " + link.refusal()));
            }
            Desk desk = desks.get(link.isAccepted() ? hello.to() : hello.from());
            if (desk != null) {
                Address other = link.isAccepted() ? hello.from() : hello.to();
                desk.peers.computeIfPresent(other, (_, peer) -> peer.closed(link) ? null : peer);
            }
        }
    }
}
