package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {

    @TempDir
    Path directory;

    private String message(String name) {
        return assertThrows(IOException.class, () -> Sources.find(List.of(name)))
                .getMessage();
    }

    private static List<String> rows(String... names) throws IOException {
        try (Batches batches = Data.of(names).stream()) {
            return Examples.all(batches, 0);
        }
    }

    @Test
    void directories_and_globs_stand_for_files_in_the_order_of_names() throws IOException {
        Examples.write(directory, "b.svm", List.of("1 2:1"));
        Examples.write(directory, "a.svm", List.of("1 1:1"));
        Examples.write(directory, "_SUCCESS", List.of("1 9:1"));
        assertEquals(List.of("1 1:1", "1 2:1"), rows(directory.toString()));
        assertEquals(List.of("1 2:1"), rows(directory + "/b*.svm"));
        assertEquals(List.of("1 2:1", "1 1:1"), rows(directory + "/b.svm", directory + "/a.svm"));
    }

    @Test
    void what_is_not_there_is_said() throws IOException {
        assertTrue(message(directory + "/none.svm").contains("there is no such file"));
        assertTrue(message(directory + "/*.svm").contains("no file has such a name"));
        assertTrue(message(directory.toString()).contains("holds no data files"));
    }

    @Test
    void compression_is_recognised_by_content() throws IOException {
        byte[] text = "1 1:1\n-1 2:1\n".getBytes(StandardCharsets.UTF_8);
        Path gzip = directory.resolve("gzip.txt");
        try (var out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write(text);
        }
        Path zstd = directory.resolve("zstd.txt");
        try (var out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
            out.write(text);
        }
        assertEquals(List.of("1 1:1", "-1 2:1"), rows(gzip.toString()));
        assertEquals(List.of("1 1:1", "-1 2:1"), rows(zstd.toString()));
    }

    @Test
    void an_incomplete_archive_is_an_error_that_names_the_file() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(String.join("\n", Examples.rows(1000, 1)).getBytes(StandardCharsets.UTF_8));
        }
        Path file = directory.resolve("cut.gz");
        Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
        IOException e = assertThrows(IOException.class, () -> rows(file.toString()));
        assertTrue(e.getMessage().startsWith(file + ": reading stopped"), e.getMessage());
    }

    @Test
    void a_line_may_be_long_but_not_without_end() throws IOException {
        Path file = Files.writeString(directory.resolve("long"), "1 1:1\n1 " + "2:1 ".repeat(1 << 19) + "\n1 3:1\n");
        List<Source> sources = Sources.find(List.of(file.toString()));
        try (Chunks chunks = new Chunks(sources, 1 << 10, 1 << 22)) {
            Chunk chunk = chunks.chunk();
            long bytes = 0;
            while (chunks.next(chunk)) {
                bytes += chunk.to - chunk.from;
            }
            assertEquals(Files.size(file), bytes);
        }
        try (Chunks chunks = new Chunks(sources, 1 << 10, 1 << 20)) {
            Chunk chunk = chunks.chunk();
            assertTrue(chunks.next(chunk));
            String message =
                    assertThrows(BadData.class, () -> chunks.next(chunk)).getMessage();
            assertEquals(
                    file
                            + ":2: the line is longer than 1 MB; rows end with a line feed, so this may not be a text"
                            + " file",
                    message);
        }
    }
}
