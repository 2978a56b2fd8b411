package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WeightFileTest {

    @TempDir
    Path directory;

    private Data data(String text, String weights) throws IOException {
        Path rows = Files.writeString(directory.resolve("rows"), text);
        Path file = Files.writeString(directory.resolve("weights"), weights);
        return Data.of(rows.toString()).withWeights(file.toString());
    }

    private static List<String> stream(Data data) throws IOException {
        try (Batches batches = data.stream()) {
            return Examples.all(batches, 0);
        }
    }

    private List<String> cached(Data data) throws IOException {
        try (Batches batches = data.cache(directory.resolve("cache"), at -> {}, 2)) {
            return Examples.all(batches, 0).stream().sorted().toList();
        }
    }

    private String refused(String text, String weights) throws IOException {
        Data data = data(text, weights);
        String message = assertThrows(BadData.class, () -> stream(data.known())).getMessage();
        assertEquals(
                message, assertThrows(BadData.class, () -> cached(data.known())).getMessage());
        return message.replace(directory + "/", "");
    }

    @Test
    void a_weight_a_row_streamed_and_cached() throws IOException {
        Data data = data("1 1:1\n-1 2:1\n1 3:1\n", "2\n0\n0.5\n");
        List<String> expected = List.of("1:2.0 1:1", "-1:0.0 2:1", "1:0.5 3:1");
        assertEquals(expected, stream(data));
        assertEquals(expected.stream().sorted().toList(), cached(data));
    }

    @Test
    void what_is_no_row_has_no_weight_but_a_bad_line_has() throws IOException {
        Data data = data("# note\n1 1:1\n\n  # more\n-1 2:x\n1 3:1", "2\n3\r\n 4 \n\n");
        assertEquals(List.of("1:2.0 1:1", "1:4.0 3:1"), stream(data.withBadLines(new BadLines.Skip(9))));
    }

    @Test
    void a_header_has_no_weight_and_weights_of_a_column_are_multiplied() throws IOException {
        Data data = data("y,w,a\n1,2,5\n \n0,3,5\n", "\ufeff10\n100\n")
                .withFormat(Format.table(Declared.parse("w=weight,a=category")));
        assertEquals(
                List.of("1:20.0", "0:300.0"),
                stream(data).stream()
                        .map(row -> row.substring(0, row.indexOf(' ')))
                        .toList());
    }

    @Test
    void several_inputs_share_one_file() throws IOException {
        Data data = data("1 1:1\n1 2:1\n", "5\n6\n7\n");
        Path more = Files.writeString(directory.resolve("more"), "\n1 3:1");
        assertEquals(
                List.of("1:5.0 1:1", "1:6.0 2:1", "1:7.0 3:1"),
                stream(Data.of(data.paths().getFirst(), more.toString()).withWeights(data.weights())));
    }

    @Test
    void compressed_weights() throws Exception {
        Data data = data("1 1:1\n1 2:1\n", "");
        byte[] text = "5\n6\n".getBytes(StandardCharsets.UTF_8);
        var gzip = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(gzip)) {
            out.write(text);
        }
        for (byte[] stored : List.of(gzip.toByteArray(), Zstd.compress(text))) {
            Files.write(Path.of(data.weights()), stored);
            assertEquals(List.of("1:5.0 1:1", "1:6.0 2:1"), stream(data));
        }
    }

    @Test
    void wrong_weights_are_named_by_line() throws IOException {
        String rows = "1 1:1\n-1 2:1\n";
        String rest = "; a weight is a finite number ≥ 0. Write one for each row, one a line, 1 for a row that counts"
                + " like any other";
        assertEquals("weights:2: the weight is '-1'" + rest, refused(rows, "1\n-1\n"));
        assertEquals("weights:1: the weight is 'NaN'" + rest, refused(rows, "NaN\n1\n"));
        assertEquals("weights:2: the weight is '1e39'" + rest, refused(rows, "1\n1e39\n"));
        assertEquals("weights:1: the line is empty" + rest, refused(rows, "\n1\n1\n"));
        assertEquals("weights:1: the weight is '" + "9".repeat(40) + "…'" + rest, refused(rows, "9".repeat(1000)));
        assertEquals(
                "weights:1: the weights end here, but the row at rows:3 has none. Give one weight for each row, one"
                        + " a line",
                refused("1 1:1\n\n-1 2:1\n", "1\n"));
        assertEquals(
                "weights:1: the weights end here, but the row at rows:1 has none. Give one weight for each row, one"
                        + " a line",
                refused(rows, ""));
        assertEquals(
                "weights:4: a weight too many; the data has 2 rows. Give one weight for each row, one a line",
                refused(rows, "1\n1\n\n1\n"));
    }

    @Test
    @Timeout(60)
    void a_wrong_weight_is_named_whatever_other_threads_meet() throws IOException {
        int rows = 200_000;
        int wrong = rows / 2;
        String weights = "1\n".repeat(wrong) + "-1\n" + "1\n".repeat(rows - wrong - 1);
        String text = "1 1:1 300000:0.25\n".repeat(rows - 1);
        Data data = data(text + "1 x:1\n", weights);
        for (int time = 0; time < 10; time++) {
            try (Batches batches = data.stream()) {
                Batches.Pass pass = batches.pass(0, 0);
                Crew.Work drain = () -> {
                    Batch batch = new Batch();
                    while (pass.next(batch)) {}
                };
                String message = assertThrows(BadData.class, () -> Crew.run(3, drain, () -> {}))
                        .getMessage();
                assertTrue(message.startsWith(data.weights() + ":" + (wrong + 1) + ": "), message);
            }
        }
    }

    @Test
    void after_a_wrong_weight_there_is_nothing_more_to_read() throws IOException {
        String rows = "1 1:1\n-1 1:1\n1 2:1\n";
        for (String weights : List.of("1\n-1\n1\n", "1\n1\n1\n1\n1\n")) {
            try (Batches batches = data(rows, weights).stream()) {
                Batches.Pass pass = batches.pass(0, 0);
                Batch batch = new Batch();
                assertThrows(BadData.class, () -> {
                    while (pass.next(batch)) {}
                });
                assertFalse(pass.next(batch));
            }
        }
    }

    @Test
    void a_product_that_is_too_large_is_a_bad_line() throws IOException {
        Data data = data("1:1e30 1:1\n1 2:1\n", "1e30\n2\n");
        assertTrue(assertThrows(BadData.class, () -> stream(data)).getMessage().contains("rows:1: the row has the"));
        assertEquals(List.of("1:2.0 2:1"), stream(data.withBadLines(new BadLines.Skip(1))));
    }

    @Test
    void every_row_keeps_its_weight_over_many_chunks_and_threads() throws Exception {
        StringBuilder rows = new StringBuilder();
        StringBuilder weights = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int r = 1; r <= 100_000; r++) {
            rows.append(r % 7 == 0 ? "\n" : "").append("1 ").append(r).append(":1 300000:0.25\n");
            weights.append(r).append('\n');
            expected.add("1" + (r == 1 ? "" : ":" + (float) r) + " " + r + ":1 300000:0.25");
        }
        Data data = data(rows.toString(), weights.toString());
        List<String> sorted = expected.stream().sorted().toList();
        assertEquals(sorted, stream(data).stream().sorted().toList());
        assertEquals(sorted, cached(data));
        try (Batches batches = data.stream();
                ExecutorService crew = Executors.newFixedThreadPool(3)) {
            Batches.Pass pass = batches.pass(0, 0);
            Callable<List<String>> work = () -> {
                List<String> found = new ArrayList<>();
                Batch batch = new Batch();
                while (pass.next(batch)) {
                    found.addAll(Examples.unpack(batch));
                }
                return found;
            };
            List<String> found = new ArrayList<>();
            for (Future<List<String>> each : crew.invokeAll(List.of(work, work, work))) {
                found.addAll(each.get());
            }
            assertEquals(sorted, found.stream().sorted().toList());
        }
    }

    @Test
    void a_part_keeps_the_weights_of_its_rows() throws IOException {
        StringBuilder rows = new StringBuilder();
        StringBuilder weights = new StringBuilder();
        for (int r = 2; r < 200; r++) {
            rows.append("1 ").append(r).append(":1\n");
            weights.append(r).append('\n');
        }
        Data.Split split = data(rows.toString(), weights.toString()).split(0.3);
        List<String> all = new ArrayList<>(stream(split.train()));
        all.addAll(stream(split.validation()));
        assertEquals(198, all.size());
        for (String row : all) {
            String id = row.substring(row.indexOf(' ') + 1, row.lastIndexOf(':'));
            assertEquals("1:" + id + ".0 " + id + ":1", row);
        }
    }

    @Test
    void the_cache_is_built_again_when_weights_change() throws IOException {
        Data data = data("1 1:1\n-1 2:1\n", "2\n3\n");
        Path cache = directory.resolve("cache");
        assertEquals(List.of("-1:3.0 2:1", "1:2.0 1:1"), cached(data));
        assertTrue(data.isCached(cache));
        assertFalse(data.withWeights(null).isCached(cache));
        assertEquals(List.of("-1 2:1", "1 1:1"), cached(data.withWeights(null)));
        Files.writeString(Path.of(data.weights()), "2\n4\n");
        assertFalse(data.isCached(cache));
        assertEquals(List.of("-1:4.0 2:1", "1:2.0 1:1"), cached(data));
        assertTrue(data.fingerprints().containsKey(data.weights()));
    }

    @Test
    void a_missing_file_is_named() throws IOException {
        Data data = data("1 1:1\n", "1\n");
        String absent = directory.resolve("absent").toString();
        assertTrue(assertThrows(IOException.class, () -> stream(data.withWeights(absent)))
                .getMessage()
                .startsWith(absent + ": there is no such file"));
        assertTrue(assertThrows(IOException.class, () -> stream(data.withWeights(directory.toString())))
                .getMessage()
                .contains("this is a directory"));
    }
}
