package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.math.Mix;

class PartitionTest {

    private static final int ROWS = 1_003;
    private static final int PARTS = 4;

    @TempDir
    private Path at;

    private Path file;

    @BeforeEach
    void makeClicks() throws IOException {
        file = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(500).write(file, 1, _ -> {});
    }

    private static Batches batches(Path file, Path cache) throws IOException {
        return Data.of(file.toString()).withBatchRows(32).cache(cache, _ -> {}, 1);
    }

    /// Rows as text, so that the same ones are the same.
    private static List<String> rows(Batch batch) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            TreeMap<Long, Float> entries = new TreeMap<>();
            for (int e = batch.starts()[row]; e < batch.starts()[row + 1]; e++) {
                entries.put(Mix.unmix(batch.keys()[batch.positions()[e]]), batch.values()[e]);
            }
            rows.add(batch.labels()[row] + " " + batch.weights()[row] + " " + entries);
        }
        return rows;
    }

    private static List<String> rows(Batches.Pass pass) throws IOException {
        List<String> rows = new ArrayList<>();
        Batch batch = new Batch();
        while (pass.next(batch)) {
            rows.addAll(rows(batch));
        }
        return rows;
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
    }

    @Test
    void a_part_that_cannot_be_written_is_told_apart_from_data_that_cannot_be_read() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        Path directory = Files.createDirectory(at.resolve("parts"));
        Files.createSymbolicLink(directory.resolve("part-00002-of-00004.svm"), full);
        try (Batches data = batches(file, at.resolve("cache"))) {
            Partition partition = Partition.of(data, PARTS, 300, _ -> {});
            FileSystemException e = assertThrows(FileSystemException.class, () -> partition.write(data, directory));
            assertEquals("No space left on device", e.getReason());
        }
    }

    @Test
    void a_stream_has_the_rows_of_its_part_in_every_pass_and_nobody_else_has_them() throws IOException {
        try (Batches data = batches(file, at.resolve("cache"))) {
            Partition partition = Partition.of(data, PARTS, 300, _ -> {});
            List<List<String>> expected = new ArrayList<>();
            for (int part = 0; part < PARTS; part++) {
                expected.add(new ArrayList<>());
            }
            List<String> all = rows(data.pass(0, 0));
            for (int row = 0; row < all.size(); row++) {
                expected.get(partition.part(row)).add(all.get(row));
            }
            try (Batches grouped = partition.regrouped(data, KeyPlaces.NONE, at.resolve("grouped"))) {
                assertEquals(ROWS, grouped.rows());
                assertEquals(data.labels(), grouped.labels());
                Set<List<String>> orders = new HashSet<>();
                for (int pass = 0; pass < 3; pass++) {
                    assertEquals(sorted(all), sorted(rows(grouped.pass(pass, 0))));
                    for (int part = 0; part < PARTS; part++) {
                        List<String> found = rows(grouped.pass(pass, part, PARTS));
                        assertEquals(sorted(expected.get(part)), sorted(found), "part " + part + ", pass " + pass);
                        orders.add(found);
                    }
                }
                assertEquals(3 * PARTS, orders.size(), "passes have the same order");
            }
        }
    }

    @Test
    void batches_of_a_part_have_fewer_keys() throws IOException {
        try (Batches data = batches(file, at.resolve("cache"))) {
            Partition partition = Partition.of(data, PARTS, 100_000, _ -> {});
            Partition.Figures figures = partition.figures();
            assertTrue(figures.parsa().workingSet() < figures.random().workingSet(), figures.toString());
            assertTrue(figures.parsa().remote() < figures.dealt().remote(), figures.toString());
            assertTrue(figures.dealt().remote() < figures.random().remote(), figures.toString());
            try (Batches grouped = partition.regrouped(data, KeyPlaces.NONE, at.resolve("grouped"))) {
                assertTrue(keys(grouped) < keys(data), keys(grouped) + " keys, " + keys(data) + " before");
            }
        }
    }

    /// They are beside the model, and training needs the cache.
    @Test
    void parts_that_cannot_be_written_name_options_that_fit() throws IOException {
        try (Batches data = batches(file, at.resolve("cache"))) {
            Partition partition = Partition.of(data, PARTS, 100_000, _ -> {});
            Path blocked = file.resolve("parts");
            String examples = assertThrows(IOException.class, () -> partition.regrouped(data, KeyPlaces.NONE, blocked))
                    .getMessage();
            assertTrue(examples.endsWith("--model DIR, or train without --placement"), examples);
            String features = assertThrows(
                            IOException.class, () -> partition.places().write(blocked))
                    .getMessage();
            assertTrue(features.endsWith("--model DIR, or train without --placement parsa"), features);
        }
    }

    private static long keys(Batches batches) throws IOException {
        Batch batch = new Batch();
        long keys = 0;
        Batches.Pass pass = batches.pass(0, 0);
        while (pass.next(batch)) {
            keys += batch.keyCount();
        }
        return keys;
    }

    @Test
    void what_is_written_reads_as_the_same_rows() throws IOException {
        Path out = at.resolve("out");
        List<String> expected;
        try (Batches data = batches(file, at.resolve("cache"))) {
            expected = sorted(rows(data.pass(0, 0)));
            Partition.of(data, PARTS, 300, _ -> {}).write(data, out);
        }
        for (int part = 1; part <= PARTS; part++) {
            int rows = Files.readAllLines(out.resolve("part-0000" + part + "-of-00004.svm"))
                    .size();
            assertTrue(rows == ROWS / PARTS || rows == ROWS / PARTS + 1, rows + " rows");
        }
        try (Batches read = Data.of(out.toString()).stream()) {
            assertEquals(expected, sorted(rows(read.pass(0, 0))));
        }
        List<String> keys = Files.readAllLines(out.resolve("_keys.tsv"));
        assertEquals("id\tpart", keys.getFirst());
        Set<String> ids = new HashSet<>();
        for (String line : keys.subList(1, keys.size())) {
            assertTrue(ids.add(line.split("\t")[0]), line);
            int part = Integer.parseInt(line.split("\t")[1]);
            assertTrue(part >= 1 && part <= PARTS, line);
        }
        assertFalse(ids.isEmpty());
    }

    private void assertWrittenAs(Data data, List<String> expected) throws IOException {
        Path out = at.resolve("out");
        try (Batches batches = data.cache(at.resolve("cache"), _ -> {}, 1)) {
            Partition.of(batches, 2, 300, _ -> {}).write(batches, out);
        }
        List<String> lines = new ArrayList<>(Files.readAllLines(out.resolve("part-00001-of-00002.svm")));
        lines.addAll(Files.readAllLines(out.resolve("part-00002-of-00002.svm")));
        assertEquals(sorted(expected), sorted(lines));
    }

    @Test
    void rows_keep_their_weights() throws IOException {
        List<String> rows = List.of("1:2.5 1:1 3:1", "-1:0.1 2:1 3:1", "1:0 5:1", "0.5:3 7:1");
        Files.write(file, rows);
        assertWrittenAs(Data.of(file.toString()), rows);
    }

    @Test
    void weights_of_a_file_stand_beside_the_labels() throws IOException {
        Files.write(file, List.of("cat:2 1:1", "dog 2:1", "dog 3:1"));
        Path weights = Files.write(at.resolve("weights"), List.of("1.5", "1", "0.25"));
        assertWrittenAs(
                Data.of(file.toString()).withWeights(weights.toString()),
                List.of("cat:3 1:1", "dog 2:1", "dog:0.25 3:1"));
    }

    @Test
    void a_name_that_only_rows_of_weight_0_have_is_none() throws IOException {
        Files.write(file, List.of("cat 1:1", "dog:0 2:1"));
        assertWrittenAs(Data.of(file.toString()), List.of("cat 1:1", "0:0 2:1"));
    }
}
