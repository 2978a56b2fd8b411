package tandem.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.problem.Diverged;

class ModelDirectoryTest {

    @TempDir
    Path dir;

    static LinearModel model(long[] ids, double... weights) {
        return new LinearModel(
                "logistic",
                List.of("-1", "+1"),
                ids,
                new double[][] {weights},
                new double[] {0.25},
                Precision.F64,
                JsonNodeFactory.instance.objectNode().put("format", "libsvm"),
                new Provenance(
                        "0.1.0",
                        "2026-01-01T00:00:00Z",
                        7,
                        123,
                        "",
                        List.of(new Provenance.Source("a9a.svm", "12ab")),
                        Map.of("l1", "1"),
                        JsonNodeFactory.instance.objectNode().put("auc", 0.9),
                        null));
    }

    static LinearModel random(int seed, int count, int classes, Precision precision) {
        Random random = new Random(seed);
        long[] ids = random.longs(count).sorted().toArray();
        Long[] boxed = Arrays.stream(ids).boxed().toArray(Long[]::new);
        Arrays.sort(boxed, Long::compareUnsigned);
        double[][] weights = new double[classes > 2 ? classes : 1][count];
        for (double[] row : weights) {
            for (int i = 0; i < count; i++) {
                row[i] = precision.rounded(random.nextGaussian());
            }
        }
        List<String> names =
                IntStream.range(0, classes).mapToObj(k -> "class " + k).toList();
        return new LinearModel(
                "logistic",
                names,
                Arrays.stream(boxed).mapToLong(id -> id).toArray(),
                weights,
                random.doubles(weights.length).toArray(),
                precision,
                null,
                Provenance.NONE);
    }

    static void assertSame(LinearModel expected, LinearModel found) {
        assertEquals(expected.loss(), found.loss());
        assertEquals(expected.classes(), found.classes());
        assertArrayEquals(expected.ids(), found.ids());
        for (int k = 0; k < expected.outputs(); k++) {
            assertArrayEquals(expected.weights()[k], found.weights()[k]);
        }
        assertArrayEquals(expected.intercepts(), found.intercepts());
        assertEquals(expected.precision(), found.precision());
        assertEquals(expected.schema(), found.schema());
        assertEquals(expected.provenance(), found.provenance());
    }

    @Test
    void what_is_saved_is_loaded_in_one_shard_or_many() throws IOException {
        int at = 0;
        for (Precision precision : Precision.values()) {
            for (int classes : new int[] {0, 2, 5}) {
                for (long shard : new long[] {1_000, 1_700, 1 << 20}) {
                    LinearModel model = random(at, 200, classes, precision);
                    Path place = dir.resolve("m" + at++);
                    ModelDirectory.save(model, place, false, shard);
                    assertSame(model, ModelDirectory.load(place));
                }
            }
        }
    }

    @Test
    void provenance_and_schema_come_back() throws IOException {
        LinearModel model = model(new long[] {3, 17, -1}, 1, -2.5, 1e-300);
        ModelDirectory.save(model, dir.resolve("m"), false);
        assertSame(model, ModelDirectory.load(dir.resolve("m")));
    }

    @Test
    void shards_are_named_by_their_place() throws IOException {
        ModelDirectory.save(random(1, 4, 2, Precision.F64), dir.resolve("m"), false, 32);
        assertTrue(Files.exists(dir.resolve("m/weights-00001-of-00002.safetensors")));
        assertTrue(Files.exists(dir.resolve("m/weights-00002-of-00002.safetensors")));
    }

    @Test
    void an_empty_model_is_a_model() throws IOException {
        LinearModel model = model(new long[0]);
        ModelDirectory.save(model, dir.resolve("m"), false);
        assertSame(model, ModelDirectory.load(dir.resolve("m")));
    }

    @Test
    void zero_weights_are_not_stored() throws IOException {
        ModelDirectory.save(model(new long[] {1, 2, 3}, 0, 4, 0), dir.resolve("m"), false);
        LinearModel loaded = ModelDirectory.load(dir.resolve("m"));
        assertArrayEquals(new long[] {2}, loaded.ids());
        assertArrayEquals(new double[] {4}, loaded.weights()[0]);
    }

    @Test
    void a_model_that_exists_is_replaced_only_when_asked_to() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(model(new long[] {1}, 1), place, false);
        IOException error =
                assertThrows(IOException.class, () -> ModelDirectory.save(model(new long[] {2}, 2), place, false));
        assertTrue(error.getMessage().contains("--overwrite"), error.getMessage());
        assertArrayEquals(new long[] {1}, ModelDirectory.load(place).ids());
        ModelDirectory.save(model(new long[] {2}, 2), place, true);
        assertArrayEquals(new long[] {2}, ModelDirectory.load(place).ids());
        assertOnly("m");
    }

    @Test
    void of_two_models_for_one_place_one_is_there_and_the_other_beside_it() throws Exception {
        for (int round = 0; round < 50; round++) {
            Path place = dir.resolve("m" + round);
            List<String> said = new ArrayList<>();
            atOnce(place, false, e -> said.add(e.getMessage()));
            assertEquals(1, said.size(), said.toString());
            Path beside = dir.resolve("m" + round + "-2");
            assertTrue(said.getFirst().contains(beside.toString()), said.toString());
            assertEquals(
                    List.of("another", "one"),
                    Stream.of(
                                    Files.readString(place.resolve("model.json")),
                                    Files.readString(beside.resolve("model.json")))
                            .sorted()
                            .toList());
        }
    }

    @Test
    void of_two_models_that_may_replace_each_other_one_is_left_whole() throws Exception {
        Path place = dir.resolve("m");
        for (int round = 0; round < 50; round++) {
            atOnce(place, true, e -> fail(e));
            assertTrue(Files.exists(place.resolve("model.json")));
            assertOnly("m");
        }
    }

    /// Publishes two models at about the same time.
    private static void atOnce(Path place, boolean overwrite, Consumer<IOException> refused) throws Exception {
        List<NewDirectory> drafts = new ArrayList<>();
        for (String by : List.of("one", "another")) {
            NewDirectory draft = NewDirectory.besides(place);
            Files.writeString(draft.path().resolve("model.json"), by);
            drafts.add(draft);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(drafts.size())) {
            CyclicBarrier start = new CyclicBarrier(drafts.size());
            List<Future<IOException>> all = drafts.stream()
                    .map(draft -> threads.submit(() -> {
                        start.await();
                        try {
                            ModelDirectory.publish(draft, place, overwrite);
                            return null;
                        } catch (IOException e) {
                            return e;
                        }
                    }))
                    .toList();
            for (Future<IOException> one : all) {
                if (one.get() != null) {
                    refused.accept(one.get());
                }
            }
        }
        for (NewDirectory draft : drafts) {
            draft.close();
        }
    }

    @Test
    void a_model_whose_place_was_taken_while_it_was_made_is_kept_beside_it() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(model(new long[] {1}, 1), place, false);
        IOException error =
                assertThrows(IOException.class, () -> ModelDirectory.keep(model(new long[] {2}, 2), place, false));
        assertEquals(
                place + " is there by now and was left as it is; this model is in " + place
                        + "-2. Move it where it should be",
                error.getMessage());
        assertArrayEquals(new long[] {1}, ModelDirectory.load(place).ids());
        assertArrayEquals(
                new long[] {2}, ModelDirectory.load(dir.resolve("m-2")).ids());
        Files.writeString(place.resolve("thesis.tex"), "years of work");
        assertThrows(IOException.class, () -> ModelDirectory.keep(model(new long[] {3}, 3), place, true));
        assertEquals("years of work", Files.readString(place.resolve("thesis.tex")));
        assertArrayEquals(
                new long[] {3}, ModelDirectory.load(dir.resolve("m-3")).ids());
    }

    @Test
    void a_directory_with_other_files_is_never_replaced() throws IOException {
        Path place = Files.createDirectory(dir.resolve("home"));
        Files.writeString(place.resolve("thesis.tex"), "years of work");
        IOException error =
                assertThrows(IOException.class, () -> ModelDirectory.save(model(new long[] {2}, 2), place, true));
        assertTrue(error.getMessage().contains("thesis.tex"), error.getMessage());
        assertEquals("years of work", Files.readString(place.resolve("thesis.tex")));
    }

    @Test
    void a_write_that_fails_leaves_the_old_directory_and_nothing_else() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(model(new long[] {1}, 1), place, false);
        try (NewDirectory aside = NewDirectory.besides(place)) {
            Files.write(aside.path().resolve("weights-00001-of-00001.safetensors"), new byte[100]);
        }
        assertArrayEquals(new long[] {1}, ModelDirectory.load(place).ids());
        assertOnly("m");
    }

    /// No process has so large a number.
    @Test
    void what_a_killed_process_left_is_gone_after_the_next_write() throws IOException {
        Path left = Files.createDirectory(dir.resolve(".m.4000000000.part"));
        Files.write(left.resolve("weights-00001-of-00001.safetensors"), new byte[100]);
        ModelDirectory.save(model(new long[] {1}, 1), dir.resolve("m"), false);
        assertOnly("m");
    }

    @Test
    void an_interrupted_replacement_is_explained() throws IOException {
        ModelDirectory.save(model(new long[] {1}, 1), dir.resolve("m"), false);
        Files.move(dir.resolve("m"), dir.resolve(".m.123.old"));
        IOException error = assertThrows(IOException.class, () -> ModelDirectory.load(dir.resolve("m")));
        assertTrue(error.getMessage().contains(".m.123.old"), error.getMessage());
    }

    @Test
    void every_flipped_byte_is_noticed() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(model(new long[] {1, 5, -3}, 1, 2, 3), place, false);
        for (String name : List.of("model.json", "weights-00001-of-00001.safetensors")) {
            Path file = place.resolve(name);
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < bytes.length; i++) {
                byte[] changed = bytes.clone();
                changed[i] ^= (byte) (1 << i % 8);
                Files.write(file, changed);
                IOException error =
                        assertThrows(IOException.class, () -> ModelDirectory.load(place), name + " byte " + i);
                assertTrue(error.getMessage().contains("m/" + name), error.getMessage());
            }
            Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
            assertThrows(IOException.class, () -> ModelDirectory.load(place));
            Files.write(file, bytes);
        }
        assertEquals(3, ModelDirectory.load(place).ids().length);
    }

    @Test
    void a_changed_description_with_a_right_checksum_gives_a_model_or_a_message() throws IOException {
        Path place = dir.resolve("m");
        ModelDirectory.save(model(new long[] {1, 5, -3}, 1, 2, 3), place, false);
        Path file = place.resolve("model.json");
        String good = Files.readString(file).replaceFirst("\\w{64}(?=\"\\s*}\\s*$)", ModelJson.ZEROS);
        for (int seed = 0; seed < 800; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(good);
            int end = good.lastIndexOf("sha256");
            for (int change = 0; change <= random.nextInt(3); change++) {
                int at = random.nextInt(end - 20);
                int until = at + random.nextInt(12);
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, (char) (' ' + random.nextInt(95)));
                    case 1 -> text.replace(at, until, " ".repeat(until - at));
                    default -> text.replace(at, until, "9".repeat(until - at));
                }
            }
            Files.writeString(file, ModelJson.signed(text.toString()));
            try {
                Inspection.text(ModelDirectory.load(place), 5, id -> null);
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("m/"), e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + text, e);
            }
        }
    }

    @Test
    void a_model_cannot_name_files_outside_its_directory() throws IOException {
        for (String escape : List.of("../secret", "/etc/passwd", "weights-00001-of-00001.safetensors/../x", "")) {
            String text = ModelJson.encode(
                    model(new long[] {1}, 1), List.of(new Shards.Shard(escape, 1, 100, "0".repeat(64))));
            IOException error = assertThrows(IOException.class, () -> ModelJson.decode(text));
            assertTrue(error.getMessage().contains("beside it"), error.getMessage());
        }
    }

    @Test
    void a_newer_format_is_named() throws IOException {
        String text = ModelJson.encode(model(new long[] {1}, 1), List.of())
                .replace("\"formatVersion\" : 1", "\"formatVersion\" : 3");
        IOException error = assertThrows(IOException.class, () -> ModelJson.decode(text));
        assertTrue(error.getMessage().contains("newer Tandem"), error.getMessage());
    }

    @Test
    void an_empty_or_foreign_description_is_told() {
        for (String text : List.of("", "\n")) {
            IOException error = assertThrows(IOException.class, () -> ModelJson.decode(text));
            assertTrue(error.getMessage().startsWith("it is empty"), error.getMessage());
        }
        IOException error = assertThrows(IOException.class, () -> ModelJson.decode("{}"));
        assertTrue(error.getMessage().contains("it has no format"), error.getMessage());
    }

    @Test
    void weights_that_are_not_numbers_are_refused() {
        for (double bad : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
            var error = assertThrows(Diverged.class, () -> model(new long[] {1}, bad));
            assertTrue(error.getMessage().contains("diverged"), error.getMessage());
        }
        var order = assertThrows(IllegalArgumentException.class, () -> model(new long[] {-1, 1}, 1, 1));
        assertTrue(order.getMessage().contains("18446744073709551615"), order.getMessage());
    }

    @Test
    void a_place_without_a_model_is_named() throws IOException {
        assertTrue(assertThrows(IOException.class, () -> ModelDirectory.load(dir.resolve("no")))
                .getMessage()
                .contains("does not exist"));
        assertTrue(assertThrows(IOException.class, () -> ModelDirectory.load(dir))
                .getMessage()
                .contains("no model.json"));
    }

    private void assertOnly(String name) throws IOException {
        try (var files = Files.list(dir)) {
            assertEquals(
                    List.of(name),
                    files.map(file -> file.getFileName().toString()).toList());
        }
        assertFalse(Files.exists(dir.resolve(name + ".part")));
    }
}
