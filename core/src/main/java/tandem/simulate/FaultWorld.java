package tandem.simulate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.ProtocolError;
import tandem.wire.Values;

/// Nodes in virtual time that can crash, stop, be cut off, go slow and be of another release, and a network that
/// loses, repeats and delays. What becomes of a message depends on its link and its number there alone, so that
/// leaving out one fault leaves the others as they were.
final class FaultWorld {

    private static final long LATENCY = 200_000;
    private static final long JITTER = 300_000;

    /// How late a message can be that others overtake; most are less so.
    private static final long LATE = 160_000_000;

    private static final long CLOGGED = 15_000_000;

    /// How long a slow node takes over each message.
    private static final long SLOW = 1_000_000;

    /// Where in a frame its version is, after its checksum and its length.
    private static final int VERSION_AT = 2 * Integer.BYTES;

    /// How much faster or slower than others a clock may run.
    private static final double DRIFT = 0.01;

    private final long seed;
    private final boolean encoded;
    private final EventQueue events = new EventQueue();
    private final TreeMap<Address, Node> nodes = new TreeMap<>();

    /// The same by [#number]; null where there is none.
    private Node[] numbered = new Node[64];

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
        int number = number(address);
        numbered = number < numbered.length ? numbered : Arrays.copyOf(numbered, 2 * number);
        numbered[number] = node;
        return node;
    }

    boolean isUp(Address address) {
        return find(address) != null;
    }

    /// Whether a node is up, is not held up, and can be heard by another.
    boolean isWell(Address address, Address other) {
        Node node = find(address);
        return node != null
                && Math.max(Math.max(node.pausedUntil, node.cloggedUntil), node.slowUntil) <= nowNanos
                && cutUntil(address, other) <= nowNanos;
    }

    void crash(Address address) {
        Node node = nodes.remove(address);
        if (node != null) {
            numbered[number(address)] = null;
            node.up = false;
        }
    }

    private Node find(Address address) {
        int number = number(address);
        return number < numbered.length ? numbered[number] : null;
    }

    void pause(Address address, long untilNanos) {
        Node node = find(address);
        if (node != null) {
            node.pausedUntil = Math.max(node.pausedUntil, untilNanos);
        }
    }

    void clog(Address address, long untilNanos) {
        Node node = find(address);
        if (node != null) {
            node.cloggedUntil = Math.max(node.cloggedUntil, untilNanos);
        }
    }

    void slow(Address address, long untilNanos) {
        Node node = find(address);
        if (node != null) {
            node.slowUntil = Math.max(node.slowUntil, untilNanos);
        }
    }

    /// Has the clock of a node jump ahead.
    void jump(Address address, long nanos) {
        Node node = find(address);
        if (node != null) {
            node.origin += nanos;
        }
    }

    /// Has a node speak another version of the format of frames than all others.
    void age(Address address) {
        find(address).old = true;
    }

    void cut(Address from, Address to, long untilNanos) {
        cuts.merge(new Way(from, to), untilNanos, Math::max);
    }

    private long cutUntil(Address from, Address to) {
        return cuts.isEmpty() ? 0 : cuts.getOrDefault(new Way(from, to), 0L);
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

    /// Ends all that is wrong with the network and with nodes that are up. What is late still comes late.
    void heal() {
        cuts.clear();
        lossUntil = 0;
        repeatUntil = 0;
        delayUntil = 0;
        nodes.values().forEach(node -> {
            node.pausedUntil = 0;
            node.cloggedUntil = 0;
            node.slowUntil = 0;
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
            case Delivery delivery -> arrive(delivery);
            case Node node -> node.goOn();
            case Wake wake -> wake(wake);
            case Runnable what -> what.run();
            default -> throw new IllegalStateException("no such event");
        }
        return true;
    }

    private record Delivery(Node to, Node from, Message message) {}

    private record Wake(Node node, long tag) {}

    private void arrive(Delivery delivery) {
        Node to = delivery.to;
        if (!to.up) {
            return;
        }
        if (to.isBusy()) {
            to.queue.add(delivery);
            to.comeBack();
        } else {
            deliver(delivery);
        }
    }

    private void deliver(Delivery delivery) {
        Node to = delivery.to;
        // The coordinator hears of the end of a connection with the end of the node that had it.
        if (!delivery.from.up && to.address.equals(Address.COORDINATOR)) {
            return;
        }
        if (to.slowUntil > nowNanos) {
            to.busyUntil = nowNanos + SLOW;
        }
        note(to, delivery.message.getClass().getSimpleName().hashCode());
        to.party.receive(delivery.from.address, delivery.message, to.localNanos(), to);
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

    private static int number(Address address) {
        return 4 * address.number() + address.role().code();
    }

    /// A node and what is wrong with it.
    final class Node implements Outbox {

        private final Address address;
        private final Party party;

        /// By the number of who they went to: the messages sent so far, and when the last of them arrives that does not
        /// overtake others.
        private long[] sent = new long[64];

        private long[] arriving = new long[64];

        /// What has arrived and waits until the node has time for it, and whether it will come back to that.
        private final ArrayDeque<Delivery> queue = new ArrayDeque<>();

        private boolean comesBack;
        private final double rate;
        private long origin;
        private boolean up = true;
        private boolean old;
        private long pausedUntil;
        private long cloggedUntil;
        private long slowUntil;
        private long busyUntil;

        Node(Address address, Party party) {
            this.address = address;
            this.party = party;
            long chance = Hash.number(seed, number(address));
            this.rate = 1 + DRIFT * (Hash.fraction(chance) - 0.5);
            this.origin = (chance >>> 8) % 1_000_000_000_000L;
        }

        private boolean isBusy() {
            return !queue.isEmpty() || Math.max(pausedUntil, busyUntil) > nowNanos;
        }

        private void comeBack() {
            if (!comesBack) {
                comesBack = true;
                events.add(Math.max(nowNanos, Math.max(pausedUntil, busyUntil)), this);
            }
        }

        /// Takes what has waited, until it has no time again.
        private void goOn() {
            comesBack = false;
            while (up && !queue.isEmpty() && Math.max(pausedUntil, busyUntil) <= nowNanos) {
                deliver(queue.poll());
            }
            if (up && !queue.isEmpty()) {
                comeBack();
            }
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

        /// What is not needed any more is spoilt, so that who uses it all the same is found out.
        @Override
        public void release(Values values) {
            if (values instanceof Values.Floats(float[] array, int _, int _)) {
                Arrays.fill(array, Float.NaN);
            }
        }

        @Override
        public void send(Address to, Message message) {
            Node receiver = find(to);
            int whom = number(to);
            if (whom >= sent.length) {
                sent = Arrays.copyOf(sent, 2 * whom);
                arriving = Arrays.copyOf(arriving, 2 * whom);
            }
            long number = sent[whom]++;
            if (receiver == null) {
                return;
            }
            long chance = Hash.number(seed ^ Hash.number(number(address), whom), number);
            boolean isLost = nowNanos < lossUntil && Hash.fraction(Hash.number(chance, 1)) < 0.3;
            long cutUntil = cutUntil(address, to);
            // What was under way on a connection that was cut off may still come once it is whole again.
            boolean isCut = cutUntil > nowNanos;
            if (isLost || isCut && Hash.fraction(Hash.number(chance, 2)) < 0.5) {
                return;
            }
            if (old != receiver.old) {
                refuse(message);
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
            if (nowNanos < Math.max(cloggedUntil, receiver.cloggedUntil)) {
                takes += CLOGGED;
            }
            int whom = number(receiver.address);
            long at = Math.max(leaves + takes, arriving[whom]);
            if (nowNanos < delayUntil && Hash.fraction(Hash.number(chance, 1)) < 0.2) {
                double late = Hash.fraction(Hash.number(chance, 2));
                at += (long) (late * late * late * LATE);
            } else {
                arriving[whom] = at;
            }
            events.add(at, new Delivery(receiver, this, message));
        }
    }

    /// The message as it is read from the bytes that it is sent as, which are noted.
    private Message throughBytes(Message message) {
        ByteBuffer bytes = bytes(message);
        trace = Hash.number(trace, bytes.getInt(0));
        return Codec.decode(bytes, Limits.DEFAULT);
    }

    private static ByteBuffer bytes(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Codec.length(message)));
        Codec.encode(message, bytes);
        return bytes.flip();
    }

    /// A frame of another version must be refused, however well it is made.
    private static void refuse(Message message) {
        ByteBuffer bytes = bytes(message).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(VERSION_AT, (byte) (Codec.VERSION - 1));
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(Integer.BYTES, bytes.limit() - Integer.BYTES));
        bytes.putInt(0, (int) checksum.getValue());
        try {
            Codec.decode(bytes, Limits.DEFAULT);
        } catch (ProtocolError e) {
            return;
        }
        throw new IllegalStateException("a frame of version " + (Codec.VERSION - 1) + " was read");
    }
}
