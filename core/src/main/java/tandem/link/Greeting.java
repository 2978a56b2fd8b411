package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import tandem.wire.ProtocolError;

/// The first words of a connection through TLS. Who opens it says who it is and proves that it knows the secret, in 64
/// bytes; who listens looks at that before anything else, and proves the same in 32, or refuses by 32 zeros. Until then
/// nobody says more.
///
/// A proof is a keyed hash of the session's binding, so it is of no use in another session: neither later, nor to
/// somebody in the middle, nor sent back to where it came from. Belongs to the thread that reads.
final class Greeting {

    private static final int LENGTH = Hello.BYTES + Secret.PROOF_BYTES;
    private static final byte[] REFUSED = new byte[Secret.PROOF_BYTES];

    private final TlsChannel channel;
    private final Secret secret;

    /// Of who opens the connection; null at the other end.
    private final Hello own;

    /// What is expected from the other end; null before the handshake is over.
    private ByteBuffer words;

    private byte[] binding;

    Greeting(TlsChannel channel, Secret secret, Hello own) {
        this.channel = channel;
        this.secret = secret;
        this.own = own;
    }

    /// Goes on as far as it can without waiting. Who is at the ends, once both have proved what they know; null before.
    Hello advance() throws IOException {
        if (words == null) {
            if (!channel.shake()) {
                return null;
            }
            binding = channel.binding();
            words = ByteBuffer.allocate(own == null ? LENGTH : Secret.PROOF_BYTES);
            if (own != null) {
                say(own.encode(), secret.proof(Secret.End.OPENER, binding));
            }
        }
        if (channel.read(words) < 0) {
            throw new EOFException("closed by the other side before it said who it is");
        }
        if (words.hasRemaining()) {
            return null;
        }
        return own == null ? heard() : answered();
    }

    private Hello heard() throws IOException {
        byte[] proof = new byte[Secret.PROOF_BYTES];
        words.get(Hello.BYTES, proof);
        if (!MessageDigest.isEqual(proof, secret.proof(Secret.End.OPENER, binding))) {
            say(ByteBuffer.wrap(REFUSED));
            throw new ProtocolError("it does not know the secret of this job");
        }
        Hello hello = Hello.decode(words.slice(0, Hello.BYTES));
        say(ByteBuffer.wrap(secret.proof(Secret.End.LISTENER, binding)));
        return hello;
    }

    private Hello answered() throws IOException {
        if (MessageDigest.isEqual(words.array(), REFUSED)) {
            throw new Unproven("it refuses the secret of this node; give all nodes of a job the same secret");
        }
        if (!MessageDigest.isEqual(words.array(), secret.proof(Secret.End.LISTENER, binding))) {
            throw new Unproven("it does not know the secret of this node: it is of another job, or not what it seems");
        }
        return own;
    }

    private void say(ByteBuffer hello, byte[] proof) throws IOException {
        say(ByteBuffer.allocate(LENGTH).put(hello).put(proof).flip());
    }

    /// So little always fits into the buffer of the channel, which is empty at that stage.
    private void say(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
    }

    /// The other end of a connection that was opened from here does not know the same secret.
    static final class Unproven extends IOException {

        private static final long serialVersionUID = 1;

        Unproven(String message) {
            super(message);
        }
    }
}
