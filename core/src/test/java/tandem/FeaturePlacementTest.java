package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Data;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.StoredModel;
import tandem.problem.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.simulate.Network;
import tandem.wire.Address;

/// Features on the server beside the worker that needs them most: what is learned is the same, to the bit, as where
/// they are anywhere, and less travels.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FeaturePlacementTest {

    private static final int ROWS = 2_000;
    private static final int COMMUNITIES = 8;
    private static final int FEATURES = 200;

    /// Where the bits of a model do not depend on when messages come.
    private static final ClusterPlan PLAN = ClusterPlan.DEFAULT
            .withNodes(4, 4)
            .withRhythm(Rhythm.DEFAULT.withConsistency("bsp").withDeterminism())
            .withBatchRows(50)
            .withWhere(Where.Simulated.DEFAULT.withPairs());

    @TempDir
    Path directory;

    private Data train;
    private Data held;
    private int models;

    /// Rows of communities, each with features of its own. Held-out ones have features that training has not.
    @BeforeEach
    void makeCommunities() throws IOException {
        train = communities("train.svm", ROWS, COMMUNITIES * FEATURES, 6);
        held = communities("held.svm", 300, COMMUNITIES * FEATURES + 500, 7);
    }

    private Data communities(String name, int rows, int features, long seed) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(seed);
        for (int row = 0; row < rows; row++) {
            int home = random.nextInt(COMMUNITIES);
            int[] ids = random.ints(10, 0, FEATURES)
                    .map(key -> 1 + (random.nextInt(10) == 0 ? random.nextInt(features) : FEATURES * home + key))
                    .distinct()
                    .sorted()
                    .toArray();
            text.append(random.nextInt(10) < 5 + ids[0] % 5 ? "1" : "-1");
            for (int id : ids) {
                text.append(' ').append(id).append(':').append(1 + id % 3);
            }
            text.append('\n');
        }
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return Data.of(file.toString());
    }

    private static Linear settings(Solver solver) {
        return Linear.DEFAULT.withThreads(1).withPenalty(Separable.l2(1)).withSolver(solver);
    }

    private static Linear settings() {
        return settings(Solver.Online.of(Solver.Rule.FTRL).withPasses(2));
    }

    private LinearTraining job(Linear settings, ClusterPlan plan) {
        return LinearTraining.of(settings, train)
                .withValidation(held)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model-" + models++), false)
                .withCluster(plan);
    }

    private Trained trained(Linear settings, Placement placement) throws IOException {
        return job(settings, PLAN.withPlacement(placement)).run();
    }

    private static void assertSame(Trained one, Trained other) throws IOException {
        LinearModel first = StoredModel.at(one.directory()).loadWeights();
        LinearModel second = StoredModel.at(other.directory()).loadWeights();
        assertTrue(first.nonZero() > 100, first.nonZero() + " weights");
        assertArrayEquals(first.ids(), second.ids());
        assertArrayEquals(first.weights()[0], second.weights()[0]);
        assertArrayEquals(first.intercepts(), second.intercepts());
        assertEquals(first.provenance().features(), second.provenance().features());
        assertEquals(first.provenance().largestId(), second.provenance().largestId());
        JsonNode a = one.report().tree();
        JsonNode b = other.report().tree();
        for (String same : List.of("metrics", "trainMetrics", "weights", "progressiveLoss")) {
            assertEquals(a.get(same), b.get(same), same);
        }
        assertEquals(a.get("curve").findValues("validationLoss"), b.get("curve").findValues("validationLoss"));
        assertEquals(a.get("objective").asDouble(), b.get("objective").asDouble(), 1e-9);
    }

    static final List<Solver> SOLVERS = List.of(
            Solver.Online.of(Solver.Rule.FTRL).withPasses(2),
            Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(2),
            Solver.Online.of(Solver.Rule.SGD).withPasses(2),
            Solver.Sdca.DEFAULT.withMaxPasses(5));

    @ParameterizedTest
    @FieldSource("SOLVERS")
    void what_is_learned_is_the_same_to_the_bit(Solver solver) throws IOException {
        Trained examples = trained(settings(solver), Placement.EXAMPLES);
        Trained both = trained(settings(solver), Placement.PARSA);
        assertSame(examples, both);
        assertNotEquals(
                examples.report().tree().at("/simulated/trace"),
                both.report().tree().at("/simulated/trace"));
    }

    /// Their sums over features are in another order.
    @Test
    void solvers_that_add_up_over_features_end_at_the_same_optimum() throws IOException {
        for (Solver solver : List.of(
                Solver.Lbfgs.DEFAULT,
                Solver.Proximal.by(Solver.Proximal.Split.EXAMPLES).withTolerance(1e-4))) {
            double examples = objective(trained(settings(solver), Placement.EXAMPLES));
            assertEquals(examples, objective(trained(settings(solver), Placement.PARSA)), 1e-4 * examples);
        }
    }

    private static double objective(Trained trained) {
        return trained.report().tree().get("objective").asDouble();
    }

    @Test
    void a_solver_that_goes_by_keys_has_examples_placed_alone_and_says_so() throws IOException {
        List<String> notes = new ArrayList<>();
        Watch watch = new Watch() {
            @Override
            public void note(String line) {
                notes.add(line);
            }
        };
        Linear settings = settings(Solver.Blocks.DEFAULT.withTolerance(1e-2));
        ClusterPlan plan = PLAN.withRhythm(Rhythm.DEFAULT.withConsistency("bsp"));
        Trained both = job(settings, plan.withPlacement(Placement.PARSA))
                .withWatch(watch)
                .run();
        Trained examples = job(settings, plan.withPlacement(Placement.EXAMPLES)).run();
        assertEquals(
                examples.report().tree().at("/simulated/trace"),
                both.report().tree().at("/simulated/trace"));
        assertTrue(
                notes.stream().anyMatch(note -> note.startsWith("features stay on any server, because dbpg")),
                notes.toString());
    }

    @Test
    void less_travels_between_machines_and_more_within() throws IOException {
        ClusterPlan plan = PLAN.withRhythm(Rhythm.DEFAULT.withConsistency("ssp:3"));
        double[] remote = new double[3];
        double[] local = new double[3];
        for (Placement placement : Placement.values()) {
            JsonNode bytes = job(settings(), plan.withPlacement(placement))
                    .run()
                    .report()
                    .tree()
                    .get("bytes");
            remote[placement.ordinal()] =
                    bytes.get("sent").asDouble() + bytes.get("received").asDouble();
            local[placement.ordinal()] = bytes.get("local").asDouble();
        }
        String told = remote[0] + ", " + remote[1] + ", " + remote[2] + " and " + local[0] + ", " + local[1] + ", "
                + local[2] + " bytes between and within machines";
        assertTrue(remote[1] < 0.8 * remote[0] && remote[2] < 0.6 * remote[1], told);
        assertTrue(local[0] < 0.4 * remote[0] && local[2] > remote[2], told);
    }

    /// What the parts are, and where features are, is of this run alone.
    @ParameterizedTest
    @EnumSource(Placement.class)
    void neither_the_cache_nor_the_model_has_files_of_a_run_that_is_over(Placement placement) throws IOException {
        Trained trained = trained(settings(), placement);
        assertEquals(List.of(), files(directory.resolve("cache"), name -> !name.endsWith(".batches")));
        assertEquals(List.of("model.json"), files(trained.directory(), name -> !name.endsWith(".safetensors")));
        assertEquals(List.of(), files(directory, name -> name.endsWith(".part")));
    }

    private static List<String> files(Path where, Predicate<String> wanted) throws IOException {
        try (Stream<Path> files = Files.list(where)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(wanted)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void another_run_on_data_of_the_same_name_changes_nothing() throws IOException {
        Trained alone = trained(settings(), Placement.PARSA);
        Trained disturbed = disturbed(() -> {
            communities("train.svm", ROWS / 2, COMMUNITIES * FEATURES, 8);
            trained(settings(), Placement.PARSA);
        });
        assertEquals(bits(alone), bits(disturbed));
    }

    @Test
    void the_cache_can_be_removed_while_a_run_trains() throws IOException {
        Trained alone = trained(settings(), Placement.PARSA);
        Trained disturbed = disturbed(() -> {
            for (String name : files(directory.resolve("cache"), _ -> true)) {
                Files.delete(directory.resolve("cache").resolve(name));
            }
        });
        assertEquals(bits(alone), bits(disturbed));
    }

    /// What happens to a run after its first pass.
    @FunctionalInterface
    private interface Event {
        void happen() throws IOException;
    }

    private Trained disturbed(Event event) throws IOException {
        boolean[] happened = {false};
        Watch watch = new Watch() {
            @Override
            public void travelled(long sentBytes, long receivedBytes) {
                if (!happened[0]) {
                    happened[0] = true;
                    try {
                        event.happen();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        };
        Trained trained = job(settings(), PLAN.withPlacement(Placement.PARSA))
                .withWatch(watch)
                .run();
        assertTrue(happened[0]);
        return trained;
    }

    @Test
    void a_worker_and_a_server_that_are_killed_change_no_bit() throws IOException {
        ClusterPlan plan = PLAN.withReplicas(1).withPlacement(Placement.PARSA);
        Network bad = Network.DEFAULT.withFaults(0.02, 0.02, 300_000);
        Where.Simulated calm = new Where.Simulated(bad, 2_000, 0, 1).withPairs();
        Trained whole = job(settings(), plan.withWhere(calm)).run();
        double seconds = whole.report().tree().at("/simulated/seconds").asDouble();
        Where.Simulated killing = calm.withKills(
                new Where.Simulated.Kill(Address.worker(1), Duration.ofNanos((long) (0.3e9 * seconds))),
                new Where.Simulated.Kill(Address.server(2), Duration.ofNanos((long) (0.5e9 * seconds))));
        Trained killed = job(settings(), plan.withWhere(killing)).run();
        assertTrue(killed.report().tree().at("/simulated/seconds").asDouble() > seconds + 1, "nobody was missed");
        assertEquals(bits(whole), bits(killed));
        assertEquals(bits(trained(settings(), Placement.PARSA)), bits(whole));
    }

    private static String bits(Trained trained) throws IOException {
        LinearModel model = StoredModel.at(trained.directory()).loadWeights();
        StringBuilder bits = new StringBuilder();
        for (int k = 0; k < model.ids().length; k++) {
            bits.append(model.ids()[k])
                    .append(' ')
                    .append(model.weights()[0][k])
                    .append('\n');
        }
        return bits.append(model.intercepts()[0]).toString();
    }

    /// The earlier model has features that the data to go on with has not; they keep their weights.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_earlier_model_is_gone_on_from(boolean placed) throws IOException {
        Trained first = LinearTraining.of(settings(), held)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("first"), false)
                .withCluster(PLAN.withPlacement(placed ? Placement.PARSA : Placement.ANY))
                .run();
        StoredModel start = StoredModel.at(first.directory());
        Trained examples = job(settings(), PLAN.withPlacement(Placement.EXAMPLES))
                .withStart(start)
                .run();
        Trained both = job(settings(), PLAN.withPlacement(Placement.PARSA))
                .withStart(start)
                .run();
        assertSame(examples, both);
        long largest = COMMUNITIES * FEATURES;
        long[] ids = StoredModel.at(both.directory()).load().ids();
        assertTrue(ids[ids.length - 1] > largest, "weights of the earlier model are lost");
    }

    @Test
    void factors_are_placed_with_their_features() throws IOException {
        Solver.Factors solver = Solver.Factors.ADAPTIVE
                .withDimension(2)
                .withThreshold(2)
                .withWeights(Solver.Factors.ADAPTIVE.weights().withPasses(2));
        Trained both = trained(settings(solver), Placement.PARSA);
        FactorModel model = StoredModel.at(both.directory()).loadFactors();
        assertTrue(StoredModel.at(both.directory()).factored() > 100);
        for (long id : model.weights().ids()) {
            assertTrue(id >= 1 && id <= COMMUNITIES * FEATURES, "there is no feature " + id);
        }
        double examples = objective(trained(settings(solver), Placement.EXAMPLES));
        assertEquals(examples, objective(both), 0.05 * examples);
    }

    @Test
    void a_weight_that_is_no_number_is_named_by_its_id() {
        Linear wild = settings(Solver.Online.of(Solver.Rule.SGD).withPasses(20).withAlpha(1e3))
                .withLoss(Loss.named("squared"));
        LinearTraining job = job(wild, PLAN.withPlacement(Placement.PARSA)).withValidation(null);
        String told = assertThrows(Diverged.class, job::run).getMessage();
        long id = Long.parseUnsignedLong(told.replaceAll(".*feature (\\d+) is.*", "$1"));
        assertTrue(id >= 1 && id <= COMMUNITIES * FEATURES, told);
    }
}
