package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tandem.data.BlockColumns;
import tandem.data.Columns;
import tandem.problem.Logistic;
import tandem.solver.Balance;

/// A worker's rows in rounds that begin ahead of where the last one ended.
class BlockRowsTest {

    private static final int COUNT = 6;

    private static final BlockTask TASK = new BlockTask(new Logistic(), label -> label, 1, 0, -1, 1, false, null, 1);

    private final Random random = new Random(5);
    private final Columns data = columns(40);

    @Test
    void whoever_takes_over_in_the_middle_of_a_round_goes_on_as_the_one_before_would_have() throws IOException {
        BlockRows rows = new BlockRows(BlockColumns.held(data, 0), TASK);
        int[] all = IntStream.range(0, COUNT).toArray();
        rows.begin(0);
        rows.set(all, pulled(all));
        double[] before = new double[COUNT + 1]; // the weights before the first step are 0
        rows.begin(0.5);
        double[] after = rows.weights.clone();
        int[] done = {0, 1, 2};
        rows.set(done, pulled(done));

        BlockRows other = new BlockRows(BlockColumns.held(data, 0), TASK);
        double[] known = new double[2 * COUNT];
        IntStream.of(all).forEach(j -> known[2 * j] = rows.weights[j]);
        other.set(all, known);
        System.arraycopy(after, 0, before, 0, done.length);
        BitSet waiting = new BitSet();
        waiting.set(3, COUNT);
        other.goOn(before, waiting, 0.5);
        assertAlike(rows, other);
        assertEquals(0.5 * after[4], other.ahead[4], 1e-15);

        int[] rest = {3, 4, 5};
        double[] last = pulled(rest);
        rows.set(rest, last);
        other.set(rest, last);
        rows.begin(0.7);
        other.begin(0.7);
        assertAlike(rows, other);
    }

    /// Rows are gathered 256 at a time, and some count twice.
    @Test
    void gradients_and_curvatures_are_the_sums_over_the_rows_of_a_column() throws IOException {
        Columns many = columns(600);
        BlockTask task = new BlockTask(new Logistic(), label -> label, 2, 0, -1, 1, false, null, 1);
        BlockRows rows = new BlockRows(BlockColumns.held(many, 0), task);
        int[] all = IntStream.range(0, COUNT).toArray();
        rows.set(all, pulled(all));
        Logistic loss = new Logistic();
        double reach = 0.3;
        for (int j = 0; j < COUNT; j++) {
            double g = 0;
            double u = 0;
            double most = 0;
            for (int i = 0; i < 600; i++) {
                double score = 0;
                for (int k = 0; k < COUNT; k++) {
                    score += rows.weights[k] * many.value(k, 600 * k + i);
                }
                double x = many.value(j, 600 * j + i);
                double label = many.labels()[i];
                double counts = label > 0 ? 2 : 1;
                g += counts * x * loss.derivative(score, label);
                u += counts * x * x * Math.min(Math.exp(Math.abs(x) * reach) * loss.curvature(score, label), 0.25);
                most += counts * x * x * 0.25;
            }
            rows.look(j, reach);
            assertEquals(g, rows.gradient(), 1e-10);
            assertEquals(g, rows.gradient(j, rows.slopes(new RowState.View(false, Balance.NONE))), 1e-10);
            assertEquals(u, rows.curvature(), 3e-3 * u);
            assertTrue(rows.curvature() >= u * (1 - 1e-12), "a bound is no less");
            assertEquals(most, rows.mostCurvature(j), 1e-10 * most);
        }
    }

    private static void assertAlike(BlockRows rows, BlockRows other) {
        assertArrayEquals(rows.weights, other.weights, 1e-12);
        assertArrayEquals(rows.ahead, other.ahead, 1e-12);
        assertEquals(rows.loss(), other.loss(), 1e-12);
        for (int j = 0; j < COUNT; j++) {
            rows.look(j, 1);
            other.look(j, 1);
            assertEquals(rows.gradient(), other.gradient(), 1e-12);
            assertEquals(rows.curvature(), other.curvature(), 1e-12);
        }
    }

    private double[] pulled(int[] columns) {
        return random.doubles(2L * columns.length, -1, 1).toArray();
    }

    /// All columns full.
    private Columns columns(int rows) {
        int[] starts = IntStream.rangeClosed(0, COUNT).map(j -> j * rows).toArray();
        float[] values = new float[COUNT * rows];
        IntStream.range(0, values.length).forEach(e -> values[e] = (float) random.nextGaussian());
        float[] weights = new float[rows];
        Arrays.fill(weights, 1);
        return new Columns(
                IntStream.range(0, COUNT).mapToLong(j -> j).toArray(),
                starts,
                IntStream.range(0, COUNT * rows).map(e -> e % rows).toArray(),
                starts,
                values,
                random.doubles(rows).map(u -> u < 0.5 ? -1 : 1).toArray(),
                weights);
    }
}
