package tandem.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import tandem.link.Place;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.ProtocolError;

/// A TCP network between nodes that can be made bad: a door for each node, behind which it really listens. Who knocks
/// says first who it is, so trouble can be made for each pair of nodes and each direction. For nodes without a secret:
/// what is inside TLS it cannot tell apart. Any thread may use it.
final class BadNetwork implements AutoCloseable {

    private static final int HELLO = 32;

    private final Map<Way, Trouble> troubles = new ConcurrentHashMap<>();
    private final Map<Address, ServerSocketChannel> doors = new ConcurrentHashMap<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder harmed = new LongAdder();
    private volatile Trouble everywhere = Trouble.NONE;
    private volatile boolean closed;

    /// From whom to whom, whoever opened the connection.
    private record Way(Address from, Address to) {

        Way back() {
            return new Way(to, from);
        }
    }

    /// Two halves of one connection.
    private record Connection(Way way, SocketChannel opener, SocketChannel listener) implements AutoCloseable {

        @Override
        public void close() {
            shut(opener);
            shut(listener);
        }
    }

    /// Opens a door for a node that listens, or will listen, at `there`. Trouble that was made for a node before it
    /// came is not its own.
    ///
    /// @param host the address of this machine that the door is at
    /// @return where the node can be reached through this network
    Place open(Address node, String host, Place.Tcp there) throws IOException {
        ServerSocketChannel door = new Place.Tcp(host, 0).listen();
        door.configureBlocking(true);
        ServerSocketChannel before = doors.put(node, door);
        if (before != null) {
            before.close();
            troubles.keySet().removeIf(way -> way.from.equals(node) || way.to.equals(node));
            changed();
        }
        Thread.ofVirtual().start(() -> attend(door, there));
        return Place.at(door);
    }

    /// Makes trouble for all that `from` says to `to`, until told otherwise.
    void set(Address from, Address to, Trouble trouble) {
        troubles.put(new Way(from, to), trouble);
        changed();
    }

    /// The same for all ways that have no trouble of their own.
    void setAll(Trouble trouble) {
        everywhere = trouble;
        changed();
    }

    /// Ends all trouble.
    void heal() {
        troubles.clear();
        setAll(Trouble.NONE);
    }

    private synchronized void changed() {
        notifyAll();
        connections.stream()
                .filter(one -> isCut(one.way) || isCut(one.way.back()))
                .forEach(one -> {
                    harmed.increment();
                    one.close();
                });
    }

    private boolean isCut(Way way) {
        return trouble(way) instanceof Trouble.Cut;
    }

    private Trouble trouble(Way way) {
        return troubles.getOrDefault(way, everywhere);
    }

    /// Frames that were changed or lost, and connections that were cut, so far.
    long harmed() {
        return harmed.sum();
    }

    private void attend(ServerSocketChannel door, Place.Tcp there) {
        try {
            while (true) {
                SocketChannel opener = door.accept();
                Thread.ofVirtual().start(() -> introduce(opener, there));
            }
        } catch (IOException _) {
            // The door is closed.
        }
    }

    /// Hears who it is and connects it to the node behind the door.
    private void introduce(SocketChannel opener, Place.Tcp there) {
        ByteBuffer hello = ByteBuffer.allocate(HELLO).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (hello.hasRemaining()) {
                if (opener.read(hello) < 0) {
                    throw new IOException("closed before it said who it is");
                }
            }
            Way way = new Way(address(hello, 8), address(hello, 16));
            if (isCut(way) || isCut(way.back())) {
                throw new IOException("cut");
            }
            SocketChannel listener = SocketChannel.open(new InetSocketAddress(there.host(), there.port()));
            Connection connection = new Connection(way, opener, listener);
            connections.add(connection);
            Place.prepare(opener);
            Place.prepare(listener);
            if (closed || isCut(way) || isCut(way.back())) { // since it was looked at last
                end(connection);
                return;
            }
            passable(way);
            write(hello.flip(), listener);
            Thread.ofVirtual().start(() -> pass(listener, opener, way.back(), connection));
            pass(opener, listener, way, connection);
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException _) {
            shut(opener); // as if nobody were there, or for one who is no node
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Address address(ByteBuffer hello, int at) {
        return new Address(Address.Role.values()[hello.getInt(at)], hello.getInt(at + 4));
    }

    /// Passes frames on, each as the trouble of the moment has it, until one side closes.
    private void pass(SocketChannel from, SocketChannel to, Way way, Connection connection) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Codec.PIECE).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (from.read(bytes) >= 0) {
                bytes.flip();
                int length;
                while ((length = Codec.frameLength(bytes, Limits.DEFAULT)) >= 0 && length <= bytes.remaining()) {
                    ByteBuffer frame = bytes.slice(bytes.position(), length);
                    bytes.position(bytes.position() + length);
                    if (arrives(frame, passable(way))) {
                        write(frame, to);
                    }
                }
                bytes.compact();
            }
        } catch (IOException | ProtocolError _) {
            // Either end has closed it, or is no node.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            end(connection);
        }
    }

    /// Waits while there is a hole; the trouble there is then.
    private Trouble passable(Way way) throws InterruptedException, IOException {
        Trouble trouble = trouble(way);
        if (trouble instanceof Trouble.Hole) {
            synchronized (this) {
                while (!closed && (trouble = trouble(way)) instanceof Trouble.Hole) {
                    wait();
                }
            }
        }
        return trouble;
    }

    /// Does to a frame what is to be done to it; false if that is the end of it.
    private boolean arrives(ByteBuffer frame, Trouble trouble) throws InterruptedException, IOException {
        return switch (trouble) {
            case Trouble.None(), Trouble.Hole() -> true;
            case Trouble.Delay(Duration time) -> {
                Thread.sleep(time);
                yield true;
            }
            case Trouble.Rate(long bytesPerSecond) -> {
                Thread.sleep(Duration.ofNanos(Math.round(frame.remaining() * 1e9 / bytesPerSecond)));
                yield true;
            }
            case Trouble.Cut() -> throw new IOException("cut");
            case Trouble.Flip(double share) -> {
                if (strikes(share)) {
                    int bit = ThreadLocalRandom.current().nextInt(8 * frame.remaining());
                    frame.put(bit / 8, (byte) (frame.get(bit / 8) ^ 1 << bit % 8));
                }
                yield true;
            }
            case Trouble.Loss(double share) -> !strikes(share);
        };
    }

    private boolean strikes(double share) {
        boolean strikes = ThreadLocalRandom.current().nextDouble() < share;
        if (strikes) {
            harmed.increment();
        }
        return strikes;
    }

    private static void write(ByteBuffer bytes, SocketChannel to) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private void end(Connection connection) {
        connections.remove(connection);
        connection.close();
    }

    private static void shut(AutoCloseable channel) {
        try {
            channel.close();
        } catch (Exception _) {
            // There is nothing left to save.
        }
    }

    @Override
    public void close() {
        closed = true;
        doors.values().forEach(BadNetwork::shut);
        connections.forEach(Connection::close);
        heal();
    }
}
