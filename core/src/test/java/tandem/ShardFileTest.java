package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.wire.Keys;
import tandem.wire.Part;
import tandem.wire.Values;

/// A file whose bytes are not those of the rows of its shard is refused, whoever made it.
class ShardFileTest {

    private static final ShardFile.Place PLACE = new ShardFile.Place(1, 2);

    @TempDir
    Path directory;

    private ShardFile written;
    private byte[] whole;

    @BeforeEach
    void write() throws IOException {
        Part part = new Part(1, 2, Keys.once(new long[] {7, 9}, 2), 0, 2, 1, Values.of(3f, 4f));
        written = ShardFile.write(directory, PLACE, List.of(part, part));
        whole = Files.readAllBytes(PLACE.in(directory));
    }

    private void refused(byte[] bytes, ShardFile.Place place, String why) throws IOException {
        Files.write(place.in(directory), bytes);
        String message = assertThrows(IOException.class, () -> ShardFile.read(directory, place, _ -> {}))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void comes_back_as_it_was() throws IOException {
        List<Part> parts = new ArrayList<>();
        ShardFile.read(directory, PLACE, parts::add);
        assertEquals(2, parts.size());
        assertEquals(9, parts.getLast().key(1));
    }

    @Test
    void is_held_against_its_length_and_checksum() throws IOException {
        Path file = PLACE.in(directory);
        String sum = ShardFile.sha256(file);
        assertEquals(sum, written.sha256());
        assertEquals(whole.length, written.bytes());
        ShardFile.verify(file, whole.length, sum);
        unlike(file, whole.length + 1, sum, "damaged");
        unlike(file, whole.length, ShardFile.sha256(Files.createFile(directory.resolve("other"))), "damaged");
        Files.delete(file);
        unlike(file, whole.length, sum, "shard-0001-00002.rows is missing");
    }

    private static void unlike(Path file, long bytes, String sum, String why) {
        String message = assertThrows(IOException.class, () -> ShardFile.verify(file, bytes, sum))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void is_refused_if_it_ends_early_or_goes_on() throws IOException {
        refused(Arrays.copyOf(whole, whole.length - 1), PLACE, "cut short");
        refused(Arrays.copyOf(whole, whole.length / 2), PLACE, "cut short");
        refused(Arrays.copyOf(whole, whole.length + 1), PLACE, "goes on after its end");
    }

    @Test
    void is_refused_in_the_place_of_another() throws IOException {
        refused(whole, new ShardFile.Place(1, 3), "something else");
        refused(whole, new ShardFile.Place(0, 2), "something else");
    }

    @Test
    void takes_no_room_for_bytes_that_are_not_there() throws IOException {
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 1 << 27);
        long before = allocated();
        refused(whole, PLACE, "cut short");
        assertTrue(allocated() - before < 10_000_000, "allocated " + (allocated() - before));
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
