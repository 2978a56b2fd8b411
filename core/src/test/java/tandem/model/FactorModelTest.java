package tandem.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Batch;
import tandem.data.HandBatch;
import tandem.problem.Span;

/// Factorisation machines in memory.
class FactorModelTest {

    private static final int DIMENSION = 3;

    @TempDir
    Path dir;

    private final Random random = new Random(5);

    /// Some features have no weight, and some no factors.
    private FactorModel machine(int classes, int count) {
        LinearModel weights = ModelDirectoryTest.random(11, count, classes, Precision.F32);
        float[][] factors = new float[weights.outputs()][count * DIMENSION];
        for (int k = 0; k < factors.length; k++) {
            for (int place = 0; place < count; place++) {
                if (place % 4 == 0) {
                    weights.weights()[k][place] = 0;
                }
                for (int f = 0; f < DIMENSION && place % 3 != 1; f++) {
                    factors[k][place * DIMENSION + f] = (float) random.nextGaussian();
                }
            }
        }
        return new FactorModel(weights, DIMENSION, factors, Span.ALL);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void scores_have_the_product_of_every_pair(int classes) throws IOException {
        FactorModel machine = machine(classes, 40);
        ModelDirectory.save(machine, dir.resolve("m"), false);
        long[] ids = machine.weights().ids();
        int outputs = machine.weights().outputs();
        Scorer scorer = new Scorer(machine);
        Scorer loaded = Scorer.load(dir.resolve("m"));
        for (int row = 0; row < 20; row++) {
            int[] places = random.ints(0, ids.length).distinct().limit(6).toArray();
            long[] some = new long[places.length + 1];
            float[] values = new float[some.length];
            for (int i = 0; i < places.length; i++) {
                some[i] = ids[places[i]];
                values[i] = random.nextFloat();
            }
            some[places.length] = 1234567; // nobody knows this one
            values[places.length] = 1;
            double[] expected = new double[outputs];
            for (int k = 0; k < outputs; k++) {
                expected[k] = plain(machine, k, places, values);
            }
            assertArrayEquals(expected, scorer.scores(some, values), 1e-5);
            assertArrayEquals(expected, loaded.scores(some, values), 1e-5);
            if (outputs == 1) {
                assertEquals(expected[0], scorer.score(some, values), 1e-5);
            }
            Batch batch = HandBatch.of(new long[][] {some}, new float[][] {values}, new double[1]);
            double[] together = new double[outputs];
            scorer.scores(batch, together);
            assertArrayEquals(expected, together, 1e-5);
            try (BatchScorer files = StoredModel.at(dir.resolve("m")).scorer()) {
                files.scores(batch, together);
                assertArrayEquals(expected, together, 1e-5);
            }
        }
    }

    /// Every pair by itself.
    private static double plain(FactorModel machine, int output, int[] places, float[] values) {
        double sum = machine.weights().intercepts()[output];
        for (int i = 0; i < places.length; i++) {
            sum += machine.weights().weights()[output][places[i]] * values[i];
            for (int j = 0; j < i; j++) {
                for (int f = 0; f < DIMENSION; f++) {
                    sum += (double) machine.factor(output, places[i], f)
                            * machine.factor(output, places[j], f)
                            * values[i]
                            * values[j];
                }
            }
        }
        return sum;
    }

    @Test
    void what_is_saved_is_loaded_with_its_span() throws IOException {
        LinearModel weights = new LinearModel(
                "squared",
                List.of(),
                new long[] {1, 2},
                new double[][] {{0.5, 0}},
                new double[] {1},
                Precision.F32,
                null,
                null);
        FactorModel machine = new FactorModel(weights, 1, new float[][] {{0, 2}}, new Span(0, 1.25));
        ModelDirectory.save(machine, dir.resolve("m"), false);
        FactorModel loaded = StoredModel.at(dir.resolve("m")).loadFactors();
        ModelDirectoryTest.assertSame(weights, loaded.weights());
        assertArrayEquals(machine.factors()[0], loaded.factors()[0]);
        assertEquals(machine.card(), loaded.card());
        assertEquals(1.25, new Scorer(loaded).predict(new long[] {1}, new float[] {1}));
        assertEquals(1.5, new Scorer(loaded).score(new long[] {1}, new float[] {1}));
    }

    @Test
    void a_linear_model_is_a_machine_without_factors() throws IOException {
        LinearModel weights = ModelDirectoryTest.random(3, 10, 2, Precision.F64);
        ModelDirectory.save(FactorModel.linear(weights), dir.resolve("m"), false);
        ModelDirectoryTest.assertSame(weights, ModelDirectory.load(dir.resolve("m")));
        assertTrue(StoredModel.at(dir.resolve("m")).card().dimension() == 0, "linear");
    }
}
