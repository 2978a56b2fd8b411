package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.Scorer;
import tandem.model.StoredModel;
import tandem.problem.Separable;

/// What servers write of a model, each its own part, is what one process would have written of the same weights.
class DistributedModelTest {

    private static final ClusterPlan CLUSTER =
            ClusterPlan.DEFAULT.withNodes(2, 3).withConsistency("bsp").withBatchRows(128);

    @TempDir
    Path dir;

    private Data train;
    private Data held;

    @BeforeEach
    void makeClicks() throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(4_000).withFeatures(3_000).withSeed(3);
        train = clicks(clicks, "train.svm");
        held = clicks(clicks.next(2_000), "held.svm");
    }

    @Test
    void the_report_says_of_weights_in_files_what_it_would_say_of_weights_in_memory() throws IOException {
        Separable penalty = Separable.l1(0.5).withL2(0.25);
        Trained trained = job(online(2).withPenalty(penalty))
                .withValidation(held)
                .withModel(dir.resolve("m"), false)
                .run();
        assertNull(trained.model());
        JsonNode report = trained.report().tree();
        assertTrue(StoredModel.at(dir.resolve("m")).isRanged());
        LinearModel model = ModelDirectory.load(dir.resolve("m"));
        Evaluation onHeld = Evaluation.of(new Scorer(model), held, 1, Watch.SILENT);
        assertEquals(onHeld.metrics().auc(), report.at("/metrics/auc").asDouble(), 1e-12);
        assertEquals(onHeld.metrics().logloss(), report.at("/metrics/logloss").asDouble(), 1e-12);
        Evaluation onData = Evaluation.of(new Scorer(model), train, 1, Watch.SILENT);
        double objective = onData.loss() + penalty.value(model.weights()[0]);
        assertEquals(objective, report.get("objective").asDouble(), 1e-9 * objective);
        assertEquals(model.nonZero(), report.at("/weights/nonZero").asLong());
        assertTrue(report.at("/weights/seen").asLong() > model.nonZero());
        assertEquals(report.at("/weights/seen").asLong(), model.provenance().features());
        // The weights and the intercept.
        assertEquals(
                report.at("/weights/seen").asLong() + 1,
                report.at("/servers/keys").asLong());
        assertTrue(report.at("/servers/bytesPerKey").asDouble() > 20, report.get("servers")::toString);
    }

    @Test
    void every_class_has_files_of_its_own() throws IOException {
        Data three = classes("three.svm");
        Trained inMemory = LinearTraining.of(online(3), three)
                .withCache(cache())
                .withCluster(CLUSTER.withNodes(1, 3))
                .run();
        LinearTraining.of(online(3), three)
                .withCache(cache())
                .withCluster(CLUSTER.withNodes(1, 3))
                .withModel(dir.resolve("m"), false)
                .run();
        LinearModel model = ModelDirectory.load(dir.resolve("m"));
        assertEquals(List.of("0", "1", "2"), model.classes());
        for (int k = 0; k < 3; k++) {
            assertArrayEquals(inMemory.model().weights()[k], model.weights()[k]);
        }
        assertTrue(Evaluation.of(new Scorer(model), three, 1, Watch.SILENT)
                        .metrics()
                        .accuracy()
                > 0.9);
    }

    @Test
    void the_model_is_the_best_on_held_out_examples_not_the_last() throws IOException {
        Linear settings = online(40)
                .withSolver(Solver.Online.of(Solver.Rule.ADAGRAD)
                        .withPasses(40)
                        .withAlpha(0.5)
                        .withPatience(2));
        Trained trained = job(settings)
                .withValidation(held)
                .withModel(dir.resolve("m"), false)
                .run();
        JsonNode report = trained.report().tree();
        assertEquals("early", report.get("stopped").asText());
        double best = StreamSupport.stream(report.get("curve").spliterator(), false)
                .map(point -> point.get("validationLoss"))
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble)
                .min()
                .orElseThrow();
        assertEquals(best, report.at("/metrics/loss").asDouble(), 1e-12);
        LinearModel model = ModelDirectory.load(dir.resolve("m"));
        assertEquals(
                best,
                Evaluation.of(new Scorer(model), held, 1, Watch.SILENT)
                        .metrics()
                        .loss(),
                1e-12);
    }

    @Test
    void servers_start_from_their_own_parts_of_an_earlier_model() throws IOException {
        for (boolean distributed : new boolean[] {true, false}) {
            Path from = dir.resolve("from" + distributed);
            LinearTraining first = LinearTraining.of(online(3), train).withCache(cache());
            (distributed ? first.withCluster(CLUSTER.withNodes(1, 2)) : first)
                    .withModel(from, false)
                    .run();
            // With a learning rate of next to nothing what is written is what was read.
            Linear still = online(1)
                    .withSolver(
                            Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(1).withAlpha(1e-30));
            Path to = dir.resolve("to" + distributed);
            job(still).withStart(StoredModel.at(from)).withModel(to, false).run();
            LinearModel before = ModelDirectory.load(from);
            LinearModel after = ModelDirectory.load(to);
            assertArrayEquals(before.ids(), after.ids());
            assertArrayEquals(before.weights()[0], after.weights()[0], 1e-6);
            assertArrayEquals(before.intercepts(), after.intercepts(), 1e-6);
        }
    }

    @Test
    void a_server_that_cannot_write_fails_the_run_and_leaves_the_old_model() throws IOException {
        Path place = dir.resolve("m");
        job(online(1)).withModel(place, false).run();
        byte[] before = Files.readAllBytes(place.resolve("model.json"));
        Watch saboteur = new Watch() {
            @Override
            public void progress(String stage, double done, long examples, double loss) {
                removeDraft();
            }
        };
        IOException error = assertThrows(
                IOException.class,
                () -> job(online(30)).withModel(place, true).withWatch(saboteur).run());
        assertTrue(error.getMessage().contains("could not be written"), error.getMessage());
        assertArrayEquals(before, Files.readAllBytes(place.resolve("model.json")));
        assertTrue(ModelDirectory.load(place).nonZero() > 0);
        assertEquals(List.of(), drafts());
    }

    @Test
    void a_run_that_is_stopped_leaves_no_draft() throws IOException {
        Watch impatient = new Watch() {
            @Override
            public boolean stopping() {
                return !drafts().isEmpty();
            }
        };
        Trained trained = job(online(50))
                .withModel(dir.resolve("m"), false)
                .withWatch(impatient)
                .run();
        assertEquals(false, trained.finished());
        assertEquals(List.of(), drafts());
        assertEquals(false, Files.exists(dir.resolve("m")));
    }

    private List<Path> drafts() {
        try (Stream<Path> files = Files.list(dir)) {
            return files.filter(file -> file.toString().endsWith(".part")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeDraft() {
        try {
            for (Path draft : drafts()) {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Linear online(int passes) {
        return Linear.DEFAULT
                .withThreads(1)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(passes));
    }

    private CacheUse cache() {
        return new CacheUse.Auto(dir.resolve("cache"));
    }

    private LinearTraining job(Linear settings) {
        return LinearTraining.of(settings, train).withCache(cache()).withCluster(CLUSTER);
    }

    private Data clicks(Clicks clicks, String name) throws IOException {
        Path file = dir.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    /// Three classes, each with a feature of its own among others.
    private Data classes(String name) throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 900; row++) {
            int label = random.nextInt(3);
            int[] ids = random.ints(4, 10, 60).distinct().sorted().toArray();
            text.append(label).append(' ').append(label + 1).append(":1");
            Arrays.stream(ids).forEach(id -> text.append(' ').append(id).append(":1"));
            text.append('\n');
        }
        return Data.of(Files.writeString(dir.resolve(name), text).toString());
    }
}
