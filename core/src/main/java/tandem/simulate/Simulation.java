package tandem.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.cluster.Ground;
import tandem.cluster.Traffic;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Values;

/// A cluster in virtual time. Parties and loops run one step at a time, in an order that follows from the seed
/// alone, so that a run can be repeated to the bit; [#trace] tells two runs apart.
public final class Simulation implements Ground {

    /// How long it takes to put a node in the place of another.
    private static final long REPLACED_NANOS = 500_000_000;

    private final long seed;
    private final Network network;
    private final Machines machines;
    private final Baton baton = new Baton();
    private final EventQueue events = new EventQueue();
    private final TreeMap<Address, Node> nodes = new TreeMap<>();

    /// By machine.
    private final TreeMap<Address, Line> lines = new TreeMap<>();

    private final List<Loop> loops = new ArrayList<>();
    private long nowNanos;
    private long trace;
    private long steps;
    private int running;
    private boolean started;

    /// @param machines how fast each node computes, and where it is: nodes of one machine share its line, and what they
    ///                 send each other takes no time and cannot be lost
    public Simulation(long seed, Network network, Machines machines) {
        this.seed = seed;
        this.network = network;
        this.machines = machines;
    }

    @Override
    public Outbox add(Address address, Party party) {
        Node node = new Node(address, party);
        Node before = nodes.put(address, node);
        if (before != null && !before.gone) {
            throw new IllegalArgumentException("there is " + address + " already");
        }
        party.start(nowNanos, node);
        return node;
    }

    @Override
    public void loop(Address address, Body body) {
        Loop loop = new Loop(nodes.get(address), body);
        loops.add(loop);
        if (started) {
            running++;
            loop.start();
        }
    }

    /// Has a node killed so long after the start: what is sent to it from then on is lost, and it does nothing any
    /// more. A moment later `then` may put another in its place.
    public void kill(Address address, Duration after, Runnable then) {
        events.add(after.toNanos(), new Kill(address));
        events.add(after.toNanos() + REPLACED_NANOS, then);
    }

    /// Runs until all loops have returned.
    public void run() {
        baton.run(this::schedule);
    }

    @Override
    public void run(Body coordinator) {
        loop(Address.COORDINATOR, coordinator);
        run();
    }

    /// A good deal longer than a message takes there and back.
    @Override
    public long resendNanos() {
        return Math.max(50_000_000, 8 * (network.latencyNanos() + network.jitterNanos()));
    }

    /// The virtual time.
    public long nowNanos() {
        return nowNanos;
    }

    /// How many events there were.
    public long steps() {
        return steps;
    }

    /// A hash of all that happened, in its order.
    public long trace() {
        return trace;
    }

    @Override
    public Traffic traffic(Address address) {
        Node node = nodes.get(address);
        return new Traffic(node.bytesSent, node.bytesReceived, node.bytesLocal);
    }

    private void schedule() {
        running = loops.size();
        started = true;
        for (Loop loop : loops) {
            loop.start();
        }
        while (running > 0) {
            if (events.isEmpty()) {
                throw new IllegalStateException(
                        "nothing can happen any more, yet " + running + " loops wait, among them that of " + waiting());
            }
            nowNanos = events.nextNanos();
            steps++;
            step(events.poll());
        }
    }

    private Address waiting() {
        return loops.stream().filter(loop -> !loop.over).findFirst().orElseThrow().node.address;
    }

    private void step(Object event) {
        switch (event) {
            case Kill(Address address) -> kill(nodes.get(address));
            case Runnable then -> then.run();
            case Delivery(Node to, Address _, Message _) when to.gone -> {}
            case Wake(Node node, long _) when node.gone -> {}
            case Resume(Loop loop) when loop.node.gone -> {}
            case Timeout(Loop loop) when loop.node.gone -> {}
            case Delivery(Node to, Address from, Message message) -> {
                note(
                        to.address,
                        number(from),
                        message.getClass().getSimpleName().hashCode());
                to.party.receive(from, message, nowNanos, to);
            }
            case Wake(Node node, long tag) -> {
                note(node.address, 1, tag);
                node.party.wake(tag, nowNanos, node);
            }
            case Resume(Loop loop) -> {
                note(loop.node.address, 2, 0);
                loop.resume();
            }
            case Timeout(Loop loop) -> loop.timeout();
            default -> throw new IllegalStateException("no such event: " + event);
        }
    }

    private void kill(Node node) {
        note(node.address, 3, 0);
        node.gone = true;
        for (Loop loop : loops) {
            if (loop.node == node && !loop.over) {
                loop.over = true;
                running--;
            }
        }
    }

    private void note(Address address, long one, long other) {
        trace = Hash.number(trace ^ nowNanos, Hash.number(number(address), one) ^ other);
    }

    /// Stands for an address, in every process alike, which the hash code of an enum does not.
    private static long number(Address address) {
        return 4L * address.number() + address.role().code();
    }

    private record Kill(Address address) {}

    private record Delivery(Node to, Address from, Message message) {}

    private record Wake(Node node, long tag) {}

    private record Resume(Loop loop) {}

    private record Timeout(Loop loop) {}

    /// What connects a machine with the others: carries one message after the other, there and back.
    private static final class Line {
        private long sentUntilNanos;
        private long receivedUntilNanos;
    }

    /// A node on the line of its machine.
    private final class Node implements Outbox {

        private final Address address;
        private final Party party;
        private final Line line;
        private long messagesSent;
        private long bytesSent;
        private long bytesReceived;

        /// To and from nodes of the same machine.
        private long bytesLocal;

        /// Whether it was killed.
        private boolean gone;

        Node(Address address, Party party) {
            this.address = address;
            this.party = party;
            this.line = lines.computeIfAbsent(machines.machine(address), _ -> new Line());
        }

        /// What is not needed any more is spoilt, so that who uses it all the same is found out.
        @Override
        public void release(Values values) {
            if (values instanceof Values.Floats(float[] array, int _, int _)) {
                Arrays.fill(array, Float.NaN);
            }
        }

        @Override
        public void send(Address to, Message message) {
            Node receiver = nodes.get(to);
            if (receiver == null) {
                return;
            }
            long bytes = Codec.length(message);
            if (line == receiver.line && receiver != this) {
                bytesLocal += bytes;
                receiver.bytesLocal += bytes;
                events.add(nowNanos, new Delivery(receiver, address, message.detached()));
                return;
            }
            bytesSent += bytes;
            long number = messagesSent++;
            long takes = Math.round(bytes * 1e9 / network.bytesPerSecond());
            line.sentUntilNanos = Math.max(nowNanos, line.sentUntilNanos) + takes;
            // What becomes of a message depends on its sender and number alone, so that leaving out one fault
            // leaves the others as they were.
            long chance = Hash.number(seed ^ Hash.number(address.role().code(), address.number()), number);
            if (Hash.fraction(chance) < network.loss()) {
                return;
            }
            Message own = message.detached();
            deliver(receiver, own, bytes, takes, Hash.number(chance, 1));
            if (Hash.fraction(Hash.number(chance, 2)) < network.duplication()) {
                deliver(receiver, own, bytes, takes, Hash.number(chance, 3));
            }
        }

        private void deliver(Node receiver, Message message, long bytes, long takes, long chance) {
            long arrives = line.sentUntilNanos
                    + network.latencyNanos()
                    + (long) (Hash.fraction(chance) * network.jitterNanos());
            receiver.line.receivedUntilNanos = Math.max(arrives, receiver.line.receivedUntilNanos + takes);
            receiver.bytesReceived += bytes;
            events.add(
                    network.jitterNanos() > 0 ? arrives : receiver.line.receivedUntilNanos,
                    new Delivery(receiver, address, message));
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            events.add(Math.max(nowNanos, nanos), new Wake(this, tag));
        }
    }

    /// A blocking loop, parked except while it holds the baton.
    private final class Loop implements Station {

        private final Node node;
        private final Body body;
        private final Baton.Runner runner;
        private Throwable failure;
        private boolean over;

        /// What it waits for, until when, and when the timeout event that is under way will come.
        private Ticket awaited;

        private long untilNanos;
        private long timeoutNanos = Long.MAX_VALUE;

        Loop(Node node, Body body) {
            this.node = node;
            this.body = body;
            this.runner = baton.loop(node.address.toString(), this::live);
        }

        void start() {
            events.add(nowNanos, new Resume(this));
        }

        private void live() {
            try {
                body.run(this);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            over = true;
        }

        void resume() {
            runner.run();
            switch (failure) {
                case null -> {}
                case Error e -> throw e;
                case RuntimeException e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
            running -= over ? 1 : 0;
        }

        @Override
        public <T> T turn(Turn<T> turn) {
            return turn.run(nowNanos, node);
        }

        @Override
        public boolean await(Ticket ticket, long until) {
            if (ticket.isDone() || until <= nowNanos) {
                return ticket.isDone();
            }
            awaited = ticket;
            untilNanos = until;
            ticket.wakes(() -> wakeUp(ticket));
            if (until < timeoutNanos) {
                timeoutNanos = until;
                events.add(until, new Timeout(this));
            }
            baton.pause();
            return ticket.isDone();
        }

        private void wakeUp(Ticket ticket) {
            if (awaited == ticket) {
                awaited = null;
                events.add(nowNanos, new Resume(this));
            }
        }

        /// One timeout event is under way at a time: if it comes too early, it is sent on.
        void timeout() {
            if (nowNanos < timeoutNanos) {
                return;
            }
            timeoutNanos = Long.MAX_VALUE;
            if (awaited == null) {
                return;
            }
            if (nowNanos < untilNanos) {
                timeoutNanos = untilNanos;
                events.add(untilNanos, new Timeout(this));
            } else {
                awaited = null;
                resume();
            }
        }

        @Override
        public long nowNanos() {
            return nowNanos;
        }

        @Override
        public void worked(long entries) {
            events.add(nowNanos + machines.nanos(node.address, entries), new Resume(this));
            baton.pause();
        }

        @Override
        public void worked(long entries, Ticket enough) {
            await(enough, nowNanos + machines.nanos(node.address, entries));
        }
    }
}
