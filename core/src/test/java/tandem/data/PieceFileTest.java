package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A file whose end does not go with the rest of it is refused, whoever made it.
@Timeout(30)
class PieceFileTest {

    private static final PieceFile.Kind KIND = PieceFile.Kind.of("a file of a test", "TESTS", 1, 4);
    private static final byte[] HEADER = {1, 2, 3, 4};

    /// Two pieces of six bytes.
    private static final int AT = PieceFile.MAGIC_BYTES + 2 * 6;

    @TempDir
    Path directory;

    private static byte[] file(byte[] header, long[] starts, int... lengths) {
        ByteBuffer end = PieceFile.end(KIND, header, starts, lengths, AT);
        return ByteBuffer.allocate(AT + end.remaining())
                .put(KIND.bytes())
                .put(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
                .put(end)
                .array();
    }

    private static byte[] good() {
        return file(HEADER, new long[] {8, 14}, 6, 6);
    }

    private Path written(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("file"), bytes);
    }

    private void refused(String why, byte[] bytes) throws IOException {
        Path path = written(bytes);
        assertEquals(
                why,
                assertThrows(IOException.class, () -> PieceFile.open(KIND, path))
                        .getMessage());
    }

    /// The same with something else in its last 32 bytes.
    private void refusedEnd(String why, Consumer<ByteBuffer> change) throws IOException {
        byte[] bytes = good();
        change.accept(ByteBuffer.wrap(bytes, bytes.length - 32, 32).slice().order(ByteOrder.LITTLE_ENDIAN));
        refused(why, bytes);
    }

    @Test
    void comes_back_as_it_was() throws IOException {
        PieceFile.Opened opened = PieceFile.open(KIND, written(good()));
        try (var _ = opened.file()) {
            byte[] piece = new byte[6];
            opened.read(1, piece);
            assertArrayEquals(new byte[] {6, 7, 8, 9, 10, 11}, piece);
            assertArrayEquals(HEADER, opened.header());
        }
    }

    @Test
    void is_of_its_kind_at_both_ends() throws IOException {
        refused("it is too short", Arrays.copyOf(good(), 39));
        byte[] other = good();
        other[0]++;
        refused("it is not a file of a test of this version", other);
        refusedEnd("it is not a file of a test of this version", end -> end.putLong(24, 1));
    }

    /// Where its directory is, how many pieces it has, and how long its header is: each alone, and so that the lengths
    /// still add up.
    @Test
    void ends_with_numbers_that_go_with_its_length() throws IOException {
        refusedEnd("its end is damaged", end -> end.putLong(0, AT + 1));
        refusedEnd("its end is damaged", end -> end.putLong(0, AT - 3 * 12).putInt(8, 5));
        refusedEnd("its end is damaged", end -> end.putInt(8, 3));
        refusedEnd("its end is damaged", end -> end.putInt(8, 0).putInt(12, 4 + 2 * 12));
        refusedEnd("its end is damaged", end -> end.putInt(8, -1).putInt(12, 4 + 3 * 12));
        refusedEnd("its end is damaged", end -> end.putInt(8, 3).putInt(12, 4 - 12));
        refusedEnd("its end is damaged", end -> end.putInt(20, 1));
        refused("its end is damaged", file(new byte[1], new long[] {8, 14}, 6, 6));
    }

    @Test
    void has_no_directory_longer_than_an_array() throws IOException {
        Path path = written(good());
        int pieces = Integer.MAX_VALUE / 12;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            long size = AT + 12L * pieces + 8 + 32;
            file.setLength(size); // takes no room on disk
            file.seek(size - 32);
            file.write(ByteBuffer.allocate(32)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(AT)
                    .putInt(pieces)
                    .putInt(8)
                    .putLong(24, KIND.magic())
                    .array());
        }
        assertEquals(
                "its end is damaged",
                assertThrows(IOException.class, () -> PieceFile.open(KIND, path))
                        .getMessage());
    }

    @Test
    void has_a_directory_of_pieces_that_are_there() throws IOException {
        refusedEnd("its directory does not match its checksum", end -> end.putInt(16, end.getInt(16) + 1));
        refused("its directory is damaged", file(HEADER, new long[] {7, 14}, 6, 6));
        refused("its directory is damaged", file(HEADER, new long[] {8, 15}, 6, 6));
        refused("its directory is damaged", file(HEADER, new long[] {8, 14}, 6, 3));
        refused("its directory is damaged", file(HEADER, new long[] {8, Long.MAX_VALUE}, 6, 6));
    }

    @Test
    void is_cut_while_it_is_read() throws IOException {
        Path path = written(good());
        PieceFile.Opened opened = PieceFile.open(KIND, path, StandardOpenOption.WRITE);
        try (var file = opened.file()) {
            file.truncate(AT - 1);
            assertEquals(
                    "it ends too early",
                    assertThrows(IOException.class, () -> opened.read(1, new byte[6]))
                            .getMessage());
        }
    }

    @Test
    void does_not_stay_open_if_it_is_refused() throws IOException {
        refused("it is too short", new byte[1]);
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertTrue(open.noneMatch(this::isFile));
        }
    }

    private boolean isFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(directory.resolve("file"));
        } catch (IOException _) {
            return false; // closed meanwhile
        }
    }
}
