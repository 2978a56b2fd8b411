package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Frames;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.Values;

@Timeout(30)
class LinksTest {

    private static final Address HERE = Address.server(1);
    private static final Hello GREETING = new Hello(Address.worker(2), HERE);

    private static final Message BEAT = new Message.Heartbeat(1, 2, 3);

    /// So long that nobody is sent away for being silent.
    private static final Duration AGES = Duration.ofHours(1);

    @TempDir
    Path folder;

    /// Sends everything back.
    private record Echo(LinkedBlockingQueue<Link> gone) implements Links.Receiver {

        @Override
        public boolean admits(Link link) {
            return link.hello().to().equals(HERE);
        }

        @Override
        public void receive(Link link, Message message) {
            link.send(message);
        }

        @Override
        public void closed(Link link) {
            gone.add(link);
        }
    }

    private static Links echo(Place place, LinkLimits limits) throws IOException {
        return new Links(place, limits, new Echo(new LinkedBlockingQueue<>()));
    }

    @Test
    void frames_go_there_and_back_over_both_kinds_of_socket() throws Exception {
        for (Place place : List.of(Place.loopback(), new Place.Unix(folder.resolve("echo")))) {
            LinkedBlockingQueue<Message> answers = new LinkedBlockingQueue<>();
            try (Links there = echo(place, LinkLimits.DEFAULT);
                    Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, new Listener(answers))) {
                Link link = here.connect(there.place(), GREETING);
                for (int size : new int[] {0, 1, 1000, 3_000_001}) {
                    assertTrue(link.send(new Message.Rows(size, 0, 0, Values.of(new float[size]))));
                }
                for (int size : new int[] {0, 1, 1000, 3_000_001}) {
                    Message.Rows rows = (Message.Rows) answers.poll(10, TimeUnit.SECONDS);
                    assertEquals(size, ((Values.Floats) rows.values()[0]).length());
                }
            }
        }
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    /// Keeps what comes.
    private record Listener(LinkedBlockingQueue<Message> messages) implements Links.Receiver {

        @Override
        public boolean admits(Link link) {
            return false;
        }

        @Override
        public void receive(Link link, Message message) {
            messages.add(message);
        }

        @Override
        public void closed(Link link) {}
    }

    /// Requests and answers in turns: after the first answers the thread that waits reads them itself.
    @Test
    void a_thread_that_waits_for_an_answer_comes_to_read_it_itself() throws Exception {
        LinkedBlockingQueue<Thread> readers = new LinkedBlockingQueue<>();
        Links[] own = new Links[1];
        Links.Receiver receiver = new Links.Receiver() {

            @Override
            public boolean admits(Link link) {
                return false;
            }

            @Override
            public void receive(Link link, Message message) {
                own[0].served();
                readers.add(Thread.currentThread());
            }

            @Override
            public void closed(Link link) {}
        };
        try (Links there = echo(Place.loopback(), LinkLimits.DEFAULT);
                Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, receiver)) {
            own[0] = here;
            Link link = here.connect(there.place(), GREETING);
            Thread reader = null;
            while (!Thread.currentThread().equals(reader)) {
                link.send(BEAT);
                while (readers.isEmpty()) {
                    if (!here.readUntil(() -> !readers.isEmpty(), System.nanoTime() + 1_000_000_000)) {
                        here.follow(1_000_000);
                    }
                }
                reader = readers.take();
            }
        }
    }

    @Test
    void who_wants_somebody_else_or_speaks_something_else_is_sent_away() throws IOException {
        try (Links links = echo(Place.loopback(), LinkLimits.DEFAULT)) {
            assertSentAway(links, new Hello(Address.worker(2), Address.server(7)).encode());
            assertSentAway(
                    links,
                    ByteBuffer.wrap(
                            "GET / HTTP/1.1\r\nHost: nobody.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            assertSentAway(links, GREETING.encode().put(7, (byte) 99));
            assertSentAway(links, GREETING.encode().put(8, (byte) 99));
            assertSentAway(links, GREETING.encode().put(31, (byte) 1));
        }
    }

    @Test
    void strangers_who_come_again_and_again_do_not_fill_the_log() throws IOException {
        Queue<LogRecord> warnings = new ConcurrentLinkedQueue<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord said) {
                if (said.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(said);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("tandem.link");
        log.addHandler(listener);
        try (Links links = echo(Place.loopback(), LinkLimits.DEFAULT)) {
            for (int round = 0; round < 20; round++) {
                assertSentAway(links, new Hello(Address.worker(round), Address.server(7)).encode());
                assertSentAway(links, ByteBuffer.wrap(new byte[64]));
            }
            assertEquals(1, warnings.size());
        } finally {
            log.removeHandler(listener);
        }
    }

    @Test
    void a_damaged_frame_ends_its_connection_only() throws IOException {
        Message beat = new Message.Heartbeat(1, 2, 3);
        ByteBuffer good = ByteBuffer.allocate(32 + (int) Codec.length(beat)).put(GREETING.encode());
        Codec.encode(beat, good);
        try (Links links = echo(Place.loopback(), LinkLimits.DEFAULT);
                SocketChannel other = channel(links)) {
            for (int at = 32; at < good.capacity(); at++) {
                // With another length it would be taken for one of which the rest is still to come.
                if (at < 36 || at >= 40) {
                    byte[] bad = good.array().clone();
                    bad[at] ^= (byte) (1 << at % 8);
                    assertSentAway(links, ByteBuffer.wrap(bad));
                }
            }
            other.write(good.flip());
            ByteBuffer answer = ByteBuffer.allocate((int) Codec.length(beat));
            while (answer.hasRemaining() && other.read(answer) >= 0) {}
            assertEquals(beat, Codec.decode(answer.flip(), LinkLimits.DEFAULT.frames()));
        }
    }

    /// As SECURITY.md says.
    @Test
    void usually_64_have_5_seconds_to_say_who_they_are() {
        assertEquals(64, LinkLimits.DEFAULT.pending());
        assertEquals(Duration.ofSeconds(5), LinkLimits.DEFAULT.hello());
    }

    @Test
    void who_does_not_say_who_it_is_has_to_go() throws IOException {
        try (Links links = echo(Place.loopback(), LinkLimits.DEFAULT.withHello(Duration.ofMillis(20)))) {
            assertSentAway(links, GREETING.encode().limit(31));
        }
    }

    @Test
    void only_so_many_may_be_silent_at_once() throws IOException {
        List<SocketChannel> silent = new ArrayList<>();
        try (Links links =
                echo(Place.loopback(), LinkLimits.DEFAULT.withHello(AGES).withPending(3))) {
            for (int i = 0; i < 3; i++) {
                silent.add(channel(links));
            }
            assertSentAway(links, ByteBuffer.allocate(0));
            silent.getFirst().close();
        }
        for (SocketChannel channel : silent) {
            channel.close();
        }
    }

    @Test
    void only_so_many_may_be_connected_at_once() throws IOException {
        List<SocketChannel> connected = new ArrayList<>();
        try (Links links =
                echo(Place.loopback(), LinkLimits.DEFAULT.withHello(AGES).withConnections(2))) {
            for (int i = 0; i < 2; i++) {
                connected.add(channel(links));
                assertEquals(BEAT, echoed(connected.getLast()));
            }
            assertSentAway(links, ByteBuffer.allocate(0));
            assertEquals(BEAT, echoed(connected.getFirst(), ByteBuffer.allocate(0)));
        }
        for (SocketChannel channel : connected) {
            channel.close();
        }
    }

    /// Somebody asks for far more than it reads: what waits for it stays bounded, nothing is lost when it reads after
    /// all, and others are answered meanwhile.
    @Test
    void who_does_not_read_its_answers_is_not_read_either() throws Exception {
        LinkLimits limits = LinkLimits.DEFAULT.withQueueBytes(1 << 20);
        Message rows = new Message.Rows(1, 0, 0, Values.of(new float[10_000]));
        int length = (int) Codec.length(rows);
        int asked = 20_000;
        try (Links links = echo(Place.loopback(), limits);
                SocketChannel slow = channel(links);
                SocketChannel other = channel(links)) {
            Thread asker = Thread.ofPlatform().daemon().start(() -> {
                try {
                    write(slow, GREETING.encode());
                    ByteBuffer frame = ByteBuffer.allocate(length);
                    Codec.encode(rows, frame);
                    for (int i = 0; i < asked; i++) {
                        write(slow, frame.rewind());
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (links.waitingBytes() <= 1 << 19) {
                Thread.onSpinWait();
            }
            assertEquals(BEAT, echoed(other));
            ByteBuffer answer = ByteBuffer.allocate(length);
            for (int i = 0; i < asked; i++) {
                answer.clear();
                while (answer.hasRemaining()) {
                    assertTrue(slow.read(answer) >= 0);
                }
                assertTrue(links.waitingBytes() <= (1 << 19) + length + 64, links.waitingBytes() + " bytes wait");
            }
            asker.join();
        }
    }

    /// Each of three would have a mebibyte wait, and all of them together may have half as much.
    @Test
    void what_waits_for_all_who_do_not_read_is_bounded_and_who_reads_is_not_held_up() throws Exception {
        int limit = 1 << 20;
        LinkLimits limits = LinkLimits.DEFAULT.withQueueBytes(limit).withAllBytes(3 * limit / 2);
        Message rows = new Message.Rows(1, 0, 0, Values.of(new float[10_000]));
        LinkedBlockingQueue<Message> heard = new LinkedBlockingQueue<>();
        try (ServerSocketChannel deaf =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Links there = echo(Place.loopback(), LinkLimits.DEFAULT);
                Links links = new Links(Place.loopback(), limits, new Listener(heard))) {
            Link read = links.connect(there.place(), GREETING);
            read.send(BEAT);
            assertEquals(BEAT, heard.take());
            List<Link> unread = new ArrayList<>();
            for (int peer = 0; peer < 3; peer++) {
                unread.add(links.connect(Place.at(deaf), new Hello(Address.worker(peer), HERE)));
            }
            for (int full = 0; full < 100; full += links.areFull() ? 1 : 0) {
                for (Link link : unread) {
                    link.send(rows);
                    assertTrue(links.waitingBytes() <= 3 * limit / 2 + 3 * (Codec.length(rows) + 64));
                }
                assertTrue(read.send(BEAT));
            }
            assertEquals(BEAT, heard.take());
            links.sever();
            assertEquals(0, links.waitingBytes());
        }
    }

    /// Two send all of a message but its end, and so more together than may wait.
    @Test
    void what_is_half_here_is_bounded_over_all_connections_and_who_has_sent_most_goes() throws IOException {
        int limit = 1 << 20;
        LinkLimits limits = LinkLimits.DEFAULT.withHalfBytes(limit);
        try (Links links = echo(Place.loopback(), limits);
                SocketChannel much = channel(links);
                SocketChannel less = channel(links)) {
            List<ByteBuffer> most = frames(new Message.Rows(1, 0, 0, Values.of(new float[200_000])));
            List<ByteBuffer> some = frames(new Message.Rows(1, 0, 0, Values.of(new float[100_000])));
            long half = most.stream()
                    .limit(most.size() - 1)
                    .mapToLong(frame -> frame.remaining() - Codec.HEADER)
                    .sum();
            write(much, GREETING.encode());
            for (ByteBuffer frame : most.subList(0, most.size() - 1)) {
                write(much, frame);
            }
            while (links.halfBytes() < half) {
                assertFalse(Thread.interrupted(), links.halfBytes() + " of " + half + " bytes have come");
            }
            write(less, GREETING.encode());
            for (ByteBuffer frame : some.subList(0, some.size() - 1)) {
                write(less, frame);
            }
            assertEquals(-1, much.read(ByteBuffer.allocate(1)), "who has sent most is still connected");
            write(less, some.getLast());
            assertTrue(less.read(ByteBuffer.allocate(1)) > 0, "who has sent less is not answered");
            assertTrue(links.halfBytes() <= limit, links.halfBytes() + " bytes are half here");
        }
    }

    @Test
    void what_is_half_here_counts_until_it_is_a_message_or_its_connection_is_gone() throws IOException {
        ByteBuffer frame = ByteBuffer.allocate((int) Codec.length(BEAT));
        Codec.encode(BEAT, frame);
        int half = frame.flip().limit() / 2;
        try (Links links = echo(Place.loopback(), LinkLimits.DEFAULT)) {
            try (SocketChannel channel = channel(links)) {
                write(channel, GREETING.encode());
                write(channel, frame.slice(0, half));
                awaitHalf(links, half);
                write(channel, frame.slice(half, frame.limit() - half));
                awaitHalf(links, 0);
                write(channel, frame.slice(0, half));
                awaitHalf(links, half);
            }
            awaitHalf(links, 0);
        }
    }

    private static void awaitHalf(Links links, long bytes) {
        while (links.halfBytes() != bytes) {
            assertFalse(Thread.interrupted(), links.halfBytes() + " bytes are half here, not " + bytes);
        }
    }

    private static List<ByteBuffer> frames(Message message) {
        List<ByteBuffer> all = new ArrayList<>();
        Codec.encode(message, new Frames() {
            @Override
            public ByteBuffer take(int length) {
                return ByteBuffer.allocate(length);
            }

            @Override
            public void give(ByteBuffer frame) {
                all.add(frame);
            }
        });
        return all;
    }

    private static Message echoed(SocketChannel channel) throws IOException {
        return echoed(channel, GREETING.encode());
    }

    private static Message echoed(SocketChannel channel, ByteBuffer first) throws IOException {
        write(channel, first);
        ByteBuffer frame = ByteBuffer.allocate((int) Codec.length(BEAT));
        Codec.encode(BEAT, frame);
        write(channel, frame.flip());
        frame.clear();
        while (frame.hasRemaining() && channel.read(frame) >= 0) {}
        return Codec.decode(frame.flip(), Limits.DEFAULT);
    }

    private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Test
    void a_connection_that_cannot_be_made_is_told_as_closed() throws Exception {
        Place nowhere;
        try (Links gone = echo(Place.loopback(), LinkLimits.DEFAULT)) {
            nowhere = gone.place();
        }
        LinkedBlockingQueue<Link> closed = new LinkedBlockingQueue<>();
        try (Links links = new Links(Place.loopback(), LinkLimits.DEFAULT, new Echo(closed))) {
            Link link = links.connect(nowhere, GREETING);
            assertEquals(link, closed.poll(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void nobody_listens_where_strangers_could_come_in() throws IOException {
        Exception e =
                assertThrows(IllegalArgumentException.class, () -> echo(Place.of("tcp:0.0.0.0:0"), LinkLimits.DEFAULT));
        assertTrue(
                e.getMessage().startsWith("asked to listen at tcp:0.0.0.0:0, which other machines can reach"),
                e.getMessage());
        for (String own : List.of("tcp:127.0.0.1:0", "tcp:127.0.0.2:0", "tcp:localhost:0")) {
            echo(Place.of(own), LinkLimits.DEFAULT).close();
        }
    }

    @Test
    void a_message_longer_than_a_frame_is_the_fault_of_its_sender() throws IOException {
        LinkLimits small = LinkLimits.DEFAULT.withFrames(Limits.DEFAULT.withFrameBytes(100));
        try (Links links = echo(Place.loopback(), small)) {
            Link link = links.connect(links.place(), GREETING);
            Exception e = assertThrows(
                    IllegalArgumentException.class,
                    () -> link.send(new Message.Rows(1, 2, 0, Values.of(new float[100]))));
            assertTrue(e.getMessage().startsWith("a message of 445 bytes; it may have at most 100"), e.getMessage());
        }
    }

    @Test
    void places_are_read_as_they_are_written() {
        for (String place : List.of("tcp:127.0.0.1:80", "tcp:::1:0", "unix:/tmp/a:b")) {
            assertEquals(place, Place.of(place).toString());
        }
        for (String wrong : List.of("", "tcp:", "tcp:host", "tcp:host:x", "tcp:host:70000", "unix:", "/tmp/x")) {
            assertThrows(IllegalArgumentException.class, () -> Place.of(wrong), wrong);
        }
        assertTrue(Place.loopback().isLocal());
        assertTrue(!Place.of("tcp:192.0.2.1:80").isLocal());
    }

    private static SocketChannel channel(Links links) throws IOException {
        return switch (links.place()) {
            case Place.Tcp(String host, int port) -> SocketChannel.open(new InetSocketAddress(host, port));
            case Place.Unix(Path path) -> {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                channel.connect(UnixDomainSocketAddress.of(path));
                yield channel;
            }
        };
    }

    private static void assertSentAway(Links links, ByteBuffer words) throws IOException {
        try (SocketChannel channel = channel(links)) {
            while (words.hasRemaining()) {
                channel.write(words);
            }
            int answer;
            try {
                answer = channel.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                answer = -1; // reset, because not all of it was read
            }
            assertEquals(-1, answer);
        }
    }
}
