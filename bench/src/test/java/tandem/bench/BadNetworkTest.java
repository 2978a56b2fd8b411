package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.link.Place;
import tandem.wire.Address;

/// A worker that opens a connection to a server, and what the network between them does.
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadNetworkTest {

    private static final Address WORKER = Address.worker(0);
    private static final Address SERVER = Address.server(3);
    private static final int FRAME = 100;
    private static final int SOON_MILLIS = 150;

    private final BadNetwork network = new BadNetwork();
    private ServerSocket listener;
    private Place.Tcp door;

    @BeforeEach
    void open() throws IOException {
        listener = new ServerSocket(0, 8, InetAddress.getByName("127.0.0.3"));
        door = (Place.Tcp) network.open(SERVER, "127.0.0.4", new Place.Tcp("127.0.0.3", listener.getLocalPort()));
    }

    @AfterEach
    void close() throws IOException {
        network.close();
        listener.close();
    }

    private static byte[] frame(int number) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME).order(ByteOrder.LITTLE_ENDIAN);
        return frame.putInt(number).putInt(FRAME).array();
    }

    private static byte[] hello() {
        return ByteBuffer.allocate(32)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("TANDEM\0\1".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(WORKER.role().code())
                .putInt(WORKER.number())
                .putInt(SERVER.role().code())
                .putInt(SERVER.number())
                .array();
    }

    /// Both ends of a connection through the door.
    private final class Ends implements AutoCloseable {

        final Socket worker = new Socket(door.host(), door.port());
        final Socket server;

        Ends() throws IOException {
            worker.getOutputStream().write(hello());
            server = listener.accept();
            assertArrayEquals(hello(), server.getInputStream().readNBytes(32));
        }

        void say(int number) throws IOException {
            worker.getOutputStream().write(frame(number));
        }

        byte[] heard() throws IOException {
            return server.getInputStream().readNBytes(FRAME);
        }

        void hearsNothing() throws IOException {
            server.setSoTimeout(SOON_MILLIS);
            assertThrows(
                    SocketTimeoutException.class, () -> server.getInputStream().read());
            server.setSoTimeout(0);
        }

        @Override
        public void close() throws IOException {
            worker.close();
            server.close();
        }
    }

    @Test
    void without_trouble_everything_arrives_in_both_directions() throws IOException {
        try (Ends ends = new Ends()) {
            ends.say(1);
            assertArrayEquals(frame(1), ends.heard());
            ends.server.getOutputStream().write(frame(2));
            assertArrayEquals(frame(2), ends.worker.getInputStream().readNBytes(FRAME));
            assertEquals(0, network.harmed());
        }
    }

    @Test
    void a_flip_changes_one_bit() throws IOException {
        try (Ends ends = new Ends()) {
            network.setAll(new Trouble.Flip(1));
            ends.say(5);
            BitSet difference = BitSet.valueOf(ends.heard());
            difference.xor(BitSet.valueOf(frame(5)));
            assertEquals(1, difference.cardinality());
        }
    }

    @Test
    void what_is_lost_does_not_come_later_and_what_is_behind_it_does() throws IOException {
        try (Ends ends = new Ends()) {
            network.set(WORKER, SERVER, new Trouble.Loss(1));
            ends.say(1);
            ends.hearsNothing();
            network.heal();
            ends.say(2);
            assertArrayEquals(frame(2), ends.heard());
            assertEquals(1, network.harmed());
        }
    }

    @Test
    void a_hole_in_one_direction_leaves_the_other_and_what_was_said_comes_when_it_is_gone() throws IOException {
        try (Ends ends = new Ends()) {
            network.set(WORKER, SERVER, new Trouble.Hole());
            ends.say(1);
            ends.hearsNothing();
            ends.server.getOutputStream().write(frame(2));
            assertArrayEquals(frame(2), ends.worker.getInputStream().readNBytes(FRAME));
            network.heal();
            assertArrayEquals(frame(1), ends.heard());
        }
    }

    @Test
    void a_cut_closes_what_there_is_and_what_comes_until_it_is_healed() throws IOException {
        try (Ends ends = new Ends()) {
            network.set(SERVER, WORKER, new Trouble.Cut());
            assertEquals(-1, ends.worker.getInputStream().read());
            assertEquals(-1, ends.server.getInputStream().read());
        }
        try (Socket again = new Socket(door.host(), door.port())) {
            again.getOutputStream().write(hello());
            assertEquals(-1, again.getInputStream().read());
        }
        network.heal();
        try (Ends ends = new Ends()) {
            ends.say(1);
            assertArrayEquals(frame(1), ends.heard());
        }
    }

    @Test
    void late_and_slow_frames_take_their_time() throws IOException {
        try (Ends ends = new Ends()) {
            network.setAll(new Trouble.Delay(Duration.ofMillis(SOON_MILLIS)));
            assertTrue(millisFor(ends) >= SOON_MILLIS);
            network.setAll(new Trouble.Rate(1_000L * FRAME / SOON_MILLIS));
            assertTrue(millisFor(ends) >= SOON_MILLIS);
        }
    }

    private static long millisFor(Ends ends) throws IOException {
        long start = System.nanoTime();
        ends.say(1);
        assertArrayEquals(frame(1), ends.heard());
        return (System.nanoTime() - start) / 1_000_000 + 1;
    }

    @Test
    void who_says_nothing_that_a_node_says_is_not_let_in() throws IOException {
        try (Socket stranger = new Socket(door.host(), door.port())) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\nHost: examples\r\n".getBytes(StandardCharsets.UTF_8));
            assertEquals(-1, stranger.getInputStream().read());
        }
    }
}
