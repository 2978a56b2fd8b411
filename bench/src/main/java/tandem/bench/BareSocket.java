package tandem.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import tandem.link.Place;

/// A socket with nothing on top: the limit of what any store can do over that kind of socket. A request is 64 bytes
/// that say how many more follow and how many are to come back; the answer is 64 bytes and those.
///
/// Its ends sleep while they wait for bytes, or look for them again and again: to wake up takes tens of microseconds on
/// an idle machine, which a store that does not sleep must not be credited with.
final class BareSocket implements AutoCloseable {

    private static final int HEAD = 64;
    private static final int PIECE = 1 << 20;

    /// How long one that looks for bytes does so before it sleeps after all, so that it costs nothing between two runs.
    private static final long ALERT_NANOS = 1_000_000;

    private final SocketChannel channel;
    private final boolean alert;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD);
    private final ByteBuffer body = ByteBuffer.allocateDirect(PIECE);

    private BareSocket(SocketChannel channel, boolean alert) throws IOException {
        this.channel = channel;
        this.alert = alert;
        Place.prepare(channel);
        channel.configureBlocking(!alert);
    }

    /// @param alert whether it looks for bytes instead of sleeping
    static BareSocket connect(Place place, boolean alert) throws IOException {
        return new BareSocket(
                switch (place) {
                    case Place.Tcp(String host, int port) -> SocketChannel.open(new InetSocketAddress(host, port));
                    case Place.Unix(var path) -> SocketChannel.open(UnixDomainSocketAddress.of(path));
                },
                alert);
    }

    /// Answers requests at `place` on threads of its own, until this process ends; where it really is.
    static Place serve(Place place, boolean alert) throws IOException {
        ServerSocketChannel listener = place.listen();
        listener.configureBlocking(true);
        Thread.ofPlatform().name("bare-accept").daemon().start(() -> {
            try {
                while (true) {
                    BareSocket one = new BareSocket(listener.accept(), alert);
                    Thread.ofPlatform().name("bare").daemon().start(one::answer);
                }
            } catch (IOException e) {
                throw new IllegalStateException("the bare socket cannot take connections", e);
            }
        });
        return Place.at(listener);
    }

    private void answer() {
        try (this) {
            while (true) {
                fill(head.clear());
                int up = head.getInt(0);
                int down = head.getInt(4);
                receive(up);
                drain(head.clear());
                send(down);
            }
        } catch (EOFException | ClosedChannelException _) {
            // The other side has all it wanted.
        } catch (IOException e) {
            throw new IllegalStateException("the bare socket broke", e);
        }
    }

    /// Sends `up` bytes and waits for an answer of `down`.
    void request(int up, int down) throws IOException {
        head.clear().putInt(0, up).putInt(4, down);
        drain(head);
        send(up);
        fill(head.clear());
        receive(down);
    }

    private void send(int bytes) throws IOException {
        for (int left = bytes; left > 0; left -= PIECE) {
            drain(body.clear().limit(Math.min(left, PIECE)));
        }
    }

    private void receive(int bytes) throws IOException {
        for (int left = bytes; left > 0; left -= PIECE) {
            fill(body.clear().limit(Math.min(left, PIECE)));
        }
    }

    private void fill(ByteBuffer buffer) throws IOException {
        for (long start = 0; buffer.hasRemaining(); ) {
            int read = channel.read(buffer);
            if (read < 0) {
                throw new EOFException();
            }
            if (alert && read == 0) {
                start = start == 0 ? System.nanoTime() : start;
                if (System.nanoTime() - start > ALERT_NANOS) {
                    sleep(buffer);
                }
            }
        }
    }

    private void sleep(ByteBuffer buffer) throws IOException {
        channel.configureBlocking(true);
        if (channel.read(buffer) < 0) {
            throw new EOFException();
        }
        channel.configureBlocking(false);
    }

    private void drain(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
