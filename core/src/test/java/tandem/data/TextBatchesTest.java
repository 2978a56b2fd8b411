package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextBatchesTest {

    @TempDir
    Path directory;

    @Test
    void gives_back_every_row_in_order() throws IOException {
        List<String> rows = Examples.rows(40_000, 1);
        Path file = Examples.write(directory, "a.svm", rows);
        try (Batches batches = Data.of(file.toString()).stream()) {
            assertEquals(rows, Examples.all(batches, 0));
            assertEquals(rows, Examples.all(batches, 1));
            assertEquals(List.of("-1", "1"), batches.labels().names());
            assertEquals(1, batches.progress());
        }
    }

    @Test
    void gives_the_same_batches_to_many_threads() throws IOException {
        List<String> rows = Examples.rows(40_000, 2);
        Path file = Examples.write(directory, "a.svm", rows);
        try (Batches batches = Data.of(file.toString()).withBatchRows(100).stream()) {
            Batches.Pass pass = batches.pass(0, 0);
            Map<Long, List<String>> found = new ConcurrentSkipListMap<>();
            Crew.run(
                    4,
                    () -> {
                        Batch batch = new Batch();
                        while (pass.next(batch)) {
                            found.put(batch.number(), Examples.unpack(batch));
                        }
                    },
                    () -> {});
            assertEquals(rows, found.values().stream().flatMap(List::stream).toList());
        }
    }

    @Test
    void leaves_out_the_first_batches() throws IOException {
        Path file = Examples.write(directory, "a.svm", Examples.rows(40_000, 3));
        try (Batches batches = Data.of(file.toString()).withBatchRows(1000).stream()) {
            List<List<String>> whole = batches(batches.pass(0, 0));
            assertEquals(whole.subList(23, whole.size()), batches(batches.pass(0, 23)));
        }
    }

    @Test
    void a_look_at_the_first_batch_takes_nothing_from_the_pass() throws IOException {
        List<String> rows = Examples.rows(5_000, 3);
        Path file = Examples.write(directory, "a.svm", rows);
        try (Batches batches = Data.of(file.toString()).withBatchRows(1000).stream()) {
            List<List<String>> seen = batches(batches.look());
            List<List<String>> whole = batches(batches.pass(0, 0));
            assertEquals(whole.subList(0, 1), seen);
            assertEquals(rows, whole.stream().flatMap(List::stream).toList());
            batches.look();
            assertEquals(whole.subList(2, whole.size()), batches(batches.pass(0, 2)));
        }
    }

    @Test
    void a_file_without_examples_is_an_error() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("", "# nothing"));
        assertThrows(BadData.class, () -> Data.of(file.toString()).stream());
        try (Batches batches = Data.of(file.toString()).withFormat(new Format.LibSvm()).stream()) {
            BadData e = assertThrows(BadData.class, () -> Examples.all(batches, 0));
            assertEquals(file + ": no examples in it; name a file that holds at least one", e.getMessage());
        }
    }

    @Test
    void a_bad_line_stops_reading_with_its_place() throws IOException {
        List<String> rows = new ArrayList<>(Examples.rows(30_000, 4));
        rows.set(25_111, "1 3:x");
        Path file = Examples.write(directory, "a.svm", rows);
        try (Batches batches = Data.of(file.toString()).stream()) {
            BadData e = assertThrows(BadData.class, () -> Examples.all(batches, 0));
            assertEquals(
                    file + ":25112: feature 3 has the value 'x'; that is not a number. Write it like 0.25 or 1e-3",
                    e.getMessage());
        }
    }

    @Test
    void of_several_bad_lines_the_first_is_named_whichever_thread_meets_one_first() throws IOException {
        StringBuilder text = new StringBuilder();
        String line = "1 3:1 5:0.25 70000:0.125 # " + "padding ".repeat(10) + "\n";
        int lines = 6 * Chunks.CHUNK_BYTES / line.length();
        int first = (int) (1.9 * Chunks.CHUNK_BYTES / line.length());
        for (int n = 1; n <= lines; n++) {
            text.append(n >= first ? line.replace(":1", ":x") : line);
        }
        Path file = Files.writeString(directory.resolve("a.svm"), text);
        for (int time = 0; time < 20; time++) {
            try (Batches batches = Data.of(file.toString()).stream()) {
                Batches.Pass pass = batches.pass(0, 0);
                Crew.Work drain = () -> {
                    Batch batch = new Batch();
                    while (pass.next(batch)) {}
                };
                BadData e = assertThrows(BadData.class, () -> Crew.run(4, drain, () -> {}));
                assertTrue(e.getMessage().startsWith(file + ":" + first + ": "), e.getMessage());
            }
        }
    }

    @Test
    void bad_lines_are_skipped_and_counted_when_asked() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("1 2:1", "1 3:x", "-1 4:1", "1 x:3"));
        try (Batches batches = Data.of(file.toString()).withBadLines(new BadLines.Skip(2)).stream()) {
            assertEquals(List.of("1 2:1", "-1 4:1"), Examples.all(batches, 0));
            assertEquals(2, batches.skipped().count());
            assertTrue(batches.skipped().examples().getFirst().startsWith(file + ":2: "));
        }
        try (Batches batches = Data.of(file.toString()).withBadLines(new BadLines.Skip(1)).stream()) {
            assertThrows(BadData.class, () -> Examples.all(batches, 0));
        }
    }

    @Test
    void a_split_is_two_parts_that_make_the_whole() throws IOException {
        List<String> rows = Examples.rows(5000, 5).stream().distinct().toList();
        Data data = Data.of(Examples.write(directory, "a.svm", rows).toString()).withSeed(9);
        Data.Split split = data.split(0.2);
        try (Batches train = split.train().stream();
                Batches validation = split.validation().stream()) {
            List<String> held = Examples.all(validation, 0);
            List<String> all = new ArrayList<>(held);
            all.addAll(Examples.all(train, 0));
            assertEquals(rows.stream().sorted().toList(), all.stream().sorted().toList());
            assertEquals(0.2, (double) held.size() / rows.size(), 0.03);
        }
    }

    @Test
    void hash_bits_keep_low_bits_and_add_values_that_meet() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("1 1:1 17:2 33:4 2:1"));
        try (Batches batches = Data.of(file.toString()).withHashBits(4).stream()) {
            assertEquals(List.of("1 1:7 2:1"), Examples.all(batches, 0));
        }
    }

    @Test
    void a_name_as_label_is_refused_unless_expected() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", List.of("spam 1:1", "ham 1:1"))
                .toString());
        try (Batches batches = data.stream()) {
            NamedLabel e = assertThrows(NamedLabel.class, () -> Examples.all(batches, 0));
            assertTrue(e.getMessage().contains("label 'spam' is a name"), e.getMessage());
        }
        Labels labels = new Labels(List.of("eggs", "ham", "spam"), false, false);
        try (Batches batches = data.withLabelRule(new LabelRule.Expect(labels)).stream()) {
            assertEquals(List.of("2 1:1", "1 1:1"), Examples.all(batches, 0));
            assertEquals(labels, batches.labels());
        }
    }

    @Test
    void a_number_that_is_not_among_those_expected_is_a_bad_line() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("1 1:1", "-0 2:1", "5 3:1", "cat 4:1"));
        Labels labels = new Labels(List.of("-1", "0", "1"), true, false);
        Data data = Data.of(file.toString()).withLabelRule(new LabelRule.Expect(labels));
        try (Batches batches = data.stream()) {
            BadData e = assertThrows(BadData.class, () -> Examples.all(batches, 0));
            assertEquals(
                    file + ":3: label '5'; the labels here are -1, 0, 1. Check that this data goes with the model",
                    e.getMessage());
        }
        try (Batches batches = data.withBadLines(new BadLines.Skip(2)).stream()) {
            assertEquals(List.of("1 1:1", "0 2:1"), Examples.all(batches, 0));
        }
        Data numbers = data.withLabelRule(new LabelRule.Expect(new Labels(List.of(), true, true)));
        try (Batches batches = numbers.withBadLines(new BadLines.Skip(1)).stream()) {
            assertEquals(List.of("1 1:1", "0 2:1", "5 3:1"), Examples.all(batches, 0));
        }
    }

    @Test
    void one_label_is_told_from_any_number_of_others() throws IOException {
        List<String> rows = new ArrayList<>(List.of("2 1:1", "2.0 1:1", "1 1:1"));
        List<String> expected = new ArrayList<>(List.of("1 1:1", "1 1:1", "0 1:1"));
        for (int r = 0; r < 5_000; r++) {
            rows.add("name" + r + " 1:1");
            expected.add("0 1:1");
        }
        Data data = Data.of(Examples.write(directory, "a.svm", rows).toString());
        try (Batches batches = data.withLabelRule(new LabelRule.Against("2")).stream()) {
            assertEquals(expected, Examples.all(batches, 0));
        }
    }

    private static List<List<String>> batches(Batches.Pass pass) throws IOException {
        List<List<String>> found = new ArrayList<>();
        Batch batch = new Batch();
        while (pass.next(batch)) {
            found.add(Examples.unpack(batch));
        }
        return found;
    }
}
