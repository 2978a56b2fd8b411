package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/// A batch whose checksum is right but whose numbers are not is refused, whoever made it.
class BatchCodecTest {

    /// Rows {7: 1, 9: 2} and {9: 1}: two keys, three entries, one value that is not 1.
    private static byte[] encoded() {
        Rows rows = new Rows();
        rows.add(7, 1);
        rows.add(9, 2);
        rows.end(1, 1, 0);
        rows.add(9, 1);
        rows.end(-1, 1, 1);
        Batch batch = new Batch();
        new Packer(64, false).pack(rows, 0, 2, 5, batch);
        byte[] bytes = new byte[(int) BatchCodec.roomFor(batch)];
        return Arrays.copyOf(bytes, BatchCodec.encode(batch, bytes));
    }

    private static Batch decoded(byte[] bytes) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 4, bytes.length - 4);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
        Batch batch = new Batch();
        BatchCodec.decode(bytes, bytes.length, batch);
        return batch;
    }

    private static final int KEYS = BatchCodec.HEADER_BYTES;
    private static final int LENGTHS = KEYS + 2 * 8 + 2;
    private static final int POSITIONS = LENGTHS + 2 * 2;
    private static final int MARKS = POSITIONS + 3 * 2;

    private static final int WIDE = (1 << 16) + 1;
    private static final int WIDE_LENGTHS = KEYS + 8 * WIDE + 2;
    private static final int WIDE_POSITIONS = WIDE_LENGTHS + 2 * 4;

    private static void refused(int at, int to, String why) {
        byte[] bytes = encoded();
        bytes[at] = (byte) to;
        String message = assertThrows(IOException.class, () -> decoded(bytes)).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void comes_back_as_it_was() throws IOException {
        Batch batch = decoded(encoded());
        assertEquals(2, batch.keyCount());
        assertEquals(5, batch.number());
        assertEquals(2, batch.values()[1]);
    }

    @Test
    void refuses_counts_that_do_not_go_with_the_length() {
        for (int count = 8; count <= 20; count += 4) {
            refused(count, 9, "as long as it says");
        }
    }

    /// So many fewer keys than none that the entries make up for it.
    @Test
    void refuses_fewer_keys_than_none() {
        byte[] bytes = encoded();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(16, -1).putInt(12, 15);
        assertThrows(IOException.class, () -> decoded(bytes));
    }

    /// So many fewer rows or entries than none that others make up for it, and so many fewer values that no marks are
    /// left.
    @Test
    void refuses_less_than_nothing() {
        refusedCounts(encoded(), -2, 9, 2, 1);
        refusedCounts(encoded(), 8, -4, 2, 2);
        refusedCounts(Arrays.copyOf(encoded(), MARKS), 2, 3, 2, -2);
    }

    private static void refusedCounts(byte[] bytes, int... counts) {
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(8)
                .asIntBuffer()
                .put(counts);
        assertEquals(
                "a batch is not as long as it says",
                assertThrows(IOException.class, () -> decoded(bytes)).getMessage());
    }

    /// Two rows of one key more than 16 bits can tell apart.
    private static ByteBuffer wide() {
        Rows rows = new Rows();
        for (int row = 0; row < 2; row++) {
            for (int key = 0; key < WIDE; key++) {
                rows.add(key, 1);
            }
            rows.end(1, 1, row);
        }
        Batch batch = new Batch();
        new Packer(64, false).pack(rows, 0, 2, 5, batch);
        byte[] bytes = new byte[(int) BatchCodec.roomFor(batch)];
        return ByteBuffer.wrap(Arrays.copyOf(bytes, BatchCodec.encode(batch, bytes)))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void refuses_long_positions_beyond_the_keys() throws IOException {
        assertEquals(WIDE, decoded(wide().array()).keyCount());
        for (int wrong : new int[] {-1, WIDE}) {
            byte[] bytes = wide().putInt(WIDE_POSITIONS, wrong).array();
            assertTrue(assertThrows(IOException.class, () -> decoded(bytes))
                    .getMessage()
                    .contains("points beyond its keys"));
        }
    }

    @Test
    void refuses_rows_shorter_than_nothing() {
        byte[] bytes = wide().putInt(WIDE_LENGTHS, -1)
                .putInt(WIDE_LENGTHS + 4, 2 * WIDE + 1)
                .array();
        assertTrue(assertThrows(IOException.class, () -> decoded(bytes))
                .getMessage()
                .contains("longer than the batch"));
    }

    @Test
    void refuses_positions_beyond_the_keys() {
        refused(POSITIONS, 2, "points beyond its keys");
        refused(POSITIONS + 3, 0x80, "points beyond its keys");
    }

    @Test
    void refuses_keys_out_of_order() {
        byte[] bytes = encoded();
        byte[] first = Arrays.copyOfRange(bytes, KEYS, KEYS + 8);
        System.arraycopy(bytes, KEYS + 8, bytes, KEYS, 8);
        System.arraycopy(first, 0, bytes, KEYS + 8, 8);
        assertTrue(assertThrows(IOException.class, () -> decoded(bytes))
                .getMessage()
                .contains("out of order"));
    }

    @Test
    void refuses_marks_that_do_not_go_with_the_values() {
        refused(MARKS, 0, "mark as many");
        refused(MARKS, 7, "mark as many");
        refused(MARKS, 8, "mark as many");
    }

    @Test
    void refuses_rows_that_do_not_add_up() {
        refused(LENGTHS, 1, "do not add up");
        refused(LENGTHS, 4, "longer than the batch");
    }
}
