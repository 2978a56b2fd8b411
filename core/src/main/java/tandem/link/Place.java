package tandem.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where a node can be reached: `tcp:host:port`, or `unix:/path` on the same machine, which is about twice as fast.
public sealed interface Place {

    /// The buffer of a Unix socket.
    int UNIX_BYTES = 1 << 20;

    /// Any free port of this machine that other machines cannot reach.
    static Place loopback() {
        return new Tcp("127.0.0.1", 0);
    }

    /// A host and port; port 0 listens at any free one.
    record Tcp(String host, int port) implements Place {

        public Tcp {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port " + port + "; ports are 0 to 65535, 0 for any free one");
            }
        }

        /// Reads `host:port`, as users write it.
        public static Tcp of(String option, String text) {
            int colon = text.lastIndexOf(':');
            try {
                if (colon > 0) {
                    return new Tcp(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
                }
            } catch (NumberFormatException _) {
                // said below
            }
            throw new IllegalArgumentException(
                    option + " is \"" + text + "\"; write HOST:PORT, such as 192.0.2.7:7000");
        }

        /// Refuses a host that others cannot be told: all addresses of a machine are no address.
        public void checkReachable() {
            try {
                if (InetAddress.getByName(host).isAnyLocalAddress()) {
                    throw new IllegalArgumentException("asked to listen at " + host
                            + ", which is every address of this machine; name the one that other nodes reach it at");
                }
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(
                        "asked to listen at " + host + ", which is no known host; give an address of this machine", e);
            }
        }

        /// The same host at any free port.
        public Tcp anyPort() {
            return new Tcp(host, 0);
        }

        @Override
        public String toString() {
            return "tcp:" + host + ":" + port;
        }
    }

    /// A socket in the file system.
    record Unix(Path path) implements Place {

        @Override
        public String toString() {
            return "unix:" + path;
        }
    }

    /// Reads a place as it is written.
    static Place of(String text) {
        int colon = text.lastIndexOf(':');
        if (text.startsWith("unix:") && text.length() > 5) {
            return new Unix(Path.of(text.substring(5)));
        }
        if (text.startsWith("tcp:") && colon > 4) {
            try {
                return new Tcp(text.substring(4, colon), Integer.parseInt(text.substring(colon + 1)));
            } catch (NumberFormatException _) {
                // said below
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no place; write tcp:host:port or unix:/path");
    }

    private SocketAddress address() {
        return switch (this) {
            case Tcp(String host, int port) -> new InetSocketAddress(host, port);
            case Unix(Path path) -> UnixDomainSocketAddress.of(path);
        };
    }

    /// A listening channel that does not block. Others than this machine can reach it only at a host of their own
    /// network.
    default ServerSocketChannel listen() throws IOException {
        ServerSocketChannel channel = this instanceof Unix
                ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                : ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            leave(); // whoever had it before may have died
            channel.bind(address(), 256);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("cannot listen at " + this + ": " + e.getMessage() + "; choose another place", e);
        }
    }

    /// The place that a listening channel is really at.
    static Place at(ServerSocketChannel channel) throws IOException {
        return switch (channel.getLocalAddress()) {
            case InetSocketAddress tcp -> new Tcp(tcp.getAddress().getHostAddress(), tcp.getPort());
            case UnixDomainSocketAddress unix -> new Unix(unix.getPath().toAbsolutePath());
            default -> throw new IOException("a listener of an unknown kind");
        };
    }

    /// A channel on its way there, which does not block.
    default SocketChannel connect() throws IOException {
        SocketChannel channel =
                this instanceof Unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            prepare(channel);
            channel.connect(address());
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("cannot reach " + this + ": " + e.getMessage(), e);
        }
    }

    /// Small frames go out at once; and a Unix socket, whose buffer does not grow by itself as that of TCP does, takes
    /// as much of a long message as the system lets it.
    static void prepare(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } else {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, UNIX_BYTES);
        }
    }

    /// Clears up after a listener.
    default void leave() throws IOException {
        if (this instanceof Unix(Path path)) {
            Files.deleteIfExists(path);
        }
    }

    /// Whether only this machine can reach it.
    default boolean isLocal() {
        return switch (this) {
            case Tcp(String host, int _) -> isLoopback(host);
            case Unix _ -> true;
        };
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }
}
