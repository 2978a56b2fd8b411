package tandem.model;

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
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Batch;
import tandem.data.HandBatch;
import tandem.math.Mix;

/// A model that many write together, range by range, is the model that one would write from memory.
class RangedModelTest {

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"0, 2, 1", "1, 2, 3", "500, 2, 1", "500, 2, 7", "300, 4, 5", "20000, 0, 3"})
    void what_is_written_by_ranges_is_loaded_as_one(int ids, int classes, int shards) throws IOException {
        LinearModel model = ModelDirectoryTest.random(ids, ids, classes, Precision.F32);
        write(model, shards, dir.resolve("m"));
        ModelDirectoryTest.assertSame(model, ModelDirectory.load(dir.resolve("m")));
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 1", "1, 2, 3", "500, 2, 7", "300, 4, 5", "20000, 2, 3"})
    void scores_from_files_are_those_from_memory(int ids, int classes, int shards) throws IOException {
        LinearModel model = ModelDirectoryTest.random(ids, ids, classes, Precision.F32);
        write(model, shards, dir.resolve("m"));
        Batch batch = batch(model, 200);
        Scorer memory = new Scorer(model);
        try (BatchScorer files = StoredModel.at(dir.resolve("m")).scorer()) {
            assertTrue(files instanceof MappedModel);
            double[] expected = new double[batch.rows() * model.outputs()];
            double[] found = new double[expected.length];
            memory.scores(batch, expected);
            files.scores(batch, found);
            assertArrayEquals(expected, found);
            assertEquals(memory.known(batch), files.known(batch));
        }
    }

    @Test
    void keys_that_crowd_are_found_as_well() throws IOException {
        long[] ids = new long[3000];
        double[] weights = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Mix.unmix(i < 1500 ? i * 2L : -2L * i);
            weights[i] = i + 1;
        }
        LinearModel model = sorted(ids, weights);
        write(model, 2, dir.resolve("m"));
        Batch batch =
                HandBatch.of(new long[][] {ids, {Mix.unmix(1), Mix.unmix(3001), Mix.unmix(-1)}}, ones(ids), zeros());
        double[] expected = new double[2];
        double[] found = new double[2];
        new Scorer(model).scores(batch, expected);
        try (BatchScorer files = StoredModel.at(dir.resolve("m")).scorer()) {
            files.scores(batch, found);
        }
        assertArrayEquals(expected, found);
    }

    @Test
    void a_range_that_is_written_again_replaces_the_one_before() throws IOException {
        try (ModelDraft draft = ModelDraft.of(dir.resolve("m"), false)) {
            KeyRange all = new KeyRange(0, 1, 1, 0);
            RangeFile.write(
                    draft.directory(), all, new long[] {Mix.mix(1), Mix.mix(2)}, new double[] {1, 2}, Precision.F32);
            RangeFile better =
                    RangeFile.write(draft.directory(), all, new long[] {Mix.mix(3)}, new double[] {3}, Precision.F32);
            draft.publish(card(2), new double[] {0.5}, List.of(better));
        }
        assertArrayEquals(new long[] {3}, ModelDirectory.load(dir.resolve("m")).ids());
    }

    @Test
    void what_is_not_published_leaves_the_old_model_and_nothing_else() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(ModelDirectoryTest.model(new long[] {1}, 1), place, false);
        try (ModelDraft draft = ModelDraft.of(place, true)) {
            RangeFile.write(
                    draft.directory(), new KeyRange(0, 1, 2, 0), new long[] {5}, new double[] {1}, Precision.F32);
        }
        assertArrayEquals(new long[] {1}, ModelDirectory.load(place).ids());
        try (var files = Files.list(dir)) {
            assertEquals(List.of(place), files.toList());
        }
    }

    @Test
    void a_draft_whose_place_was_taken_meanwhile_is_published_beside_it() throws IOException {
        Path place = dir.resolve("m");
        try (ModelDraft draft = ModelDraft.of(place, false)) {
            RangeFile file = RangeFile.write(
                    draft.directory(),
                    new KeyRange(0, 1, 1, 0),
                    new long[] {Mix.mix(5)},
                    new double[] {1},
                    Precision.F32);
            ModelDirectory.save(ModelDirectoryTest.model(new long[] {1}, 1), place, false);
            IOException error =
                    assertThrows(IOException.class, () -> draft.publish(card(2), new double[] {0}, List.of(file)));
            assertTrue(error.getMessage().contains("this model is in " + place + "-2"), error.getMessage());
        }
        assertArrayEquals(new long[] {1}, ModelDirectory.load(place).ids());
        assertArrayEquals(
                new long[] {5}, ModelDirectory.load(dir.resolve("m-2")).ids());
    }

    @Test
    void a_file_that_was_cut_short_is_not_published() throws IOException {
        try (ModelDraft draft = ModelDraft.of(dir.resolve("m"), false)) {
            RangeFile file = RangeFile.write(
                    draft.directory(), new KeyRange(0, 1, 1, 0), new long[] {5}, new double[] {1}, Precision.F32);
            Path path = draft.directory().resolve(file.file());
            Files.write(path, Arrays.copyOf(Files.readAllBytes(path), (int) file.bytes() - 1));
            IOException error =
                    assertThrows(IOException.class, () -> draft.publish(card(2), new double[] {0}, List.of(file)));
            assertTrue(error.getMessage().contains(file.file()), error.getMessage());
        }
        assertFalse(Files.exists(dir.resolve("m")));
    }

    @Test
    void a_model_with_a_range_missing_is_refused() throws IOException {
        try (ModelDraft draft = ModelDraft.of(dir.resolve("m"), false)) {
            RangeFile second = RangeFile.write(
                    draft.directory(), new KeyRange(0, 2, 2, 1L << 63), new long[] {-1}, new double[1], Precision.F32);
            assertThrows(IOException.class, () -> draft.publish(card(2), new double[] {0}, List.of(second)));
            assertThrows(IOException.class, () -> draft.publish(card(2), new double[] {0}, List.of(second, second)));
        }
    }

    @Test
    void a_damaged_file_is_refused_before_it_is_scored_with() throws IOException {
        write(ModelDirectoryTest.random(1, 100, 2, Precision.F32), 3, dir.resolve("m"));
        Path file = dir.resolve("m/weights-00002-of-00003.safetensors");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 5] ^= 1;
        Files.write(file, bytes);
        IOException error = assertThrows(
                IOException.class, () -> StoredModel.at(dir.resolve("m")).scorer());
        assertTrue(error.getMessage().contains(file.getFileName().toString()), error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void who_wants_a_range_sees_it_and_nothing_else(boolean ranged) throws IOException {
        LinearModel model = ModelDirectoryTest.random(3, 1000, 3, Precision.F32);
        Path place = dir.resolve("m");
        if (ranged) {
            write(model, 4, place);
        } else {
            ModelDirectory.save(model, place, false, 5000);
        }
        long from = 3L << 60;
        long to = 5L << 60;
        double[] sums = new double[3];
        StoredModel.at(place)
                .visit(
                        (output, first, last) -> output != 1 && first <= to && last >= from && first >= 0,
                        (output, keys, weights, count) -> {
                            for (int i = 0; i < count; i++) {
                                sums[output] += weights[i];
                            }
                        });
        double[] expected = new double[3];
        for (int i = 0; i < model.ids().length; i++) {
            long key = Mix.mix(model.ids()[i]);
            for (int k = 0; k < 3; k++) {
                expected[k] += k != 1 && key >= from && key <= to ? model.weights()[k][i] : 0;
            }
        }
        assertArrayEquals(expected, sums, 1e-9);
        assertArrayEquals(model.intercepts(), StoredModel.at(place).intercepts());
    }

    private static void write(LinearModel model, int shards, Path place) throws IOException {
        try (ModelDraft draft = ModelDraft.of(place, false)) {
            List<RangeFile> files = new ArrayList<>();
            for (int k = 0; k < model.outputs(); k++) {
                for (int s = 0; s < shards; s++) {
                    long first = s == 0 ? 0 : Long.divideUnsigned(-1, shards) * s;
                    KeyRange range = new KeyRange(k, k * shards + s + 1, model.outputs() * shards, first);
                    files.add(write(
                            model,
                            draft.directory(),
                            range,
                            s + 1 == shards ? -1 : Long.divideUnsigned(-1, shards) * (s + 1) - 1));
                }
            }
            draft.publish(model.card(), model.intercepts(), files.reversed());
        }
    }

    private static RangeFile write(LinearModel model, Path directory, KeyRange range, long last) throws IOException {
        List<Integer> here = new ArrayList<>();
        for (int i = 0; i < model.ids().length; i++) {
            long key = Mix.mix(model.ids()[i]);
            if (Long.compareUnsigned(key, range.firstKey()) >= 0
                    && Long.compareUnsigned(key, last) <= 0
                    && model.weights()[range.output()][i] != 0) {
                here.add(i);
            }
        }
        here.sort((a, b) -> Long.compareUnsigned(Mix.mix(model.ids()[a]), Mix.mix(model.ids()[b])));
        double[] weights = new double[here.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = model.weights()[range.output()][here.get(i)];
        }
        return RangeFile.write(
                directory,
                range,
                here.stream().mapToLong(i -> Mix.mix(model.ids()[i])).toArray(),
                weights,
                Precision.F32);
    }

    /// Rows that have some of the model's ids and some others.
    private static Batch batch(LinearModel model, int rows) {
        SplittableRandom random = new SplittableRandom(4);
        long[][] ids = new long[rows][];
        float[][] values = new float[rows][];
        for (int r = 0; r < rows; r++) {
            ids[r] = random.ints(random.nextInt(6), 0, model.ids().length + 3)
                    .distinct()
                    .mapToLong(i -> i < model.ids().length ? model.ids()[i] : 1000L + i)
                    .distinct()
                    .toArray();
            values[r] = new float[ids[r].length];
            Arrays.fill(values[r], 1.5f);
        }
        return HandBatch.of(ids, values, new double[rows]);
    }

    private static LinearModel sorted(long[] ids, double[] weights) {
        Integer[] order = new Integer[ids.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compareUnsigned(ids[a], ids[b]));
        return new LinearModel(
                "logistic",
                List.of("-1", "1"),
                Arrays.stream(order).mapToLong(i -> ids[i]).toArray(),
                new double[][] {
                    Arrays.stream(order).mapToDouble(i -> weights[i]).toArray()
                },
                new double[] {0},
                Precision.F32,
                null,
                null);
    }

    private static float[][] ones(long[] ids) {
        float[][] values = {new float[ids.length], {1, 1, 1}};
        Arrays.fill(values[0], 1);
        return values;
    }

    private static double[] zeros() {
        return new double[2];
    }

    private static ModelCard card(int classes) {
        return ModelDirectoryTest.random(1, 1, classes, Precision.F32).card();
    }
}
