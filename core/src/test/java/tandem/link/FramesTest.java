package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.ProtocolError;
import tandem.wire.Room;
import tandem.wire.Values;

/// Frames through a channel that takes and gives as few bytes at a time as it likes.
class FramesTest {

    private final Buffers buffers = new Buffers();
    private final Room room = new SharedRoom();

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void all_frames_arrive_in_order_however_the_bytes_are_cut(long seed) throws IOException {
        SplittableRandom chance = new SplittableRandom(seed);
        Outgoing outgoing = new Outgoing(buffers, 1 << 22, new LongAdder());
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, room, new LongAdder());
        Pipe pipe = new Pipe(chance);
        List<Message.Rows> received = new ArrayList<>();
        int sent = 0;
        while (received.size() < 200) {
            if (sent < 200 && chance.nextInt(3) > 0) {
                int size = chance.nextInt(20) == 0 ? chance.nextInt(300_000) : chance.nextInt(50);
                Message rows = new Message.Rows(sent, size, 0, Values.of(new float[size]));
                if (outgoing.admits(Codec.length(rows))) {
                    outgoing.add(rows, Codec.length(rows), chance.nextBoolean() ? pipe : null);
                    sent++;
                }
            }
            outgoing.writeTo(pipe);
            incoming.read(pipe, message -> received.add((Message.Rows) message));
        }
        assertEquals(0, outgoing.bytes());
        for (int i = 0; i < 200; i++) {
            assertEquals(i, received.get(i).request());
            assertEquals(
                    received.get(i).slowest(), ((Values.Floats) received.get(i).values()[0]).length());
        }
    }

    @Test
    void a_heartbeat_overtakes_rows_that_wait_but_not_those_half_sent() throws IOException {
        Outgoing outgoing = new Outgoing(buffers, 1 << 22, new LongAdder());
        Pipe pipe = new Pipe(null);
        pipe.room = 1000;
        add(outgoing, new Message.Rows(1, 0, 0, Values.of(new float[1000])));
        assertFalse(outgoing.writeTo(pipe));
        add(outgoing, new Message.Rows(2, 0, 0, Values.of(new float[1000])));
        add(outgoing, new Message.Heartbeat(3, 0, 0));
        pipe.room = Integer.MAX_VALUE;
        assertTrue(outgoing.writeTo(pipe));
        List<Class<?>> order = new ArrayList<>();
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, room, new LongAdder());
        while (order.size() < 3) {
            incoming.read(pipe, message -> order.add(message.getClass()));
        }
        assertEquals(List.of(Message.Rows.class, Message.Heartbeat.class, Message.Rows.class), order);
    }

    @Test
    void what_waits_stays_below_the_limit_unless_it_is_one_message() throws IOException {
        Outgoing outgoing = new Outgoing(buffers, 1000, new LongAdder());
        assertTrue(outgoing.admits(5000));
        add(outgoing, new Message.Rows(1, 0, 0, Values.of(new float[150])));
        assertTrue(outgoing.isPressed());
        assertTrue(outgoing.admits(100));
        assertFalse(outgoing.admits(5000));
        outgoing.clear();
        assertEquals(0, outgoing.bytes());
    }

    @Test
    void a_heartbeat_travels_between_the_pieces_of_a_message_that_is_half_sent() throws IOException {
        Outgoing outgoing = new Outgoing(buffers, 1 << 26, new LongAdder());
        Pipe pipe = new Pipe(null);
        pipe.room = 200_000;
        float[] numbers = new float[1_000_000];
        numbers[999_999] = 7;
        outgoing.add(new Message.Rows(1, 0, 0, Values.of(numbers)), 4_000_000, pipe);
        assertEquals(0, pipe.room);
        add(outgoing, new Message.Heartbeat(3, 0, 0));
        pipe.room = Integer.MAX_VALUE;
        assertTrue(outgoing.writeTo(pipe));
        List<Message> received = new ArrayList<>();
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, room, new LongAdder());
        long before = 0;
        while (received.size() < 2) {
            incoming.read(pipe, received::add);
            before = received.isEmpty() ? pipe.bytes.position() : before;
        }
        assertEquals(new Message.Heartbeat(3, 0, 0), received.getFirst());
        assertTrue(before > 3_000_000, "most of the rows come after it, " + before + " bytes");
        assertEquals(7, ((Values.Floats) ((Message.Rows) received.getLast()).values()[0]).array()[999_999]);
    }

    @Test
    void pieces_take_memory_only_as_they_arrive_and_only_up_to_the_limit() throws IOException {
        Outgoing outgoing = new Outgoing(buffers, 1 << 26, new LongAdder());
        Pipe pipe = new Pipe(null);
        outgoing.add(new Message.Rows(1, 0, 0, Values.of(new float[1_000_000])), 4_000_000, pipe);
        Incoming incoming = new Incoming(Limits.DEFAULT.withFrameBytes(3_000_000), buffers, room, new LongAdder());
        long arrived = 0;
        int left = pipe.bytes.position();
        for (int i = 0; i < 4; i++) {
            incoming.read(pipe, _ -> true);
            arrived += left - pipe.bytes.position();
            left = pipe.bytes.position();
            assertTrue(incoming.capacity() <= 2 * arrived + (1 << 20), incoming.capacity() + " of " + arrived);
        }
        assertThrows(ProtocolError.class, () -> {
            while (true) {
                incoming.read(pipe, _ -> true);
            }
        });
    }

    @Test
    void no_more_is_handed_on_after_a_no_until_it_is_asked_for() throws IOException {
        Outgoing outgoing = new Outgoing(buffers, 1 << 22, new LongAdder());
        Pipe pipe = new Pipe(null);
        for (int beat = 0; beat < 3; beat++) {
            add(outgoing, new Message.Heartbeat(beat, 0, 0));
        }
        outgoing.writeTo(pipe);
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, room, new LongAdder());
        List<Message> received = new ArrayList<>();
        incoming.read(pipe, message -> !received.add(message));
        assertEquals(1, received.size());
        incoming.deliver(message -> !received.add(message));
        assertEquals(2, received.size());
        incoming.deliver(received::add);
        assertEquals(new Message.Heartbeat(2, 0, 0), received.getLast());
    }

    @Test
    void a_frame_longer_than_a_piece_is_refused_before_it_is_read() throws IOException {
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, room, new LongAdder());
        Pipe pipe = new Pipe(null);
        pipe.write(ByteBuffer.allocate(12).putInt(4, Integer.reverseBytes(Codec.PIECE + 1)));
        assertThrows(ProtocolError.class, () -> incoming.read(pipe, _ -> true));
    }

    @Test
    void a_frame_beyond_the_limit_is_refused_before_it_is_read() throws IOException {
        Incoming incoming = new Incoming(Limits.DEFAULT.withFrameBytes(100), buffers, room, new LongAdder());
        Pipe pipe = new Pipe(null);
        pipe.write(ByteBuffer.allocate(12)
                .putInt(4, Integer.reverseBytes(101))
                .flip()
                .limit(12));
        assertThrows(ProtocolError.class, () -> incoming.read(pipe, _ -> true));
    }

    private static void add(Outgoing outgoing, Message message) throws IOException {
        outgoing.add(message, Codec.length(message), null);
    }

    /// Takes and gives some of the bytes it could; all of them without chance.
    private static final class Pipe implements ByteChannel {

        private final SplittableRandom chance;
        private final ByteBuffer bytes = ByteBuffer.allocate(1 << 23);
        private int room = Integer.MAX_VALUE;

        Pipe(SplittableRandom chance) {
            this.chance = chance;
        }

        private int some(int most) {
            return chance == null || most == 0 ? most : chance.nextInt(4) == 0 ? 0 : 1 + chance.nextInt(most);
        }

        @Override
        public int write(ByteBuffer from) {
            int count = some(Math.min(Math.min(room, bytes.remaining()), from.remaining()));
            room -= room == Integer.MAX_VALUE ? 0 : count;
            bytes.put(from.slice(from.position(), count));
            from.position(from.position() + count);
            return count;
        }

        @Override
        public int read(ByteBuffer into) {
            bytes.flip();
            int count = some(Math.min(into.remaining(), bytes.remaining()));
            into.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count).compact();
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
