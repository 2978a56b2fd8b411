package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.math.Hash;

class CodecTest {

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_message_comes_back_as_it_was(long seed) {
        for (Message message : MadeMessages.of(seed)) {
            assertSame(message.detached(), Codec.decode(frame(message), Limits.DEFAULT));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_message_in_pieces_of_any_length_comes_back_as_it_was(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        Pieces pieces = new Pieces(Limits.DEFAULT, Room.NONE);
        for (Message message : MadeMessages.of(seed)) {
            List<ByteBuffer> frames = cut(message, chance);
            for (ByteBuffer frame : frames.subList(0, frames.size() - 1)) {
                assertNull(pieces.add(frame));
                Message between = new Message.Heartbeat(seed, 0, 0);
                assertEquals(between, pieces.add(frame(between)));
                assertThrows(ProtocolError.class, () -> Codec.decode(frame, Limits.DEFAULT));
            }
            assertSame(message.detached(), pieces.add(frames.getLast()));
            assertFalse(pieces.keeps());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void arrays_filled_as_pieces_come_are_those_made_in_the_end(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        Counted room = new Counted(chance.nextBoolean() ? Long.MAX_VALUE : 1000);
        Pieces ahead = new Pieces(Limits.DEFAULT, room);
        Pieces plain = new Pieces(Limits.DEFAULT, Room.NONE);
        for (Message message : MadeMessages.of(seed)) {
            Message made = null;
            Message expected = null;
            for (ByteBuffer frame : cut(message, chance)) {
                expected = plain.add(ByteBuffer.wrap(frame.array().clone(), 0, frame.limit()));
                made = ahead.add(frame);
                if (!ahead.keeps()) {
                    Arrays.fill(frame.array(), (byte) 0x55);
                }
            }
            assertSame(expected.detached(), made);
            assertEquals(0, room.taken);
        }
        assertTrue(room.most > 0, "nothing was made ahead");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void changed_pieces_are_refused_whether_arrays_are_filled_as_they_come_or_not(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        for (Message message : MadeMessages.of(seed)) {
            List<byte[]> frames = new ArrayList<>();
            cut(message, chance).forEach(frame -> frames.add(Arrays.copyOf(frame.array(), frame.limit())));
            int changed = chance.nextInt(frames.size());
            frames.set(changed, mutated(frames.get(changed), chance));
            Counted room = new Counted(Long.MAX_VALUE);
            Pieces ahead = new Pieces(Limits.DEFAULT, room);
            Message plain = made(frames, new Pieces(Limits.DEFAULT, Room.NONE));
            assertSame(plain == null ? null : plain.detached(), made(frames, ahead));
            ahead.clear();
            assertEquals(0, room.taken);
        }
    }

    /// The message that some frames are, or null if they are refused.
    private static Message made(List<byte[]> frames, Pieces pieces) {
        Message made = null;
        try {
            for (byte[] frame : frames) {
                made = pieces.add(ByteBuffer.wrap(frame));
            }
        } catch (ProtocolError _) {
            return null;
        }
        return made;
    }

    @Test
    void no_array_is_made_ahead_beyond_the_room_or_the_limit() {
        SplittableRandom chance = new SplittableRandom(1);
        ByteBuffer piece = cut(new Message.Rows(1, 2, 0, Values.of(new float[500])), chance)
                .getFirst()
                .order(ByteOrder.LITTLE_ENDIAN);
        int count = Codec.HEADER + 8 + 8 + 8 + 4 + 1;
        assertEquals(500, piece.getInt(count));
        piece.putInt(count, 1 << 26);
        byte[] claim = Arrays.copyOf(piece.array(), piece.limit());
        seal(claim);
        Pieces little = new Pieces(Limits.DEFAULT, new Counted(1 << 20));
        Pieces limited = new Pieces(Limits.DEFAULT.withFrameBytes(1 << 27), new Counted(Long.MAX_VALUE));
        long before = allocated();
        assertNull(little.add(ByteBuffer.wrap(claim)));
        assertNull(limited.add(ByteBuffer.wrap(claim)));
        assertTrue(allocated() - before < 1 << 20, "bytes allocated: " + (allocated() - before));
        assertTrue(little.keeps());
    }

    /// So much room, counted.
    private static final class Counted implements Room {

        private final long all;
        private long taken;
        private long most;

        Counted(long all) {
            this.all = all;
        }

        @Override
        public boolean take(long bytes) {
            if (bytes > all - taken) {
                return false;
            }
            taken += bytes;
            most = Math.max(most, taken);
            return true;
        }

        @Override
        public void give(long bytes) {
            taken -= bytes;
        }
    }

    @Test
    void pieces_of_different_messages_do_not_mix() {
        SplittableRandom chance = new SplittableRandom(1);
        Pieces pieces = new Pieces(Limits.DEFAULT, Room.NONE);
        assertNull(pieces.add(cut(new Message.Rows(1, 2, 0, Values.of(new float[500])), chance)
                .getFirst()));
        ByteBuffer other = cut(new Message.Order(1, new byte[500]), chance).getFirst();
        assertTrue(assertThrows(ProtocolError.class, () -> pieces.add(other))
                .getMessage()
                .contains("a piece of a message of kind 11 among those of one of kind 4"));
    }

    @Test
    void pieces_are_no_more_together_than_a_message_may_be() {
        List<ByteBuffer> frames = cut(new Message.Order(1, new byte[500]), new SplittableRandom(1));
        Pieces pieces = new Pieces(Limits.DEFAULT.withFrameBytes(500), Room.NONE);
        ProtocolError e = assertThrows(ProtocolError.class, () -> frames.forEach(pieces::add));
        assertEquals("a message of more than 500 bytes in pieces", e.getMessage());
        assertTrue(pieces.areMissing());
        pieces.clear();
        assertFalse(pieces.areMissing());
    }

    @Test
    void pieces_neither_end_inside_an_array_that_is_filled_nor_inside_one_of_its_numbers() {
        Message rows = new Message.Rows(1, 2, 0, Values.of(new float[500]));
        ByteBuffer first = cut(rows, new SplittableRandom(1)).getFirst();
        Pieces ended = new Pieces(Limits.DEFAULT, new Counted(Long.MAX_VALUE));
        ended.add(first);
        ByteBuffer empty = piece(Kinds.ROWS, Codec.LAST, 0);
        assertEquals(
                "the message ends inside an array",
                assertThrows(ProtocolError.class, () -> ended.add(empty)).getMessage());
        Pieces torn = new Pieces(Limits.DEFAULT, new Counted(Long.MAX_VALUE));
        torn.add(first);
        assertEquals(
                "a piece ends inside one of the values",
                assertThrows(ProtocolError.class, () -> torn.add(piece(Kinds.ROWS, Codec.MORE, 7)))
                        .getMessage());
    }

    private static ByteBuffer piece(int kind, int flags, int bytes) {
        ByteBuffer frame = ByteBuffer.allocate(Codec.HEADER + bytes).order(ByteOrder.LITTLE_ENDIAN);
        Codec.seal(frame, kind, flags);
        return frame;
    }

    /// Each costs to read all fields before it once more.
    @Test
    void only_so_many_arrays_of_a_message_are_made_ahead() {
        Values[] many = new Values[100];
        Arrays.fill(many, Values.of(new float[1000]));
        Counted room = new Counted(Long.MAX_VALUE);
        Pieces pieces = new Pieces(Limits.DEFAULT, room);
        Message made = null;
        for (ByteBuffer frame : cut(new Message.Rows(1, 2, 0, many), () -> 1000)) {
            made = pieces.add(frame);
        }
        assertEquals(100, ((Message.Rows) made).values().length);
        assertEquals(64 * 4000, room.most);
    }

    private static List<ByteBuffer> cut(Message message, SplittableRandom chance) {
        return cut(message, () -> 8 + chance.nextInt(100));
    }

    /// @param bytes how many of the message are in the next piece, at most
    private static List<ByteBuffer> cut(Message message, IntSupplier bytes) {
        List<ByteBuffer> frames = new ArrayList<>();
        Codec.encode(message, new Frames() {

            @Override
            public ByteBuffer take(int most) {
                return ByteBuffer.allocate(Codec.HEADER + bytes.getAsInt());
            }

            @Override
            public void give(ByteBuffer frame) {
                frames.add(frame);
            }
        });
        return frames;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void direct_buffers_and_offsets_make_the_same_bytes(long seed) {
        for (Message message : MadeMessages.of(seed)) {
            ByteBuffer plain = frame(message);
            ByteBuffer direct = ByteBuffer.allocateDirect(plain.remaining() + 5).position(3);
            Codec.encode(message, direct);
            assertEquals(plain, direct.flip().position(3));
            assertSame(message.detached(), Codec.decode(direct, Limits.DEFAULT));
        }
    }

    @Test
    void there_is_an_example_of_every_kind() {
        long kinds =
                MadeMessages.of(0).stream().map(Object::getClass).distinct().count();
        assertEquals(kindsOf(Message.class), kinds);
    }

    private static long kindsOf(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .mapToLong(one -> one.isSealed() ? kindsOf(one) : 1)
                .sum();
    }

    /// If this fails the format has changed: nodes of different releases no longer understand each other, so raise
    /// the version.
    @Test
    void the_bytes_of_a_frame_never_change() {
        Keys keys = Keys.known(new long[] {7, 258, -1}, 3, new Hash.Signature(1, 2));
        Part part = new Part(3, 4, keys, 1, 3, 1, Values.of(9f, 1, -2).piece(1, 2));
        Message.Update update = new Message.Update(5, 6, 7, 8, 9, new Part[] {part});
        assertEquals(
                "2fa44844" // checksum
                        + "73000000" + "03" + "01" + "0000" // length, version, kind
                        + "0500000000000000" + "06000000" + "0700000000000000" // epoch, stream, lease
                        + "0800000000000000" + "0900000000000000" + "00" // sequence, clock, no age
                        + "01000000" + "03000000" + "04000000" + "02000000" + "01000000" + "07" // one part
                        + "0100000000000000" + "0200000000000000" // signature
                        + "0201000000000000" + "ffffffffffffffff" // keys
                        + "01" + "02000000" + "0000803f" + "000000c0", // values
                HexFormat.of().formatHex(frame(update).array()));
    }

    @Test
    void a_list_that_is_known_travels_as_its_signature() {
        Keys keys = Keys.repeated(new long[1000], 1000);
        Message full = pull(new Part(0, 0, keys, 0, 1000, 1, null));
        Message bare = pull(new Part(0, 0, keys.bare(), 0, 1000, 1, null));
        assertEquals(8000, Codec.length(full) - Codec.length(bare));
        Part part = ((Message.Pull) Codec.decode(frame(bare), Limits.DEFAULT)).parts()[0];
        assertNull(part.keys().list());
        assertEquals(1000, part.count());
        assertEquals(keys.signature(), part.keys().signature());
    }

    @Test
    void a_frame_that_ends_early_is_refused_wherever_it_ends() {
        for (Message message : MadeMessages.of(3)) {
            byte[] whole = frame(message).array();
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThrows(ProtocolError.class, () -> Codec.decode(ByteBuffer.wrap(cut), Limits.DEFAULT));
                if (length >= Codec.HEADER) {
                    seal(cut);
                    assertThrows(ProtocolError.class, () -> Codec.decode(ByteBuffer.wrap(cut), Limits.DEFAULT));
                }
            }
        }
    }

    @Test
    void a_flipped_bit_is_noticed_wherever_it_is() {
        for (Message message : MadeMessages.of(4)) {
            byte[] bytes = frame(message).array();
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                assertThrows(ProtocolError.class, () -> Codec.decode(ByteBuffer.wrap(bytes), Limits.DEFAULT));
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
    }

    @Test
    void a_frame_of_another_version_or_kind_says_so() {
        assertRefused("version 1", new Message.Heartbeat(1, 2, 3), frame -> frame.put(8, (byte) 1));
        assertRefused("kind 99", new Message.Heartbeat(1, 2, 3), frame -> frame.put(9, (byte) 99));
        assertRefused("flags 3", new Message.Heartbeat(1, 2, 3), frame -> frame.put(10, (byte) 3));
        assertRefused("flags -1", new Message.Heartbeat(1, 2, 3), frame -> frame.putShort(10, (short) -1));
    }

    @Test
    void bytes_that_are_left_over_are_refused() {
        Message message = new Message.Heartbeat(1, 2, 3);
        byte[] longer = Arrays.copyOf(frame(message).array(), (int) Codec.length(message) + 1);
        seal(longer);
        ProtocolError e =
                assertThrows(ProtocolError.class, () -> Codec.decode(ByteBuffer.wrap(longer), Limits.DEFAULT));
        assertEquals("1 bytes are left over at the end of a message", e.getMessage());
    }

    @Test
    void numbers_that_cannot_be_are_refused() {
        Keys keys = Keys.repeated(new long[] {1, 2}, 2);
        Message pull = pull(new Part(0, 0, keys.bare(), 0, 2, 1, null));
        int parts = (int) Codec.length(pull) - 16 - 17;
        assertRefused("use a number above 0", pull, frame -> frame.putDouble(12 + 36, 0));
        assertRefused("0 or 1", pull, frame -> frame.put(12 + 44, (byte) 2));
        assertRefused("with -1 rows", pull, frame -> frame.putInt(parts + 8, -1));
        assertRefused("no keys", pull, frame -> frame.put(parts + 16, (byte) 0));
        assertRefused("not known here", pull, frame -> frame.put(parts + 16, (byte) 15));
    }

    @Test
    void lengths_are_held_against_the_bytes_that_are_there_before_anything_is_allocated() {
        Message rows = new Message.Rows(1, 2, 0, Values.of(new float[3]));
        long before = allocated();
        for (int count = 4; count < Limits.DEFAULT.frameBytes() && count > 0; count *= 3) {
            int lie = count;
            assertRefused("message ends inside values", rows, frame -> frame.putInt(12 + 29, lie));
        }
        assertRefused(
                "message ends inside",
                pull(new Part(0, 0, Keys.once(new long[2], 2), 0, 2, 1, null)),
                frame -> frame.putInt(frame.limit() - 16 - 9, 1 << 25));
        Message computed = new Message.Computed(1, 2, Figures.of(1, 2, 3));
        for (int count = 4; count < Limits.DEFAULT.frameBytes() / 8 && count > 0; count *= 5) {
            int lie = count;
            assertRefused("message ends inside", computed, frame -> frame.putInt(12 + 20, lie));
            assertRefused("message ends inside", computed, frame -> frame.putInt(12 + 24, lie));
        }
        assertRefused("65537 results", computed, frame -> frame.putInt(12 + 16, 65_537));
        Message ragged = new Message.Rows(1, 2, 0, Values.Ragged.packed(new float[3], 1, 2));
        int at = 12 + 24 + 4 + 1;
        assertRefused("ends inside rows", ragged, frame -> frame.putInt(at, 1 << 24));
        assertRefused("rows of 4 values in all; there are 3", ragged, frame -> frame.putInt(at + 8, 2));
        assertRefused("a row of length -1", ragged, frame -> frame.putInt(at + 8, -1));
        assertRefused("4294967295 values", rows, frame -> frame.putInt(12 + 29, -1));
        assertRefused("4294967295 pieces of rows", rows, frame -> frame.putInt(12 + 24, -1));
        assertTrue(allocated() - before < 10_000_000, "allocated " + (allocated() - before));
    }

    @Test
    void a_frame_longer_than_the_limit_is_refused_by_its_first_bytes() {
        Limits small = Limits.DEFAULT.withFrameBytes(100);
        ByteBuffer head = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(-1, Codec.frameLength(head.duplicate().limit(11), small));
        assertEquals(100, Codec.frameLength(head.putInt(4, 100), small));
        assertEquals(100, Codec.frameLength(head.order(ByteOrder.BIG_ENDIAN), small));
        head.order(ByteOrder.LITTLE_ENDIAN);
        assertThrows(ProtocolError.class, () -> Codec.frameLength(head.putInt(4, 101), small));
        assertThrows(ProtocolError.class, () -> Codec.frameLength(head.putInt(4, 11), small));
        assertThrows(ProtocolError.class, () -> Codec.frameLength(head.putInt(4, -1), small));
    }

    /// Whatever the bytes are, the one thing that may come of them besides a message is a protocol error.
    @ParameterizedTest
    @MethodSource("seeds")
    void changed_bytes_under_a_right_checksum_end_in_a_message_or_a_protocol_error(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        for (Message message : MadeMessages.of(seed)) {
            for (int round = 0; round < 200; round++) {
                byte[] bytes = mutated(frame(message).array(), chance);
                try {
                    Codec.length(Codec.decode(ByteBuffer.wrap(bytes), Limits.DEFAULT));
                } catch (ProtocolError e) {
                    assertNotEquals("", e.getMessage());
                } catch (RuntimeException e) {
                    throw new AssertionError(
                            "seed " + seed + ": " + HexFormat.of().formatHex(bytes), e);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void changed_pieces_end_in_a_message_or_a_protocol_error(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        for (Message message : MadeMessages.of(seed)) {
            Pieces pieces = new Pieces(Limits.DEFAULT, Room.NONE);
            try {
                for (ByteBuffer frame : cut(message, chance)) {
                    byte[] bytes = Arrays.copyOf(frame.array(), frame.limit());
                    Message made = pieces.add(ByteBuffer.wrap(mutated(bytes, chance)));
                    if (made != null) {
                        Codec.length(made);
                    }
                }
            } catch (ProtocolError e) {
                assertNotEquals("", e.getMessage());
            }
        }
    }

    private static byte[] mutated(byte[] frame, SplittableRandom chance) {
        byte[] bytes =
                chance.nextInt(4) > 0 ? frame : Arrays.copyOf(frame, Codec.HEADER + chance.nextInt(2 * frame.length));
        int from = chance.nextInt(10) == 0 ? 8 : Codec.HEADER;
        for (int changes = chance.nextInt(4); changes >= 0 && bytes.length > from; changes--) {
            int at = chance.nextInt(from, bytes.length);
            bytes[at] = (byte) (chance.nextBoolean() ? chance.nextInt(256) : bytes[at] ^ 1 << chance.nextInt(8));
        }
        seal(bytes);
        return bytes;
    }

    private static void assertRefused(String why, Message message, Consumer<ByteBuffer> change) {
        ByteBuffer frame = frame(message);
        change.accept(frame);
        seal(frame.array());
        ProtocolError e = assertThrows(ProtocolError.class, () -> Codec.decode(frame, Limits.DEFAULT));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    private static Message pull(Part part) {
        return new Message.Pull(1, 2, 3, tandem.consistency.After.NOTHING, false, new Part[] {part});
    }

    private static ByteBuffer frame(Message message) {
        ByteBuffer frame = ByteBuffer.allocate((int) Codec.length(message)).order(ByteOrder.LITTLE_ENDIAN);
        Codec.encode(message, frame);
        assertEquals(0, frame.remaining());
        return frame.flip();
    }

    /// Makes length and checksum right again.
    private static void seal(byte[] bytes) {
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(4, bytes.length);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 4, bytes.length - 4);
        frame.putInt(0, (int) crc.getValue());
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    /// Records with arrays compare by identity, so their components are compared one by one.
    private static void assertSame(Object expected, Object actual) {
        switch (expected) {
            case Object[] array -> {
                assertEquals(array.length, ((Object[]) actual).length);
                for (int i = 0; i < array.length; i++) {
                    assertSame(array[i], ((Object[]) actual)[i]);
                }
            }
            case long[] array -> assertArrayEquals(array, (long[]) actual);
            case int[] array -> assertArrayEquals(array, (int[]) actual);
            case float[] array -> assertArrayEquals(array, (float[]) actual);
            case double[] array -> assertArrayEquals(array, (double[]) actual);
            case byte[] array -> assertArrayEquals(array, (byte[]) actual);
            case Values values -> assertSameRecord((Record) values.detached(), actual);
            case Record record -> assertSameRecord(record, actual);
            case null -> assertNull(actual);
            default -> assertEquals(expected, actual);
        }
    }

    private static void assertSameRecord(Record expected, Object actual) {
        assertEquals(expected.getClass(), actual.getClass());
        for (RecordComponent component : expected.getClass().getRecordComponents()) {
            try {
                assertSame(
                        component.getAccessor().invoke(expected),
                        component.getAccessor().invoke(actual));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }
}
