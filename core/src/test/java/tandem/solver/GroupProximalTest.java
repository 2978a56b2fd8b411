package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import tandem.problem.GroupKeys;
import tandem.problem.Separable;

/// Rows of keys 10, 11, 12 in a group, and 20 in none.
class GroupProximalTest {

    private static final double STRENGTH = 2;
    private static final GroupKeys GROUPS =
            GroupKeys.of(new long[] {1}, new long[] {3}, new long[] {10}, new long[] {10}, new long[] {12});
    private static final GroupProximal RULE = new GroupProximal(STRENGTH, GROUPS);
    private static final long[] KEYS = {10, 11, 12, 20};

    /// A row: weight, gradient, weight before, outlook, curvature, gradient seen.
    private static double[] row(double weight, double gradient, double outlook, double curvature) {
        return new double[] {weight, gradient, weight, outlook, curvature, 0};
    }

    private static double[] settled(double[]... each) {
        double[] rows = new double[6 * each.length];
        for (int k = 0; k < each.length; k++) {
            System.arraycopy(each[k], 0, rows, 6 * k, 6);
        }
        RULE.settle(KEYS, rows);
        return rows;
    }

    /// At the least of the model its derivative is 0, or the penalty can make it so: nothing of the way there is used.
    @Test
    void a_step_goes_to_the_least_of_the_model() {
        Random random = new Random(4);
        int zeros = 0;
        for (int trial = 0; trial < 2_000; trial++) {
            double[][] rows = new double[4][];
            for (int k = 0; k < rows.length; k++) {
                double u = Math.exp(3 * random.nextGaussian());
                double w = random.nextInt(3) == 0 ? 0 : 0.1 * random.nextGaussian();
                rows[k] = row(w, random.nextGaussian() * Math.min(2, u), 5, u);
            }
            double[] after = settled(rows);
            double norm = Math.sqrt(after[0] * after[0] + after[6] * after[6] + after[12] * after[12]);
            double pull = 0;
            for (int k = 0; k < 3; k++) {
                double slope = rows[k][1] + rows[k][4] * (after[6 * k] - rows[k][0]);
                pull += slope * slope;
                if (norm > 0) {
                    assertEquals(0, slope + STRENGTH * after[6 * k] / norm, 1e-9, "trial " + trial);
                }
                assertEquals(rows[k][1], after[6 * k + 5]);
                assertEquals(rows[k][0], after[6 * k + 2]);
            }
            assertTrue(norm > 0 || pull <= STRENGTH * STRENGTH, "trial " + trial);
            zeros += norm == 0 ? 1 : 0;
            double alone = Separable.shrink(rows[3][0] - rows[3][1] / rows[3][4], STRENGTH / rows[3][4]);
            assertEquals(alone, after[18], 1e-12);
        }
        assertTrue(zeros > 200 && zeros < 1_800, zeros + " of 2000 are 0");
    }

    @Test
    void a_step_that_is_too_long_for_one_weight_is_shortened_for_all() {
        double[] free = settled(row(1, -30, 5, 10), row(-1, 10, 5, 10), row(0, 5, 5, 10), row(0, 0, 5, 1));
        double[] held = settled(row(1, -30, 0.5, 10), row(-1, 10, 5, 10), row(0, 5, 5, 10), row(0, 0, 5, 1));
        double share = 0.5 / (free[0] - 1);
        assertEquals(1.5, held[0], 1e-12);
        assertEquals(-1 + share * (free[6] + 1), held[6], 1e-12);
        assertEquals(share * free[12], held[12], 1e-12);
    }

    /// ‖g‖ = 1.5 leaves 0.5 of the strength, ‖u‖ = 3: 0.5 / 3 is 0.0010101010… in binary digits, of which three are
    /// told.
    @Test
    void members_of_a_group_at_rest_hear_the_same_and_wake_together() {
        double[] rest = settled(row(0, 1, 0, 1), row(0, 1, 0, 2), row(0, 0.5, 0, 2), row(0, 1, 0, 4));
        double[] outlooks = {rest[3], rest[9], rest[15], rest[21]};
        assertArrayEquals(new double[] {-5 / 32.0, -5 / 32.0, -5 / 32.0, -0.25}, outlooks, 1e-15);
        double[] measured = settled(row(0, 1, -1, -1), row(0, 1, -1, -2), row(0, 0.5, -1, -2), row(0, 3, -1, -4));
        assertArrayEquals(
                new double[] {-5 / 32.0, -5 / 32.0, -5 / 32.0, BlockProximal.LEAST},
                new double[] {measured[3], measured[9], measured[15], measured[21]},
                1e-15);
        double[] woken = settled(row(0, 2, -1, 1), row(0, 2, -1, 1), row(0, 0, -1, 1), row(0, 0, -1, 4));
        assertTrue(woken[0] < 0 && woken[3] > 0 && woken[15] > 0, "all of them move");
    }

    @Test
    void rows_to_which_nothing_was_pushed_stay_as_they_are() {
        double[] rows = settled(row(1, 0, 3, 0), row(2, 0, 3, 0), row(0, 0, -1, 0), row(4, 0, 3, 0));
        assertArrayEquals(new double[] {1, 2, 0, 4}, new double[] {rows[0], rows[6], rows[12], rows[18]});
        assertEquals(-1, rows[15]);
    }
}
