package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClicksTest {

    private static final Clicks SMALL =
            Clicks.DEFAULT.withRows(10_000).withFeatures(5_000).withSeed(3);

    @Test
    void the_bytes_do_not_depend_on_the_number_of_threads() throws IOException {
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        ByteArrayOutputStream four = new ByteArrayOutputStream();
        ClickSummary first = SMALL.write(one, 1, rows -> {});
        ClickSummary second = SMALL.write(four, 4, rows -> {});
        assertArrayEquals(one.toByteArray(), four.toByteArray());
        assertEquals(first, second);
    }

    @Test
    void rows_held_out_are_those_that_follow() throws IOException {
        String all = text(SMALL.withRows(300));
        String head = text(SMALL.withRows(200));
        String tail = text(SMALL.withRows(200).next(100));
        assertEquals(all, head + tail);
    }

    @Test
    void every_line_has_ascending_ids_within_range_and_a_label_of_0_or_1() throws IOException {
        for (String line : text(SMALL.withRows(500)).split("\n")) {
            String[] parts = line.split(" ");
            assertTrue(parts[0].equals("0") || parts[0].equals("1"), line);
            assertTrue(parts.length > 26 && parts.length <= 40, line);
            long last = 0;
            for (int p = 1; p < parts.length; p++) {
                int colon = parts[p].indexOf(':');
                long id = Long.parseLong(parts[p].substring(0, colon));
                float value = Float.parseFloat(parts[p].substring(colon + 1));
                assertTrue(id > last && id <= SMALL.features(), line);
                assertTrue(value > 0 && value < 20, line);
                last = id;
            }
        }
    }

    @Test
    void text_and_rows_made_one_by_one_are_the_same() throws IOException {
        ClickRow row = new ClickRow();
        ClickTruth truth = SMALL.truth();
        String[] lines = text(SMALL.withRows(50)).split("\n");
        for (int r = 0; r < lines.length; r++) {
            truth.fill(r, row);
            StringBuilder line = new StringBuilder(row.clicked() ? "1" : "0");
            for (int e = 0; e < row.entries(); e++) {
                line.append(' ').append(row.id(e)).append(':');
                line.append(row.value(e) == 1 ? "1" : "%.2f".formatted(row.value(e)));
            }
            assertEquals(line.toString(), lines[r]);
        }
    }

    @Test
    void the_click_rate_is_the_one_asked_for() throws IOException {
        for (double rate : new double[] {0.03, 0.25, 0.8}) {
            ClickSummary summary = summary(SMALL.withRows(50_000).withClickRate(rate));
            assertEquals(rate, summary.clickRate(), 0.01);
        }
    }

    @Test
    void distinct_features_are_counted_to_two_percent() throws IOException {
        Clicks clicks = SMALL.withFeatures(300_000);
        Set<Long> seen = new HashSet<>();
        ClickRow row = new ClickRow();
        ClickTruth truth = clicks.truth();
        for (long r = 0; r < clicks.rows(); r++) {
            truth.fill(r, row);
            for (int e = 0; e < row.entries(); e++) {
                seen.add(row.id(e));
            }
        }
        assertEquals(seen.size(), summary(clicks).distinctFeatures(), 0.02 * seen.size());
    }

    @Test
    void the_best_logloss_is_far_below_that_of_a_constant_and_interactions_lower_it() throws IOException {
        double constant = -(0.25 * Math.log(0.25) + 0.75 * Math.log(0.75));
        double plain = summary(SMALL.withInteractions(0)).bayesLogloss();
        double strong = summary(SMALL.withInteractions(1.5)).bayesLogloss();
        assertTrue(plain < constant - 0.08, "logloss " + plain);
        assertTrue(strong < plain - 0.03, "logloss " + strong + " against " + plain);
    }

    @Test
    void fields_fill_the_ids_exactly_and_grow_from_three_values_to_a_large_share() {
        for (long features : new long[] {ClickTruth.FEWEST_FEATURES, 1_000, 1_000_000, Clicks.MOST_FEATURES}) {
            ClickField[] fields = ClickField.fill(14, features);
            long next = 14;
            for (ClickField field : fields) {
                assertEquals(next, field.first());
                assertTrue(field.size() >= ClickField.SMALLEST);
                long id = field.id(Math.nextDown(1.0));
                assertTrue(id >= next && id < next + field.size());
                next += field.size();
            }
            assertEquals(features + 1, next);
        }
    }

    @Test
    void a_compressed_file_holds_the_same_text(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("clicks.svm.gz");
        SMALL.withRows(100).write(file, 2, rows -> {});
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            assertEquals(text(SMALL.withRows(100)), new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void a_write_that_fails_leaves_nothing_behind_and_hands_on_the_reason(@TempDir Path folder) throws IOException {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        IOException e = assertThrows(IOException.class, () -> SMALL.write(full, 3, rows -> {}));
        assertEquals("no space left", e.getMessage());
        assertThrows(IOException.class, () -> SMALL.write(folder.resolve("no/such/file"), 1, rows -> {}));
        try (var files = Files.list(folder)) {
            assertFalse(files.findAny().isPresent());
        }
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> SMALL.withRows(0));
        assertThrows(IllegalArgumentException.class, () -> SMALL.withFirstRow(-1));
        assertThrows(IllegalArgumentException.class, () -> SMALL.withFeatures(90));
        assertThrows(IllegalArgumentException.class, () -> SMALL.withClickRate(1));
        assertThrows(IllegalArgumentException.class, () -> SMALL.withInteractions(Double.NaN));
    }

    private static String text(Clicks clicks) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        clicks.write(out, 2, rows -> {});
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static ClickSummary summary(Clicks clicks) throws IOException {
        return clicks.write(OutputStream.nullOutputStream(), 2, rows -> {});
    }
}
