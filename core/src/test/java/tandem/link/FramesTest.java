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
import tandem.wire.Values;

/// Frames through a channel that takes and gives as few bytes at a time as it likes.
class FramesTest {

    private final Buffers buffers = new Buffers();

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void all_frames_arrive_in_order_however_the_bytes_are_cut(long seed) throws IOException {
        SplittableRandom chance = new SplittableRandom(seed);
        Outgoing outgoing = new Outgoing(buffers, 1 << 22, new LongAdder());
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, new LongAdder());
        Pipe pipe = new Pipe(chance);
        List<Message.Rows> received = new ArrayList<>();
        int sent = 0;
        while (received.size() < 200) {
            if (sent < 200 && chance.nextInt(3) > 0) {
                int size = chance.nextInt(20) == 0 ? chance.nextInt(100_000) : chance.nextInt(50);
                Message rows = new Message.Rows(sent, size, Values.of(new float[size]));
                if (outgoing.admits(Codec.length(rows))) {
                    outgoing.add(rows, (int) Codec.length(rows));
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
        add(outgoing, new Message.Rows(1, 0, Values.of(new float[1000])));
        assertFalse(outgoing.writeTo(pipe));
        add(outgoing, new Message.Rows(2, 0, Values.of(new float[1000])));
        add(outgoing, new Message.Heartbeat(3, 0, 0));
        pipe.room = Integer.MAX_VALUE;
        assertTrue(outgoing.writeTo(pipe));
        List<Class<?>> order = new ArrayList<>();
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, new LongAdder());
        while (order.size() < 3) {
            incoming.read(pipe, message -> order.add(message.getClass()));
        }
        assertEquals(List.of(Message.Rows.class, Message.Heartbeat.class, Message.Rows.class), order);
    }

    @Test
    void what_waits_stays_below_the_limit_unless_it_is_one_frame() {
        Outgoing outgoing = new Outgoing(buffers, 1000, new LongAdder());
        assertTrue(outgoing.admits(5000));
        add(outgoing, new Message.Rows(1, 0, Values.of(new float[150])));
        assertTrue(outgoing.isPressed());
        assertTrue(outgoing.admits(100));
        assertFalse(outgoing.admits(5000));
        outgoing.clear();
        assertEquals(0, outgoing.bytes());
    }

    @Test
    void a_frame_that_claims_to_be_long_takes_memory_only_as_it_arrives() throws IOException {
        Incoming incoming = new Incoming(Limits.DEFAULT, buffers, new LongAdder());
        Pipe pipe = new Pipe(null);
        byte[] claim =
                ByteBuffer.allocate(12).putInt(4, Integer.reverseBytes(1 << 28)).array();
        pipe.write(ByteBuffer.wrap(claim));
        incoming.read(pipe, _ -> {});
        pipe.write(ByteBuffer.allocate(300_000));
        for (int i = 0; i < 10; i++) {
            incoming.read(pipe, _ -> {});
        }
        assertEquals(1 << 20, incoming.capacity());
    }

    @Test
    void a_frame_beyond_the_limit_is_refused_before_it_is_read() throws IOException {
        Incoming incoming = new Incoming(Limits.DEFAULT.withFrameBytes(100), buffers, new LongAdder());
        Pipe pipe = new Pipe(null);
        pipe.write(ByteBuffer.allocate(12)
                .putInt(4, Integer.reverseBytes(101))
                .flip()
                .limit(12));
        assertThrows(ProtocolError.class, () -> incoming.read(pipe, _ -> {}));
    }

    private static void add(Outgoing outgoing, Message message) {
        outgoing.add(message, (int) Codec.length(message));
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
            int count = some(Math.min(room, from.remaining()));
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
