package tandem.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.wire.Address;
import tandem.wire.Message;

/// Nodes that know each other by certificates, and who does not get in.
@Timeout(120)
class CertificatesTest {

    private static final Hello GREETING = new Hello(Address.worker(2), Address.server(1));
    private static final Message BEAT = new Message.Heartbeat(1, 2, 3);
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef", "a test");
    private static final Secret OTHER = Secret.of("0123456789abcdef0123456789abcdeg", "a test");

    @TempDir
    private static Path folder;

    private static Certificates.Pem first;
    private static Certificates.Pem second;
    private static Certificates.Pem expired;
    private static Certificates.Pem foreign;

    @BeforeAll
    static void certificates() throws Exception {
        MadeCertificates ours = new MadeCertificates(folder, "ours");
        first = ours.node("first");
        second = ours.node("second");
        expired = ours.node("expired", "-startdate", "-10d", "-validity", "5");
        foreign = new MadeCertificates(folder, "theirs").node("foreign");
    }

    /// Keeps what happens.
    private record Ear(LinkedBlockingQueue<Message> messages, LinkedBlockingQueue<Link> gone)
            implements Links.Receiver {

        Ear() {
            this(new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        }

        @Override
        public boolean admits(Link link) {
            return link.hello().equals(GREETING);
        }

        @Override
        public void receive(Link link, Message message) {
            messages.add(message);
        }

        @Override
        public void closed(Link link) {
            gone.add(link);
        }
    }

    private static Trust trust(Secret secret, Certificates.Pem files) throws IOException {
        return new Trust(secret, files == null ? null : new Certificates(files));
    }

    /// Why the one that opens is closed; null if its words arrive.
    private static String refusal(Trust listens, Trust opens) throws Exception {
        Ear there = new Ear();
        Ear here = new Ear();
        try (Links listening = new Links(Place.loopback(), listens, LinkLimits.DEFAULT, there);
                Links opening = new Links(Place.loopback(), opens, LinkLimits.DEFAULT, here)) {
            Link link = opening.connect(listening.place(), GREETING);
            link.send(BEAT);
            Message heard = null;
            while (heard == null && !link.isClosed()) {
                heard = there.messages.poll(50, TimeUnit.MILLISECONDS);
            }
            if (heard == null) {
                assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
                assertTrue(there.messages.isEmpty());
                return String.valueOf(link.refusal());
            }
            assertEquals(BEAT, heard);
            return null;
        }
    }

    @Test
    void nodes_with_certificates_of_one_authority_hear_each_other() throws Exception {
        assertNull(refusal(trust(null, first), trust(null, second)));
        assertNull(refusal(trust(SECRET, first), trust(SECRET, second)));
    }

    @Test
    void what_an_end_says_without_a_secret_is_of_that_end_and_session() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> new Trust(null, null));
        Trust trust = trust(null, first);
        byte[] said = trust.proof(Secret.End.OPENER, new byte[32]);
        assertArrayEquals(said, trust(null, second).proof(Secret.End.OPENER, new byte[32]));
        assertFalse(Arrays.equals(said, trust.proof(Secret.End.LISTENER, new byte[32])));
        assertFalse(Arrays.equals(said, trust.proof(Secret.End.OPENER, new byte[31])));
    }

    @Test
    void who_has_one_of_another_authority_or_none_is_told_so_at_either_end() throws Exception {
        Certificates.Pem posing = new Certificates.Pem(foreign.certificate(), foreign.key(), first.authority());
        for (Trust stranger : new Trust[] {trust(null, posing), trust(SECRET, null)}) {
            String sentAway = refusal(trust(null, first), stranger);
            assertTrue(sentAway.startsWith("it refuses the certificate of this node: it is not of the aut"), sentAway);
            String avoided = refusal(stranger, trust(null, first));
            assertEquals("its certificate is not of the authority that this node trusts (--tls-ca)", avoided);
        }
    }

    @Test
    void who_has_one_that_is_out_of_date_is_told_so_at_either_end() throws Exception {
        String sentAway = refusal(trust(null, first), trust(null, expired));
        assertTrue(sentAway.contains("by its clock is out of date; renew it"), sentAway);
        assertEquals(
                "its certificate is out of date by the clock of this node",
                refusal(trust(null, expired), trust(null, first)));
    }

    @Test
    void with_both_a_certificate_is_not_enough() throws Exception {
        String refused = refusal(trust(SECRET, first), trust(OTHER, second));
        assertTrue(refused.startsWith("it refuses the secret of this node"), refused);
        refused = refusal(trust(SECRET, first), trust(null, second));
        assertTrue(refused.startsWith("it refuses the secret of this node"), refused);
    }

    @Test
    void files_that_are_of_no_use_are_named_before_anything_is_opened() throws Exception {
        assertRefused("is good from", expired);
        assertRefused(
                "is not one that the authority in " + first.authority() + " has signed",
                new Certificates.Pem(foreign.certificate(), foreign.key(), first.authority()));
        assertRefused(
                "the key in " + second.key() + " is not that of the certificate",
                new Certificates.Pem(first.certificate(), second.key(), first.authority()));
        Path nowhere = folder.resolve("nowhere");
        assertRefused(
                "there is no certificate in " + nowhere, new Certificates.Pem(nowhere, first.key(), first.authority()));
        assertRefused(
                "there is no key in " + nowhere, new Certificates.Pem(first.certificate(), nowhere, first.authority()));
        assertRefused(
                "there is no certificate in " + first.key() + "; it must be PEM",
                new Certificates.Pem(first.key(), first.key(), first.authority()));
        assertRefused(
                "there is no key in " + own(Files.readString(first.certificate())) + "; it must be PEM",
                new Certificates.Pem(first.certificate(), folder.resolve("own"), first.authority()));
        assertRefused(
                "holds an EC PRIVATE KEY; it must be a plain one, made so: openssl pkcs8",
                new Certificates.Pem(
                        first.certificate(), own("-----BEGIN EC PRIVATE KEY-----\nAA==\n"), first.authority()));
        Path open = own(Files.readString(first.key()));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(
                "may be used by others than its owner (rw-r--r--)",
                new Certificates.Pem(first.certificate(), open, first.authority()));
    }

    private static Path own(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("own"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void assertRefused(String why, Certificates.Pem files) {
        String said =
                assertThrows(IOException.class, () -> Certificates.read(files)).getMessage();
        assertTrue(said.contains(why), said);
    }

    @Test
    void two_of_the_three_files_are_too_few() {
        Path file = Path.of("f");
        assertNull(Certificates.Pem.given(null, null, null, Map.of()));
        String said = assertThrows(
                        IllegalArgumentException.class, () -> Certificates.Pem.given(file, file, null, Map.of()))
                .getMessage();
        assertTrue(said.startsWith("--tls-cert is given and --tls-ca is not"), said);
        assertEquals(
                new Certificates.Pem(file, file, Path.of("g")),
                Certificates.Pem.given(file, file, null, Map.of(Certificates.AUTHORITY_VARIABLE, "g")));
    }
}
