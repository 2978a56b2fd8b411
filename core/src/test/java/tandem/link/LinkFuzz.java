package tandem.link;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32C;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.ProtocolError;

/// Whatever somebody says at a port, before and after it has proved who it is, it is understood or the connection is
/// closed.
class LinkFuzz {

    private static final Trust SECRET = Trust.of(Secret.of("0123456789abcdef0123456789abcdef", "a test"));
    private static final Tls TLS = new Tls(SECRET);
    private static final Buffers BUFFERS = new Buffers();

    /// Where the first words say which version of the protocol they are of.
    private static final int VERSION_AT = 7;

    private static Session session;

    /// Bytes that go to and fro in memory.
    private static final class Pipe implements ByteChannel {

        private ByteBuffer bytes = ByteBuffer.allocate(1 << 14).limit(0);
        private Pipe other;

        @Override
        public int read(ByteBuffer into) {
            int count = Math.min(into.remaining(), bytes.remaining());
            into.put(into.position(), bytes, bytes.position(), count).position(into.position() + count);
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public int write(ByteBuffer from) {
            int count = from.remaining();
            ByteBuffer there = other.bytes.compact();
            other.bytes = there;
            there.put(from).flip();
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /// Two ends of a TLS session.
    private record Session(TlsChannel opener, TlsChannel listener, byte[] binding) {

        static Session open() throws IOException {
            Pipe here = new Pipe();
            Pipe there = new Pipe();
            here.other = there;
            there.other = here;
            TlsChannel opener = new TlsChannel(here, TLS.engine(true));
            TlsChannel listener = new TlsChannel(there, TLS.engine(false));
            for (boolean done = false; !done; ) {
                done = opener.shake() & listener.shake();
            }
            return new Session(opener, listener, listener.binding());
        }
    }

    /// The first words of a connection without TLS.
    @FuzzTest(maxDuration = "30s")
    void hello(byte[] bytes) {
        try {
            byte[] words = Arrays.copyOf(bytes, Hello.BYTES);
            words[VERSION_AT] = Codec.VERSION;
            Hello.decode(ByteBuffer.wrap(words));
        } catch (ProtocolError expected) {
            // A message about the peer.
        }
    }

    /// Bytes at a port where TLS is expected.
    @FuzzTest(maxDuration = "30s")
    void handshake(byte[] bytes) throws IOException {
        Pipe here = new Pipe();
        here.other = new Pipe();
        here.bytes = ByteBuffer.wrap(bytes);
        try {
            if (new Greeting(new TlsChannel(here, TLS.engine(false)), SECRET, null).advance() != null) {
                throw new AssertionError("greeted without a word about the secret");
            }
        } catch (ProtocolError | EOFException expected) {
            // A message about the peer.
        }
    }

    /// The first words within TLS; under a right proof if the first byte is odd.
    @FuzzTest(maxDuration = "30s")
    void greeting(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return;
        }
        if (session == null) {
            session = Session.open();
        }
        boolean proved = bytes[0] % 2 != 0;
        byte[] words = Arrays.copyOfRange(bytes, 1, 1 + Hello.BYTES + Secret.PROOF_BYTES);
        words[VERSION_AT] = Codec.VERSION;
        if (proved) {
            System.arraycopy(SECRET.proof(Secret.End.OPENER, session.binding), 0, words, Hello.BYTES, 32);
        }
        session.opener.write(ByteBuffer.wrap(words));
        try {
            if (new Greeting(session.listener, SECRET, null).advance() != null && !proved) {
                throw new AssertionError("greeted without a proof");
            }
        } catch (ProtocolError expected) {
            // A message about the peer.
        }
        session.opener.read(ByteBuffer.allocate(Secret.PROOF_BYTES));
    }

    /// Bytes of somebody who has been let in; versions and checksums are made right, as such a one could.
    @FuzzTest(maxDuration = "30s")
    void frames(byte[] bytes) throws IOException {
        seal(bytes);
        Incoming incoming = new Incoming(Limits.DEFAULT, BUFFERS, new SharedRoom(), new LongAdder());
        Pipe pipe = new Pipe();
        pipe.bytes = ByteBuffer.wrap(bytes);
        try {
            while (pipe.bytes.hasRemaining()) {
                incoming.read(pipe, _ -> true);
            }
        } catch (ProtocolError expected) {
            // A message about the bytes.
        } finally {
            if (incoming.capacity() > (1 << 16) + 8L * bytes.length) {
                throw new AssertionError(incoming.capacity() + " bytes held for " + bytes.length);
            }
            incoming.close();
        }
    }

    private static void seal(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0, length; bytes.length - at >= Codec.HEADER; at += length) {
            length = all.getInt(at + 4);
            if (length < Codec.HEADER || length > bytes.length - at) {
                return;
            }
            bytes[at + 8] = Codec.VERSION;
            CRC32C crc = new CRC32C();
            crc.update(bytes, at + 4, length - 4);
            all.putInt(at, (int) crc.getValue());
        }
    }
}
