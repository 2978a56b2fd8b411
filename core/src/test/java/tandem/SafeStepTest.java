package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.math.Mix;
import tandem.worker.BlockTask;

class SafeStepTest {

    private static final int ROWS = 60;
    private static final int FEATURES = 24;
    private static final int BLOCKS = 6;

    @TempDir
    private Path directory;

    private final double[][] x = new double[ROWS][FEATURES];

    private SafeStep step(boolean intercept) throws IOException {
        StringBuilder text = new StringBuilder();
        for (double[] row : x) {
            text.append('1');
            for (int j = 0; j < FEATURES; j++) {
                if (row[j] != 0) {
                    text.append(' ').append(j + 1).append(':').append(row[j]);
                }
            }
            text.append('\n');
        }
        Path file = directory.resolve("x.svm");
        Files.writeString(file, text);
        try (Batches batches =
                Data.of(file.toString()).withBatchRows(7).known().cache(directory.resolve("cache"), _ -> {}, 1)) {
            return SafeStep.of(batches, BLOCKS, intercept);
        }
    }

    private void fill(long seed) {
        Random random = new Random(seed);
        for (double[] row : x) {
            double common = random.nextGaussian();
            for (int j = 0; j < FEATURES; j++) {
                row[j] =
                        random.nextInt(3) == 0 ? Math.round(1000 * (common + 0.2 * random.nextGaussian())) / 1000.0 : 0;
            }
        }
    }

    private static int block(int feature) {
        return BlockTask.block(Mix.mix(feature + 1), BLOCKS);
    }

    /// The norm of the part of the matrix of second derivatives between two blocks, in the metric of its diagonal, for
    /// examples that curve as much as `bends` says: by power iteration.
    private double norm(int one, int other, double[] bends, double[] diagonal) {
        Random random = new Random(1);
        double[] v = random.doubles(FEATURES, 0.5, 1).toArray();
        double size = 0;
        for (int round = 0; round < 300; round++) {
            double[] there = times(one, other, v, bends, diagonal);
            double[] back = times(other, one, there, bends, diagonal);
            size = Math.sqrt(dot(there, there) / Math.max(1e-300, inBlock(v, other)));
            double length = Math.sqrt(Math.max(1e-300, dot(back, back)));
            for (int j = 0; j < FEATURES; j++) {
                v[j] = back[j] / length;
            }
        }
        return size;
    }

    private double[] times(int one, int other, double[] v, double[] bends, double[] diagonal) {
        double[] result = new double[FEATURES];
        for (int i = 0; i < ROWS; i++) {
            double score = 0;
            for (int k = 0; k < FEATURES; k++) {
                score += block(k) == other && diagonal[k] > 0 ? x[i][k] * v[k] / Math.sqrt(diagonal[k]) : 0;
            }
            for (int j = 0; j < FEATURES; j++) {
                result[j] +=
                        block(j) == one && diagonal[j] > 0 ? bends[i] * x[i][j] * score / Math.sqrt(diagonal[j]) : 0;
            }
        }
        return result;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    private static double inBlock(double[] v, int block) {
        double sum = 0;
        for (int j = 0; j < v.length; j++) {
            sum += block(j) == block ? v[j] * v[j] : 0;
        }
        return sum;
    }

    /// Whatever examples curve, up to the most that counts in the diagonal.
    @Test
    void no_blocks_hinder_each_other_more_than_it_says() throws IOException {
        double nearest = 0;
        for (int seed = 0; seed < 5; seed++) {
            fill(seed);
            SafeStep step = step(false);
            double[] bends = new Random(seed).doubles(ROWS, 0, 0.25).toArray();
            double[] diagonal = new double[FEATURES];
            for (int i = 0; i < ROWS; i++) {
                for (int j = 0; j < FEATURES; j++) {
                    diagonal[j] += 0.25 * x[i][j] * x[i][j];
                }
            }
            for (int one = 0; one < BLOCKS; one++) {
                for (int other = 0; other < BLOCKS; other++) {
                    double norm = norm(one, other, bends, diagonal);
                    double bound = one == other ? step.within() : step.across();
                    assertTrue(norm <= bound * (1 + 1e-9), "blocks " + one + " and " + other + ": " + norm);
                    nearest = Math.max(nearest, norm / bound);
                }
            }
        }
        assertTrue(nearest > 0.1, "the bounds are no use: " + nearest);
    }

    @Test
    void features_of_a_row_are_counted_by_block() throws IOException {
        int one = 0;
        int friend = 1;
        for (int j = 0; j < FEATURES * FEATURES; j++) {
            if (j / FEATURES != j % FEATURES && block(j / FEATURES) == block(j % FEATURES)) {
                one = j / FEATURES;
                friend = j % FEATURES;
            }
        }
        int stranger = 0;
        while (block(stranger) == block(one)) {
            stranger++;
        }
        x[3][one] = 1;
        assertEquals(new SafeStep(1, 0), step(false));
        assertEquals(new SafeStep(1, 1), step(true));
        x[3][friend] = 1;
        x[3][stranger] = 1;
        assertEquals(new SafeStep(2, Math.sqrt(2)), step(true));
        assertEquals(1 / (2 + 8 * Math.sqrt(2)), step(true).under("bounded:8", 10), 1e-15);
        assertEquals(0.5, step(true).under("bsp", 10));
        assertEquals(1 / (2 + 4 * Math.sqrt(2)), step(true).under("bounded:4..0", 10), 1e-15);
    }
}
