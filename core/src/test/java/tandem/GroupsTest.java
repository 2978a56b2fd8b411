package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.BadData;
import tandem.math.Mix;
import tandem.problem.GroupKeys;
import tandem.worker.BlockTask;

class GroupsTest {

    @TempDir
    Path directory;

    @Test
    void ids_and_ranges_belong_to_their_group_and_others_stand_alone() throws IOException {
        Groups groups = read("# fields\nage: 1-5 9\n\n  sex: 7-8 18446744073709551615\n");
        assertEquals(2, groups.count());
        long[] ids = {0, 1, 5, 6, 7, 8, 9, 10, -1};
        long[] keys = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            keys[i] = Mix.mix(ids[i]);
        }
        assertArrayEquals(new int[] {-1, 0, 0, -1, 1, 1, 0, -1, 1}, groups.of(keys));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        age 1-5                     | :1: found 'age 1-5'; a group is its name
        a: 5-1                      | :1: the range 5-1 runs backwards
        a: 18446744073709551616     | is out of range
        # nothing                   | holds no group
        a: 1-5 5                    | id 5 is in its group twice
        """)
    void a_bad_file_is_refused_with_what_to_do(String text, String message) {
        IOException e = assertThrows(IOException.class, () -> read(text + "\n"));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void an_id_in_two_groups_is_refused() {
        String message =
                assertThrows(BadData.class, () -> read("a: 1-5\nb: 5-9\n")).getMessage();
        assertTrue(message.contains("id 5 is in two groups"), message);
    }

    @Test
    void a_file_that_is_no_text_is_refused_with_its_name() throws IOException {
        Path file = Files.write(directory.resolve("binary"), new byte[] {'a', ':', ' ', (byte) 0xff});
        String message = assertThrows(BadData.class, () -> Groups.read(file)).getMessage();
        assertTrue(message.startsWith(file + ": is not text"), message);
    }

    @Test
    void each_group_is_put_into_one_shard_and_one_block() throws IOException {
        // Half of all blocks: places are drawn until one fits.
        long size = 1L << 40;
        StringBuilder text = new StringBuilder();
        for (int g = 0; g < 50; g++) {
            text.append("g" + g + ": " + g * size + "-" + (g * size + size / 2 - 1) + "\n");
        }
        int shards = 1 << 20;
        int blocks = 1 << 23;
        GroupKeys keys = read(text.toString()).keys(shards, blocks);
        for (int g = 0; g < 50; g++) {
            long first = keys.begins()[g];
            long last = keys.ends()[g];
            assertEquals(size / 2 - 1, last - first);
            assertEquals(Math.unsignedMultiplyHigh(first, shards), Math.unsignedMultiplyHigh(last, shards));
            assertEquals(BlockTask.block(first, blocks), BlockTask.block(last, blocks));
            assertTrue(g == 0 || Long.compareUnsigned(keys.ends()[g - 1], first) < 0, "groups overlap");
        }
    }

    @Test
    void a_group_that_no_server_could_hold_is_refused() throws IOException {
        Groups groups = read("all: 0-18446744073709551615\n");
        String message = assertThrows(IllegalArgumentException.class, () -> groups.keys(8, 8))
                .getMessage();
        assertTrue(message.contains("more than"), message);
    }

    private Groups read(String text) throws IOException {
        Path file = directory.resolve("groups");
        Files.writeString(file, text);
        return Groups.read(file);
    }
}
