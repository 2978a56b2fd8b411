package tandem.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Values;

/// Connections between nodes that share a secret, and between those that do not.
@Timeout(60)
class SecretLinksTest {

    private static final Trust SECRET = Trust.of(Secret.of("0123456789abcdef0123456789abcdef", "a test"));
    private static final Trust OTHER = Trust.of(Secret.of("0123456789abcdef0123456789abcdeg", "a test"));
    private static final Hello GREETING = new Hello(Address.worker(2), Address.server(1));
    private static final Message BEAT = new Message.Heartbeat(1, 2, 3);

    @TempDir
    Path folder;

    /// Keeps what happens, and sends messages back if it `answers`.
    private record Ear(boolean answers, LinkedBlockingQueue<Message> messages, LinkedBlockingQueue<Link> gone)
            implements Links.Receiver {

        Ear(boolean answers) {
            this(answers, new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        }

        @Override
        public boolean admits(Link link) {
            return link.hello().equals(GREETING);
        }

        @Override
        public void receive(Link link, Message message) {
            messages.add(message);
            if (answers) {
                link.send(message);
            }
        }

        @Override
        public void closed(Link link) {
            gone.add(link);
        }
    }

    @Test
    void frames_go_there_and_back_between_nodes_that_know_the_same_secret() throws Exception {
        for (Place place : List.of(Place.loopback(), new Place.Unix(folder.resolve("echo")))) {
            Ear here = new Ear(false);
            try (Links listening = new Links(place, SECRET, LinkLimits.DEFAULT, new Ear(true));
                    Links opening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, here)) {
                Link link = opening.connect(listening.place(), GREETING);
                int[] sizes = {0, 1, 1000, 4096, 100_003, 3_000_001, 5};
                for (int size : sizes) {
                    assertTrue(link.send(new Message.Rows(size, 0, 0, Values.of(new float[size]))));
                }
                for (int size : sizes) {
                    Message.Rows rows = (Message.Rows) here.messages.poll(20, TimeUnit.SECONDS);
                    assertNotNull(rows, "the answer of " + size + " floats");
                    assertEquals(size, ((Values.Floats) rows.values()[0]).length());
                }
                assertNull(here.gone.poll());
            }
        }
    }

    @Test
    void who_knows_another_secret_is_told_so_and_heard_no_further() throws Exception {
        Ear there = new Ear(true);
        Ear here = new Ear(false);
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, there);
                Links opening = new Links(Place.loopback(), OTHER, LinkLimits.DEFAULT, here)) {
            Link link = opening.connect(listening.place(), GREETING);
            link.send(BEAT);
            assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
            assertEquals("it refuses the secret of this node; give all nodes of a job the same secret", link.refusal());
            assertTrue(there.messages.isEmpty());
        }
    }

    /// The end that refuses warns of a stranger; the other fails, and says why by that.
    @Test
    void a_node_that_the_coordinator_refuses_is_not_told_of_twice() throws Exception {
        Queue<String> warnings = new ConcurrentLinkedQueue<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord said) {
                if (said.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(said.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("tandem.link");
        log.addHandler(listener);
        Ear there = new Ear(true);
        Ear here = new Ear(false);
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, there);
                Links opening = new Links(Place.loopback(), OTHER, LinkLimits.DEFAULT, here)) {
            Link link = opening.connect(listening.place(), new Hello(Address.worker(2), Address.COORDINATOR));
            assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
            assertNotNull(link.refusal());
            assertNotNull(there.gone.poll(20, TimeUnit.SECONDS));
        } finally {
            log.removeHandler(listener);
        }
        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.peek().endsWith("it does not know the secret of this job"), warnings::toString);
    }

    @Test
    void a_proof_is_good_for_its_own_session_only() throws Exception {
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, new Ear(true))) {
            byte[] hello;
            try (TlsChannel first = stranger(listening)) {
                byte[] binding = first.binding();
                hello = hello(SECRET.proof(Secret.End.OPENER, binding));
                assertArrayEquals(SECRET.proof(Secret.End.LISTENER, binding), answer(first, hello));
            }
            try (TlsChannel second = stranger(listening)) {
                assertArrayEquals(REFUSED, answer(second, hello));
                assertEquals(-1, second.read(ByteBuffer.allocate(1)));
            }
        }
    }

    @Test
    void who_sends_a_proof_back_has_not_proved_anything() throws Exception {
        Ear here = new Ear(false);
        try (ServerSocketChannel mirror = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                Links opening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, here)) {
            Link link = opening.connect(Place.at(mirror), GREETING);
            link.send(BEAT);
            try (TlsChannel channel = new TlsChannel(mirror.accept(), new Tls(SECRET).engine(false))) {
                assertTrue(channel.shake());
                ByteBuffer words = ByteBuffer.allocate(64);
                while (words.hasRemaining()) {
                    assertTrue(channel.read(words) >= 0);
                }
                channel.write(words.slice(32, 32));
                assertEquals(-1, channel.read(ByteBuffer.allocate(1)), "a frame, though nothing was proved");
            }
            assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
            assertTrue(link.refusal().startsWith("it does not know the secret of this node"), link.refusal());
        }
    }

    @Test
    void however_much_somebody_says_first_only_64_bytes_are_looked_at() throws Exception {
        Ear there = new Ear(true);
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, there);
                TlsChannel stranger = stranger(listening)) {
            assertArrayEquals(REFUSED, answer(stranger, new byte[16_000]));
            assertTrue(there.messages.isEmpty());
        }
    }

    @Test
    void what_comes_together_with_the_first_64_bytes_is_not_taken_for_some_of_them() throws Exception {
        Ear there = new Ear(true);
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, there);
                TlsChannel node = stranger(listening)) {
            byte[] hello = hello(SECRET.proof(Secret.End.OPENER, node.binding()));
            ByteBuffer words =
                    ByteBuffer.allocate(hello.length + (int) Codec.length(BEAT)).put(hello);
            Codec.encode(BEAT, words);
            assertArrayEquals(SECRET.proof(Secret.End.LISTENER, node.binding()), answer(node, words.array()));
            assertEquals(BEAT, there.messages.poll(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void plain_words_at_a_port_of_tls_and_tls_at_a_plain_port_are_sent_away() throws Exception {
        for (Trust own : Arrays.asList(SECRET, null)) {
            Ear there = new Ear(true);
            Ear here = new Ear(false);
            try (Links listening = new Links(Place.loopback(), own, LinkLimits.DEFAULT, there);
                    Links opening =
                            new Links(Place.loopback(), own == null ? SECRET : null, LinkLimits.DEFAULT, here)) {
                Link link = opening.connect(listening.place(), GREETING);
                link.send(BEAT);
                assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
                assertNotNull(there.gone.poll(20, TimeUnit.SECONDS));
                assertTrue(there.messages.isEmpty());
            }
        }
    }

    @Test
    void who_speaks_only_an_older_tls_is_sent_away() throws Exception {
        SSLEngine older = new Tls(SECRET).engine(true);
        older.setEnabledCipherSuites(older.getSupportedCipherSuites());
        older.setEnabledProtocols(new String[] {"TLSv1.2"});
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, new Ear(true));
                TlsChannel stranger = new TlsChannel(SocketChannel.open(address(listening.place())), older)) {
            assertThrows(IOException.class, stranger::shake);
        }
    }

    @Test
    void who_takes_its_time_over_the_first_words_has_to_go_and_so_does_who_answers_nothing() throws Exception {
        LinkLimits hasty = LinkLimits.DEFAULT.withHello(Duration.ofSeconds(2));
        Ear there = new Ear(true);
        Ear here = new Ear(false);
        try (Links listening = new Links(Place.loopback(), SECRET, hasty, there);
                TlsChannel slow = stranger(listening)) {
            for (int i = 0; i < 63 && there.gone.isEmpty(); i++) {
                slow.write(ByteBuffer.allocate(1));
                slow.flush();
            }
            assertNotNull(there.gone.poll(20, TimeUnit.SECONDS));
        }
        try (ServerSocketChannel silent = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                Links opening = new Links(Place.loopback(), SECRET, hasty, here)) {
            Link link = opening.connect(Place.at(silent), GREETING);
            assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void two_hundred_strangers_at_once_have_to_go_and_a_node_gets_through_after_them() throws Exception {
        LinkLimits hasty = LinkLimits.DEFAULT.withHello(Duration.ofSeconds(2));
        List<SocketChannel> strangers = new ArrayList<>();
        Ear here = new Ear(false);
        try (Links listening = new Links(Place.loopback(), SECRET, hasty, new Ear(true));
                Links opening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, here)) {
            for (int i = 0; i < 200; i++) {
                strangers.add(SocketChannel.open(address(listening.place())));
            }
            int gone = 0;
            for (SocketChannel stranger : strangers) {
                gone += stranger.read(ByteBuffer.allocate(1)) < 0 ? 1 : 0;
            }
            assertEquals(200, gone);
            opening.connect(listening.place(), GREETING).send(BEAT);
            assertEquals(BEAT, here.messages.poll(20, TimeUnit.SECONDS));
        }
        for (SocketChannel stranger : strangers) {
            stranger.close();
        }
    }

    /// Somebody who knows the secret asks for far more than it reads: what waits for it stays bounded, and nothing is
    /// lost when it reads after all.
    @Test
    void who_does_not_read_its_answers_is_not_read_either() throws Exception {
        int limit = 1 << 20;
        int asked = 500;
        Message rows = new Message.Rows(1, 0, 0, Values.of(new float[10_000]));
        int length = (int) Codec.length(rows);
        try (Links listening =
                        new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT.withQueueBytes(limit), new Ear(true));
                TlsChannel slow = stranger(listening)) {
            answer(slow, hello(SECRET.proof(Secret.End.OPENER, slow.binding())));
            Thread asker = Thread.ofPlatform().daemon().start(() -> {
                try {
                    ByteBuffer frame = ByteBuffer.allocate(length);
                    Codec.encode(rows, frame);
                    for (int i = 0; i < asked; i++) {
                        frame.rewind();
                        while (frame.hasRemaining()) {
                            slow.write(frame);
                        }
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (listening.waitingBytes() <= limit / 2) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < asked; i++) {
                ByteBuffer answer = ByteBuffer.allocate(length);
                while (answer.hasRemaining()) {
                    assertTrue(slow.read(answer) >= 0);
                }
                assertTrue(listening.waitingBytes() <= limit / 2 + length + 64, listening.waitingBytes() + " wait");
            }
            asker.join();
        }
    }

    private static final byte[] REFUSED = new byte[32];

    private static byte[] hello(byte[] proof) {
        return ByteBuffer.allocate(64).put(GREETING.encode()).put(proof).array();
    }

    /// Says something, and hears 32 bytes.
    private static byte[] answer(TlsChannel channel, byte[] words) throws IOException {
        channel.write(ByteBuffer.wrap(words));
        ByteBuffer answer = ByteBuffer.allocate(32);
        while (answer.hasRemaining()) {
            assertTrue(channel.read(answer) >= 0, "closed without a word");
        }
        return answer.array();
    }

    /// Somebody who speaks TLS, and waits for what it reads.
    private static TlsChannel stranger(Links links) throws IOException {
        TlsChannel channel = new TlsChannel(SocketChannel.open(address(links.place())), new Tls(OTHER).engine(true));
        assertTrue(channel.shake());
        return channel;
    }

    private static InetSocketAddress address(Place place) {
        Place.Tcp tcp = (Place.Tcp) place;
        return new InetSocketAddress(tcp.host(), tcp.port());
    }
}
