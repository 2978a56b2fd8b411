package tandem.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Batch;
import tandem.data.HandBatch;

class ScorerTest {

    @TempDir
    Path dir;

    @Test
    void three_lines_give_a_probability() throws IOException {
        ModelDirectory.save(ModelDirectoryTest.model(new long[] {3, 17}, 1, -2), dir.resolve("m2"), false);
        Scorer scorer = Scorer.load(dir.resolve("m2"));
        double p = scorer.probability(new long[] {3, 17}, new float[] {1, 0.5f});
        // 0.25 + 1 − 1.
        assertEquals(1 / (1 + Math.exp(-0.25)), p, 1e-15);
        assertEquals("+1", scorer.label(new long[] {3}, new float[] {1}));
        assertEquals("-1", scorer.label(new long[] {17}, new float[] {1}));
    }

    @Test
    void unknown_ids_add_nothing_and_large_ones_are_found() {
        Scorer scorer = new Scorer(ModelDirectoryTest.model(new long[] {0, 1L << 63, -1}, 1, 2, 4));
        assertEquals(0.25, scorer.score(new long[] {5, 6}, new float[] {1, 1}));
        assertEquals(7.25, scorer.score(new long[] {-1, 0, 1L << 63}, new float[] {1, 1, 1}));
        assertEquals(0.25, new Scorer(ModelDirectoryTest.model(new long[0])).score(new long[] {0}, new float[] {1}));
    }

    @Test
    void the_largest_of_several_scores_decides() {
        Scorer scorer = new Scorer(new LinearModel(
                "squared-hinge",
                List.of("cat", "dog", "owl"),
                new long[] {1, 2},
                new double[][] {{1, 0}, {0, 1}, {0.5, 0.75}},
                new double[] {0, 0, 0.125},
                Precision.F64,
                null,
                Provenance.NONE));
        assertArrayEquals(new double[] {1, 1, 1.375}, scorer.scores(new long[] {1, 2}, new float[] {1, 1}));
        assertEquals("owl", scorer.label(new long[] {1, 2}, new float[] {1, 1}));
        assertEquals("cat", scorer.label(new long[] {1}, new float[] {1}));
        assertThrows(IllegalStateException.class, () -> scorer.score(new long[] {1}, new float[] {1}));
        var error =
                assertThrows(IllegalStateException.class, () -> scorer.probability(new long[] {1}, new float[] {1}));
        assertTrue(error.getMessage().contains("--loss logistic"), error.getMessage());
    }

    @Test
    void a_batch_scores_as_its_rows_do() {
        Random random = new Random(3);
        for (int classes : new int[] {2, 4}) {
            int outputs = classes == 2 ? 1 : classes;
            long[] ids = random.longs(1_000, 0, Long.MAX_VALUE).sorted().toArray();
            double[][] weights = new double[outputs][];
            for (int k = 0; k < outputs; k++) {
                weights[k] = random.doubles(ids.length, -1, 1).toArray();
            }
            List<String> names = List.of("a", "b", "c", "d").subList(0, classes);
            Scorer scorer = new Scorer(new LinearModel(
                    "logistic", names, ids, weights, new double[outputs], Precision.F64, null, Provenance.NONE));
            long[][] rows = new long[50][8];
            float[][] values = new float[50][8];
            for (int r = 0; r < rows.length; r++) {
                for (int i = 0; i < 8; i++) {
                    rows[r][i] = i == 0 ? random.nextLong() : ids[random.nextInt(ids.length)];
                    values[r][i] = random.nextFloat();
                }
            }
            Batch batch = HandBatch.of(rows, values, new double[50]);
            double[] scores = new double[50 * outputs];
            scorer.scores(batch, scores);
            for (int r = 0; r < rows.length; r++) {
                double[] expected = scorer.scores(rows[r], values[r]);
                for (int k = 0; k < outputs; k++) {
                    assertEquals(expected[k], scores[r * outputs + k]);
                }
                assertEquals(scorer.classOf(rows[r], values[r]), scorer.card().classOf(scores, r * outputs));
            }
        }
    }
}
