package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/// Columns whose checksum is right but whose numbers are not are refused, whoever made them.
class ColumnCodecTest {

    private static final int PIECE = 5;
    private static final int COUNT = 8;
    private static final int ENTRIES = 12;
    private static final int VALUES = 16;
    private static final int KEYS = ColumnCodec.HEADER_BYTES;
    private static final int LENGTHS = KEYS + 2 * 8;
    private static final int ROWS = LENGTHS + 2 * 4;

    /// Set in the length of a column that has values.
    private static final int VALUED = Integer.MIN_VALUE;

    /// Columns 7 with rows 0 and 2, and 9 with values 3 and 4 in rows 1 and 2.
    private static ByteBuffer encoded() {
        ColumnCodec.Draft piece = new ColumnCodec.Draft();
        piece.begin(7, 2, false);
        piece.add(new int[] {0, 2}, null, 0, 2);
        piece.begin(9, 2, true);
        piece.add(new int[] {1, 2}, new float[] {3, 4}, 0, 2);
        return ByteBuffer.wrap(ColumnCodec.encode(piece, PIECE)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// As piece `number` of columns of three rows.
    private static Columns decoded(ByteBuffer bytes, int number) throws IOException {
        bytes.putInt(0, PieceFile.sum(bytes.array(), 4, bytes.capacity()));
        return ColumnCodec.decode(bytes.array(), number, 3);
    }

    private static void refused(ByteBuffer bytes, int number, String why) {
        String message =
                assertThrows(IOException.class, () -> decoded(bytes, number)).getMessage();
        assertTrue(message.contains(why), message);
    }

    private static void refused(int at, int to, String why) {
        refused(encoded().putInt(at, to), PIECE, why);
    }

    @Test
    void come_back_as_they_were() throws IOException {
        Columns columns = decoded(encoded(), PIECE);
        assertArrayEquals(new long[] {7, 9}, columns.keys());
        assertArrayEquals(new int[] {0, 2, 1, 2}, columns.rowNumbers());
        assertArrayEquals(new float[] {3, 4}, columns.values());
    }

    @Test
    void are_refused_in_the_place_of_others() {
        refused(encoded(), PIECE + 1, "not where they should be");
    }

    @Test
    void are_refused_unless_they_are_as_long_as_they_say() {
        refused(COUNT, 3, "as long as they say");
        refused(ENTRIES, 1 << 30, "as long as they say");
        refused(VALUES, 1, "as long as they say");
    }

    /// So many fewer than none of one that the others make up for it.
    @Test
    void are_refused_if_there_are_fewer_than_none_of_something() {
        refused(encoded().putInt(COUNT, -1).putInt(ENTRIES, 13), PIECE, "as long as they say");
        refused(encoded().putInt(ENTRIES, -2).putInt(VALUES, 8), PIECE, "as long as they say");
        refused(encoded().putInt(VALUES, -2).putInt(ENTRIES, 8), PIECE, "as long as they say");
    }

    @Test
    void are_refused_if_their_lengths_do_not_go_with_the_entries() {
        refused(LENGTHS, 5, "longer than all");
        refused(LENGTHS, 2 | VALUED, "longer than all");
        refused(LENGTHS, 1, "do not add up");
        refused(LENGTHS + 4, 2, "do not add up");
    }

    @Test
    void are_refused_if_their_keys_are_out_of_order() {
        refused(KEYS, 9, "keys of columns are out of order");
        refused(KEYS, 10, "keys of columns are out of order");
    }

    @Test
    void are_refused_if_their_rows_are_out_of_order_or_not_there() {
        refused(ROWS, 2, "out of order or not there");
        refused(ROWS, -1, "out of order or not there");
        refused(ROWS + 4, 3, "out of order or not there");
    }
}
