package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Batch;
import tandem.data.HandBatch;
import tandem.math.Mix;
import tandem.problem.Logistic;
import tandem.problem.Separable;

/// What EMSO makes of a batch, by the gradient of its subproblem, which is computed here from the rows as they were
/// written down.
class SubproblemTest {

    private static final int ROWS = 60;
    private static final int IDS = 25;
    private static final double GAMMA = 0.8;

    private final double[][] x = new double[ROWS][IDS];
    private final double[] labels = new double[ROWS];
    private final double[] start = new double[IDS + 1];

    @ParameterizedTest
    @CsvSource({"GRADIENT, 0, 0", "GRADIENT, 0.4, 0.7", "COORDINATE, 0, 0", "COORDINATE, 0.4, 0.7"})
    void its_gradient_falls_to_a_tenth_and_then_no_more_is_done_unless_that_is_wanted(
            Local.Emso.By by, double l1, double l2) {
        Batch batch = batch();
        double first = residual(new double[IDS + 1], batch, l1, l2);
        double tenth = residual(solved(batch, by, 1_000, 0.1, l1, l2), batch, l1, l2);
        assertTrue(first > 1 && tenth <= 0.1 * first, tenth + " of " + first);
        assertTrue(tenth > 1e-6 * first, "went on to " + tenth + " of " + first);
        double nothing = residual(solved(batch, by, 10_000, 0, l1, l2), batch, l1, l2);
        assertEquals(0, nothing, 1e-6 * first);
    }

    /// How far each coordinate has moved, the intercept last.
    private double[] solved(Batch batch, Local.Emso.By by, int inner, double enough, double l1, double l2) {
        float[] weights = new float[batch.keyCount()];
        for (int k = 0; k < weights.length; k++) {
            weights[k] = (float) start[id(batch, k)];
        }
        MinibatchTask task = new MinibatchTask(new Logistic(), label -> label, 1, 0, 1);
        Subproblem problem = new Subproblem();
        problem.begin(
                task,
                batch,
                weights,
                (float) start[IDS],
                GAMMA,
                Separable.l1(l1).withL2(l2));
        switch (by) {
            case GRADIENT -> problem.descend(inner, enough);
            case COORDINATE -> problem.cycle(inner, enough, 7);
        }
        double[] moved = new double[IDS + 1];
        for (int k = 0; k < batch.keyCount(); k++) {
            moved[id(batch, k)] = problem.moved(k);
        }
        moved[IDS] = problem.moved(batch.keyCount());
        return moved;
    }

    private static int id(Batch batch, int k) {
        return (int) Mix.unmix(batch.keys()[k]);
    }

    /// The length of the shortest subgradient of Σ log(1 + e^(−y·xᵀw)) + l1·‖w‖₁ + l2/2·‖w‖² + γ/2·‖w − w⁰‖² at
    /// w = w⁰ + moved, the intercept being free of the penalty.
    private double residual(double[] moved, Batch batch, double l1, double l2) {
        double[] w = new double[IDS + 1];
        Arrays.setAll(w, j -> (float) start[j] + moved[j]);
        double sum = 0;
        for (int j = 0; j <= IDS; j++) {
            double g = GAMMA * moved[j] + (j < IDS ? l2 * w[j] : 0);
            for (int i = 0; i < ROWS; i++) {
                double score = w[IDS];
                for (int a = 0; a < IDS; a++) {
                    score += w[a] * x[i][a];
                }
                g += -labels[i] / (1 + Math.exp(labels[i] * score)) * (j < IDS ? x[i][j] : 1);
            }
            double penalty = j < IDS ? l1 : 0;
            double left = w[j] == 0 ? Math.max(0, Math.abs(g) - penalty) : Math.abs(g + penalty * Math.signum(w[j]));
            sum += left * left;
        }
        return Math.sqrt(sum);
    }

    private Batch batch() {
        Random random = new Random(11);
        Arrays.setAll(start, _ -> random.nextInt(3) == 0 ? 0 : (float) random.nextGaussian());
        long[][] ids = new long[ROWS][];
        float[][] values = new float[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            labels[i] = random.nextBoolean() ? 1 : -1;
            int row = i;
            ids[i] = random.longs(0, IDS).distinct().limit(4).sorted().toArray();
            values[i] = new float[ids[i].length];
            for (int e = 0; e < ids[i].length; e++) {
                values[i][e] = (float) (0.5 + random.nextDouble());
                x[row][(int) ids[i][e]] = values[i][e];
            }
        }
        return HandBatch.of(ids, values, labels);
    }
}
