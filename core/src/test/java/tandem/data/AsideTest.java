package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AsideTest {

    @TempDir
    Path directory;

    @Test
    void numbers_are_0_until_others_are_written_in_memory_and_in_a_file() throws IOException {
        try (AsideFile file = new AsideFile(directory.resolve("a.batches"), "")) {
            for (Aside aside : new Aside[] {Aside.held(5), file.room(5), file.room(5)}) {
                double[] read = new double[5];
                aside.read(0, read, 5);
                assertArrayEquals(new double[5], read);
                aside.write(1, new double[] {1, -2.5, 9}, 2);
                aside.read(0, read, 5);
                assertArrayEquals(new double[] {0, 1, -2.5, 0, 0}, read);
                aside.read(2, read, 2);
                assertArrayEquals(new double[] {-2.5, 0, -2.5, 0, 0}, read);
            }
            try (Stream<Path> files = Files.list(directory)) {
                assertEquals(0, files.count(), "the file has no name, so that nobody has to sweep it away");
            }
        }
    }

    @Test
    void where_no_file_can_be_written_numbers_are_held_in_memory() throws IOException {
        Path blocked = Files.writeString(directory.resolve("blocked"), "");
        try (AsideFile file = new AsideFile(blocked.resolve("a.batches"), "")) {
            Aside aside = file.room(2);
            aside.write(1, new double[] {7}, 1);
            double[] read = new double[2];
            aside.read(0, read, 2);
            assertArrayEquals(new double[] {0, 7}, read);
        }
    }
}
