package tandem.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import tandem.wire.ProtocolError;

/// The first words of a connection through TLS. Who opens it says who it is and proves that it knows the secret, in 64
/// bytes; who listens looks at that and at its certificate before anything else, and proves the same in 32, or refuses
/// by a [Refusal]. Until then nobody says more, and who opens says nothing before it has looked at the certificate of
/// who listens.
///
/// A proof is a keyed hash of the session's binding, so it is of no use in another session: neither later, nor to
/// somebody in the middle, nor sent back to where it came from. Belongs to the thread that reads.
final class Greeting {

    private static final int LENGTH = Hello.BYTES + Secret.PROOF_BYTES;

    /// Why who listens sends somebody away: its last byte, after 31 of 0.
    private enum Refusal {
        SECRET(
                "it does not know the secret of this job",
                "it refuses the secret of this node; give all nodes of a job the same secret"),
        CERTIFICATE(
                "its certificate is not of the authority that this node trusts (--tls-ca)",
                "it refuses the certificate of this node: it is not of the authority that it trusts; give all nodes"
                        + " certificates of the same (--tls-cert, --tls-ca)"),
        DATE(
                "its certificate is out of date by the clock of this node",
                "it refuses the certificate of this node, which by its clock is out of date; renew it, or set the"
                        + " clock");

        /// As it is told at the end that refuses, and at the other.
        private final String here;

        private final String there;

        Refusal(String here, String there) {
            this.here = here;
            this.there = there;
        }

        byte[] words() {
            byte[] words = new byte[Secret.PROOF_BYTES];
            words[words.length - 1] = (byte) ordinal();
            return words;
        }
    }

    private final TlsChannel channel;
    private final Trust trust;

    /// Of who opens the connection; null at the other end.
    private final Hello own;

    /// What is expected from the other end; null before the handshake is over.
    private ByteBuffer words;

    private byte[] binding;

    Greeting(TlsChannel channel, Trust trust, Hello own) {
        this.channel = channel;
        this.trust = trust;
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
                Refusal refusal = refusal(Secret.End.LISTENER);
                if (refusal != null) {
                    throw new Unproven(refusal.here);
                }
                say(own.encode(), trust.proof(Secret.End.OPENER, binding));
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

    /// What is wrong with the certificate of the other end; null if nothing, or if none is asked for.
    private Refusal refusal(Secret.End end) {
        if (trust.certificates() == null) {
            return null;
        }
        try {
            trust.certificates().check(channel.peer(), end);
            return null;
        } catch (CertificateExpiredException | CertificateNotYetValidException e) {
            return Refusal.DATE;
        } catch (CertificateException e) {
            return Refusal.CERTIFICATE;
        }
    }

    private Hello heard() throws IOException {
        Refusal refusal = refusal(Secret.End.OPENER);
        if (refusal != null) {
            say(ByteBuffer.wrap(refusal.words()));
            throw new ProtocolError(refusal.here);
        }
        byte[] proof = new byte[Secret.PROOF_BYTES];
        words.get(Hello.BYTES, proof);
        if (!MessageDigest.isEqual(proof, trust.proof(Secret.End.OPENER, binding))) {
            say(ByteBuffer.wrap(Refusal.SECRET.words()));
            throw new ProtocolError(Refusal.SECRET.here);
        }
        Hello hello = Hello.decode(words.slice(0, Hello.BYTES));
        say(ByteBuffer.wrap(trust.proof(Secret.End.LISTENER, binding)));
        return hello;
    }

    private Hello answered() throws IOException {
        for (Refusal refusal : Refusal.values()) {
            if (MessageDigest.isEqual(words.array(), refusal.words())) {
                throw new Unproven(refusal.there);
            }
        }
        if (!MessageDigest.isEqual(words.array(), trust.proof(Secret.End.LISTENER, binding))) {
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

    /// The other end of a connection that was opened from here is not a node of the same job.
    static final class Unproven extends IOException {

        private static final long serialVersionUID = 1;

        Unproven(String message) {
            super(message);
        }
    }
}
