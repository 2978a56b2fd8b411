package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import tandem.wire.ProtocolError;

/// A channel through TLS, which does not block. One thread reads, with [#shake] before; writing is guarded by the lock
/// of its link. Holds a fixed number of bytes, whatever the peer does.
final class TlsChannel implements ByteChannel {

    /// RFC 9266: the same at both ends of a session, and at no end of any other.
    private static final String BINDING = "EXPORTER-Channel-Binding";

    private static final int BINDING_BYTES = 32;

    /// Some records of up to 16 KiB: fewer calls of the system.
    private static final int BUFFER_BYTES = 1 << 17;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteChannel channel;
    private final SSLEngine engine;
    private final int recordBytes;

    // On the heap, where the JDK's ciphers are faster. Both are ready to be taken from.
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private final ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    /// A record that did not fit where it was to be read to.
    private final ByteBuffer rest;

    private boolean more;
    private boolean begun;

    TlsChannel(ByteChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        recordBytes = engine.getSession().getPacketBufferSize();
        rest = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
    }

    /// Goes on with the handshake as far as it can without waiting; true once it is over.
    boolean shake() throws IOException {
        try {
            if (!begun) {
                engine.beginHandshake();
                begun = true;
            }
            while (true) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> flush();
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                        SSLEngineResult result = unwrap(rest.clear());
                        rest.flip();
                        if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !isFilled()) {
                            return false;
                        }
                    }
                    case FINISHED, NOT_HANDSHAKING -> {
                        return true;
                    }
                }
            }
        } catch (SSLException e) {
            throw new ProtocolError("it does not speak TLS 1.3 as this node does: " + e.getMessage(), e);
        }
    }

    /// What the two ends of this session know, and nobody else; after the handshake.
    byte[] binding() throws IOException {
        return ((ExtendedSSLSession) engine.getSession()).exportKeyingMaterialData(BINDING, new byte[0], BINDING_BYTES);
    }

    /// The certificate of the other end, and those after it that it showed; after the handshake. None if it showed
    /// none.
    X509Certificate[] peer() {
        try {
            return Arrays.stream(engine.getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException e) {
            return new X509Certificate[0];
        }
    }

    /// Whether there may be bytes to read though none arrive.
    boolean hasMore() {
        return more;
    }

    /// Whether TLS itself has something to say, which [#flush] says; reading does not go on before.
    boolean owes() {
        return engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.position();
        more = false;
        while (into.hasRemaining() && !more) {
            if (rest.hasRemaining()) {
                int fits = Math.min(rest.remaining(), into.remaining());
                into.put(into.position(), rest, rest.position(), fits).position(into.position() + fits);
                rest.position(rest.position() + fits);
                continue;
            }
            boolean direct = into.remaining() >= rest.capacity();
            SSLEngineResult result = unwrap(direct ? into : rest.clear());
            if (!direct) {
                rest.flip();
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                return into.position() == before ? -1 : into.position() - before;
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                int filled = fill();
                if (filled <= 0) {
                    return filled < 0 && into.position() == before ? -1 : into.position() - before;
                }
            }
            runTasks();
            more = result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
        }
        more = true;
        return into.position() - before;
    }

    private SSLEngineResult unwrap(ByteBuffer into) throws SSLException {
        SSLEngineResult result = engine.unwrap(in, into);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            throw new SSLException("a record longer than " + into.capacity() + " bytes");
        }
        return result;
    }

    /// Takes more bytes from the channel: how many, or less than 0 at its end.
    private int fill() throws IOException {
        in.compact();
        try {
            return channel.read(in);
        } finally {
            in.flip();
        }
    }

    private boolean isFilled() throws IOException {
        int filled = fill();
        if (filled < 0) {
            throw new EOFException("closed by the other side before it said who it is");
        }
        return filled > 0;
    }

    private void runTasks() {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
                task.run();
            }
        }
    }

    /// Takes as much as goes out at once, and a buffer more.
    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.remaining();
        while (from.hasRemaining() && flush()) {
            out.clear();
            try {
                // The last record's place is kept for what TLS itself has to say.
                while (from.hasRemaining() && out.remaining() >= 2 * recordBytes) {
                    wrap(from);
                }
            } finally {
                out.flip();
            }
        }
        flush();
        return before - from.remaining();
    }

    /// Writes what waits here; true if nothing does any more.
    boolean flush() throws IOException {
        while (owes()) {
            wrapOwn();
        }
        if (out.hasRemaining()) {
            channel.write(out);
        }
        return !out.hasRemaining();
    }

    private void wrapOwn() throws IOException {
        out.compact();
        try {
            wrap(NOTHING);
        } finally {
            out.flip();
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        switch (engine.wrap(from, out).getStatus()) {
            case OK -> {}
            case CLOSED -> throw new EOFException("closed by the other side");
            case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
                throw new IOException("TLS has more to say than the other side reads");
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
