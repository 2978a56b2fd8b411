package tandem.simulate;

import java.nio.ByteBuffer;
import java.util.TreeMap;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// Nodes in virtual time that can crash, stop, be cut off and go slow, and a network that loses, repeats and delays.
/// What becomes of a message depends on its link and its number there alone, so that leaving out one fault leaves the
/// others as they were.
final class FaultWorld {

    private static final long LATENCY = 200_000;
    private static final long JITTER = 300_000;
    private static final long LATE = 20_000_000;
    private static final long CLOGGED = 15_000_000;

    /// How much faster or slower than others a clock may run.
    private static final double DRIFT = 0.01;

    private final long seed;
    private final boolean encoded;
    private final EventQueue events = new EventQueue();
    private final TreeMap<Address, Node> nodes = new TreeMap<>();
    private final TreeMap<Way, Long> cuts = new TreeMap<>();
    private long nowNanos;
    private long lossUntil;
    private long repeatUntil;
    private long delayUntil;
    private long trace;
    private long steps;

    /// From one node to another.
    private record Way(Address from, Address to) implements Comparable<Way> {
        @Override
        public int compareTo(Way other) {
            int byFrom = from.compareTo(other.from);
            return byFrom != 0 ? byFrom : to.compareTo(other.to);
        }
    }

    FaultWorld(long seed, boolean encoded) {
        this.seed = seed;
        this.encoded = encoded;
    }

    long nowNanos() {
        return nowNanos;
    }

    long steps() {
        return steps;
    }

    /// A hash of all that happened, in its order.
    long trace() {
        return trace;
    }

    /// Adds a node, with a clock of its own.
    Node add(Address address, Party party) {
        Node node = new Node(address, party);
        nodes.put(address, node);
        return node;
    }

    boolean isUp(Address address) {
        Node node = nodes.get(address);
        return node != null && node.up;
    }

    void crash(Address address) {
        Node node = nodes.remove(address);
        if (node != null) {
            node.up = false;
        }
    }

    void pause(Address address, long untilNanos) {
        Node node = nodes.get(address);
        if (node != null) {
            node.pausedUntil = Math.max(node.pausedUntil, untilNanos);
        }
    }

    void clog(Address address, long untilNanos) {
        Node node = nodes.get(address);
        if (node != null) {
            node.cloggedUntil = Math.max(node.cloggedUntil, untilNanos);
        }
    }

    void cut(Address from, Address to, long untilNanos) {
        cuts.merge(new Way(from, to), untilNanos, Math::max);
    }

    void isolate(Address address, long untilNanos) {
        nodes.keySet().forEach(other -> {
            cut(address, other, untilNanos);
            cut(other, address, untilNanos);
        });
    }

    void lose(long untilNanos) {
        lossUntil = Math.max(lossUntil, untilNanos);
    }

    void repeat(long untilNanos) {
        repeatUntil = Math.max(repeatUntil, untilNanos);
    }

    void delay(long untilNanos) {
        delayUntil = Math.max(delayUntil, untilNanos);
    }

    /// Ends all that is wrong with the network and with nodes that are up.
    void heal() {
        cuts.clear();
        lossUntil = 0;
        repeatUntil = 0;
        delayUntil = 0;
        nodes.values().forEach(node -> {
            node.pausedUntil = 0;
            node.cloggedUntil = 0;
        });
    }

    /// Has something happen at a time.
    void at(long nanos, Runnable what) {
        events.add(nanos, what);
    }

    /// Lets the next thing happen, if it does before `untilNanos`; false if nothing does.
    boolean step(long untilNanos) {
        if (events.isEmpty() || events.nextNanos() > untilNanos) {
            nowNanos = Math.max(nowNanos, untilNanos);
            return false;
        }
        nowNanos = Math.max(nowNanos, events.nextNanos());
        steps++;
        switch (events.poll()) {
            case Delivery delivery -> deliver(delivery);
            case Wake wake -> wake(wake);
            case Runnable what -> what.run();
            default -> throw new IllegalStateException("no such event");
        }
        return true;
    }

    private record Delivery(Node to, Address from, Message message) {}

    private record Wake(Node node, long tag) {}

    private void deliver(Delivery delivery) {
        Node to = delivery.to;
        if (!to.up) {
            return;
        }
        if (to.pausedUntil > nowNanos) {
            events.add(to.pausedUntil, delivery);
            return;
        }
        note(to, delivery.message.getClass().getSimpleName().hashCode());
        to.party.receive(delivery.from, delivery.message, to.localNanos(), to);
    }

    private void wake(Wake wake) {
        Node node = wake.node;
        if (!node.up) {
            return;
        }
        if (node.pausedUntil > nowNanos) {
            events.add(node.pausedUntil, wake);
            return;
        }
        note(node, wake.tag);
        node.party.wake(wake.tag, node.localNanos(), node);
    }

    private void note(Node node, long what) {
        trace = Hash.number(trace ^ nowNanos, number(node.address) ^ Hash.number(1, what));
    }

    private static long number(Address address) {
        return 4L * address.number() + address.role().code();
    }

    /// A node and what is wrong with it.
    final class Node implements Outbox {

        private final Address address;
        private final Party party;
        private final TreeMap<Address, long[]> sent = new TreeMap<>();
        private final double rate;
        private final long origin;
        private boolean up = true;
        private long pausedUntil;
        private long cloggedUntil;

        Node(Address address, Party party) {
            this.address = address;
            this.party = party;
            long chance = Hash.number(seed, number(address));
            this.rate = 1 + DRIFT * (Hash.fraction(chance) - 0.5);
            this.origin = (chance >>> 8) % 1_000_000_000_000L;
        }

        /// The time on the node's own clock, which counts from anywhere and runs a little fast or slow.
        long localNanos() {
            return origin + (long) (nowNanos * rate);
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            double at = (nanos - origin) / rate;
            events.add(Math.max(nowNanos, at > 9e18 ? Long.MAX_VALUE : (long) at + 1), new Wake(this, tag));
        }

        @Override
        public void send(Address to, Message message) {
            Node receiver = nodes.get(to);
            long number = sent.computeIfAbsent(to, _ -> new long[1])[0]++;
            if (receiver == null) {
                return;
            }
            long chance = Hash.number(seed ^ Hash.number(number(address), number(to)), number);
            boolean isLost = nowNanos < lossUntil && Hash.fraction(Hash.number(chance, 1)) < 0.3;
            long cutUntil = cuts.isEmpty() ? 0 : cuts.getOrDefault(new Way(address, to), 0L);
            // What was under way on a connection that was cut off may still come once it is whole again.
            boolean isCut = cutUntil > nowNanos;
            if (isLost || isCut && Hash.fraction(Hash.number(chance, 2)) < 0.5) {
                return;
            }
            long leaves = isCut ? cutUntil : nowNanos;
            Message own = encoded ? throughBytes(message) : message.detached();
            arrive(receiver, own, leaves, Hash.number(chance, 3));
            if (nowNanos < repeatUntil && Hash.fraction(Hash.number(chance, 4)) < 0.3) {
                arrive(receiver, own.detached(), leaves, Hash.number(chance, 5));
            }
        }

        private void arrive(Node receiver, Message message, long leaves, long chance) {
            long takes = LATENCY + (long) (Hash.fraction(chance) * JITTER);
            if (nowNanos < delayUntil && Hash.fraction(Hash.number(chance, 1)) < 0.2) {
                takes += (long) (Hash.fraction(Hash.number(chance, 2)) * LATE);
            }
            if (nowNanos < Math.max(cloggedUntil, receiver.cloggedUntil)) {
                takes += CLOGGED;
            }
            events.add(leaves + takes, new Delivery(receiver, address, message));
        }
    }

    private static Message throughBytes(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Codec.length(message)));
        Codec.encode(message, bytes);
        return Codec.decode(bytes.flip(), Limits.DEFAULT);
    }
}
