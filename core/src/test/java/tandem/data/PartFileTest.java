package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows that others have read, on their way into a cache file of one part.
class PartFileTest {

    private static final Data LIBSVM = Data.of("lines").withFormat(new Format.LibSvm());

    @TempDir
    Path directory;

    @Test
    void a_part_does_not_depend_on_the_order_of_its_rows() throws IOException {
        List<String> lines = new ArrayList<>(lines(1000));
        byte[] once = written(lines, 7);
        Collections.shuffle(lines, new Random(5));
        assertArrayEquals(once, written(lines, 7));
        assertFalse(Arrays.equals(once, written(lines, 8)), "another seed");
    }

    @Test
    void a_part_holds_every_row_once_in_as_many_batches_as_asked_for() throws IOException {
        List<String> lines = lines(1000);
        RowSummary summary = RowSummary.of(blocks(lines).iterator());
        PartTerms terms = PartTerms.of(List.of(summary, summary), 300, 1, 64, false);
        assertEquals(4, terms.batches());
        assertEquals(2000, terms.rows());
        Path file = directory.resolve("part");
        PartFile.write(file, 1, terms, 1000, blocks(lines).iterator());
        try (Batches part = PartFile.open(file, 1, terms)) {
            assertEquals(8, part.count());
            assertEquals(2000, part.rows());
            Batch batch = new Batch();
            Batches.Pass pass = part.pass(3, 1, 2);
            int batches = 0;
            double sum = 0;
            while (pass.next(batch)) {
                batches++;
                assertEquals(250, batch.rows());
                for (int e = 0; e < batch.entries(); e++) {
                    sum += batch.values()[e];
                }
            }
            assertEquals(4, batches);
            assertEquals(lines.size() * (lines.size() - 1) / 2.0, sum);
            assertThrows(IOException.class, () -> part.pass(0, 0, 2), "the other stream is elsewhere");
        }
    }

    @Test
    void batches_are_numbered_in_turns_and_found_by_number() throws IOException {
        List<String> lines = List.of("1 1:1", "0 1:2", "1 2:1", "0 2:2");
        RowSummary summary = RowSummary.of(blocks(lines).iterator());
        PartTerms terms = PartTerms.of(List.of(summary, summary, summary), 2, 1, 64, false);
        Path file = directory.resolve("part");
        PartFile.write(file, 1, terms, 4, blocks(lines).iterator());
        try (Batches part = PartFile.open(file, 1, terms)) {
            Batch batch = new Batch();
            for (long number : new long[] {1, 4}) {
                Batches.Pass one = part.range(0, number, number + 1);
                assertTrue(one.next(batch));
                assertEquals(number, batch.number());
                assertFalse(one.next(batch));
            }
            assertThrows(IOException.class, () -> part.range(0, 3, 4), "of part 0");
            assertThrows(IOException.class, () -> part.range(0, 1, 3), "of several parts");
        }
    }

    @Test
    void labels_are_those_of_all_parts() throws IOException {
        RowSummary one = RowSummary.of(blocks(List.of("cat 1:1", "dog 1:2")).iterator());
        RowSummary other = RowSummary.of(blocks(List.of("ant 1:1", "dog 1:2")).iterator());
        PartTerms terms = PartTerms.of(List.of(one, other), 512, 1, 64, false);
        assertEquals(List.of("ant", "cat", "dog"), terms.labels().names());
        Path file = directory.resolve("part");
        PartFile.write(file, 0, terms, 2, blocks(List.of("cat 1:1", "dog 1:2")).iterator());
        try (Batches part = PartFile.open(file, 0, terms)) {
            Batch batch = new Batch();
            assertTrue(part.pass(0, 0, 2).next(batch));
            for (int r = 0; r < 2; r++) {
                assertEquals(batch.values()[r] == 1 ? 1 : 2, batch.labels()[r], "cat is 1, dog is 2");
            }
        }
    }

    @Test
    void a_label_that_only_rows_of_weight_0_have_is_none() throws IOException {
        RowBuffer buffer = new RowBuffer();
        buffer.add(1, 1);
        buffer.end("cat", 1);
        buffer.add(1, 2);
        buffer.end("dog", 1);
        buffer.add(1, 3);
        buffer.end("ant", 0);
        byte[] block = buffer.take();
        RowSummary summary = RowSummary.of(List.of(block).iterator());
        PartTerms terms = PartTerms.of(List.of(summary), 512, 1, 64, false);
        assertEquals(List.of("cat", "dog"), terms.labels().names());
        Path file = directory.resolve("part");
        PartFile.write(file, 0, terms, 3, List.of(block).iterator());
        try (Batches part = PartFile.open(file, 0, terms)) {
            Batch batch = new Batch();
            assertTrue(part.pass(0, 0, 1).next(batch));
            for (int r = 0; r < 3; r++) {
                assertEquals(batch.values()[r] == 3 ? -1 : batch.values()[r] - 1, batch.labels()[r]);
            }
        }
    }

    @Test
    void numbers_are_labels_as_they_are() throws IOException {
        RowSummary numbers =
                RowSummary.of(blocks(List.of("-1 1:1", "+1 1:2", "-1 2:1")).iterator());
        assertEquals(
                new Labels(List.of("-1", "1"), true, false), numbers.labels().labels());
    }

    @Test
    void weights_are_added_up() {
        RowBuffer buffer = new RowBuffer();
        buffer.end(1, 0.5f);
        buffer.end(0, 2);
        RowSummary some = RowSummary.of(List.of(buffer.take()).iterator());
        assertEquals(5, some.plus(some).weight());
    }

    @Test
    void a_hundred_rows_are_enough_to_share_among_workers() {
        RowBuffer buffer = new RowBuffer();
        int blocks = 0;
        for (int row = 0; row < 100; row++) {
            buffer.add(row, 1);
            buffer.end(0, 1);
            if (buffer.isFull()) {
                buffer.take();
                blocks++;
            }
        }
        assertEquals(3, blocks, "of 16, 32 and 48 rows");
    }

    @Test
    void rows_that_are_missing_are_noticed() throws IOException {
        RowSummary summary = RowSummary.of(blocks(lines(100)).iterator());
        PartTerms terms = PartTerms.of(List.of(summary), 10, 1, 64, false);
        IOException e = assertThrows(
                IOException.class,
                () -> PartFile.write(
                        directory.resolve("part"),
                        0,
                        terms,
                        100,
                        blocks(lines(99)).iterator()));
        assertTrue(e.getMessage().startsWith("rows of this part are missing: it had 100"), e.getMessage());
        assertFalse(Files.exists(directory.resolve("part")));
    }

    @Test
    void a_worker_without_an_example_is_refused() {
        RowSummary some = RowSummary.of(blocks(lines(10)).iterator());
        RowSummary none = RowSummary.of(Collections.emptyIterator());
        BadData e = assertThrows(BadData.class, () -> PartTerms.of(List.of(some, none), 512, 1, 64, false));
        assertEquals("10 examples for 2 workers, one of which has 0; use fewer workers", e.getMessage());
    }

    @Test
    void a_bad_line_is_shown() {
        RuntimeException e = assertThrows(RuntimeException.class, () -> blocks(List.of("1 3:x")));
        assertTrue(
                e.getCause().getMessage().startsWith("the line \"1 3:x\": "),
                e.getCause().getMessage());
    }

    @Test
    void a_complaint_among_blocks_is_that_of_the_whole() {
        List<byte[]> blocks = new ArrayList<>(blocks(lines(10)));
        blocks.addFirst(RowBuffer.complaint("the line \"é\": no label"));
        RowSummary some = RowSummary.of(blocks(lines(10)).iterator());
        RowSummary bad = RowSummary.of(blocks.iterator());
        BadData e = assertThrows(BadData.class, () -> PartTerms.of(List.of(some, bad, some), 512, 1, 64, false));
        assertEquals("the line \"é\": no label", e.getMessage());
    }

    /// Row i has the value i.
    private static List<String> lines(int count) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add((i % 3 == 0 ? 1 : 0) + " " + (i % 17 + 1) + ":" + i);
        }
        return lines;
    }

    private static List<byte[]> blocks(List<String> lines) {
        List<byte[]> blocks = new ArrayList<>();
        RowBuffer buffer = new RowBuffer();
        try {
            LineRows rows = new LineRows(LIBSVM, lines.getFirst(), buffer);
            for (String line : lines) {
                rows.add(line);
                if (buffer.isFull()) {
                    blocks.add(buffer.take());
                }
            }
        } catch (BadData e) {
            throw new IllegalStateException(e);
        }
        if (!buffer.isEmpty()) {
            blocks.add(buffer.take());
        }
        return blocks;
    }

    private byte[] written(List<String> lines, long seed) throws IOException {
        PartTerms terms = PartTerms.of(List.of(RowSummary.of(blocks(lines).iterator())), 64, seed, 64, false);
        Path file = directory.resolve("part");
        PartFile.write(file, 0, terms, lines.size(), blocks(lines).iterator());
        return Files.readAllBytes(file);
    }
}
