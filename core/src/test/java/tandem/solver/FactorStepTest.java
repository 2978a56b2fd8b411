package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tandem.problem.Separable;

class FactorStepTest {

    private static final AdaGrad EACH = new AdaGrad(0.1, 1, Separable.l2(0.7));
    private static final int AT = 3;

    /// Entries (v, √G) that begin at 3, some of them 0.
    private static float[] entries(Random random, int count) {
        float[] entries = new float[AT + 2 * count];
        boolean zero = random.nextInt(4) == 0;
        for (int f = 0; f < count; f++) {
            entries[AT + 2 * f] = zero ? 0 : (float) random.nextGaussian();
            entries[AT + 2 * f + 1] = (float) Math.exp(3 * random.nextGaussian());
        }
        return entries;
    }

    private static float[] gradients(Random random, int count) {
        float[] gradients = new float[count + 1];
        double size = Math.exp(2 * random.nextGaussian());
        for (int f = 0; f < count; f++) {
            gradients[1 + f] = (float) (size * random.nextGaussian());
        }
        return gradients;
    }

    /// At the least of the model its derivative is 0, or the penalty can make it so.
    @Test
    void a_step_goes_to_the_least_of_the_model() {
        Random random = new Random(1);
        int zeros = 0;
        for (int trial = 0; trial < 5_000; trial++) {
            int count = 1 + random.nextInt(6);
            double group = 20 * random.nextDouble();
            float times = 1 + random.nextInt(9);
            float[] before = entries(random, count);
            float[] g = gradients(random, count);
            float[] after = before.clone();
            new FactorStep(EACH, group).update(after, AT, count, g, 1, times);
            double norm = 0;
            double pull = 0;
            double size = 0;
            for (int f = 0; f < count; f++) {
                norm = Math.hypot(norm, after[AT + 2 * f]);
            }
            for (int f = 0; f < count; f++) {
                int v = AT + 2 * f;
                assertEquals(Math.hypot(before[v + 1], g[1 + f]), after[v + 1], 1e-6 * after[v + 1]);
                double inverse = (1 + after[v + 1]) / 0.1;
                double slope = g[1 + f] + inverse * (after[v] - before[v]) + times * 0.7 * after[v];
                double scale = Math.abs(g[1 + f]) + inverse * Math.abs(before[v]) + times * group;
                if (norm > 0) {
                    assertEquals(0, slope + times * group * after[v] / norm, 1e-5 * scale, "trial " + trial);
                }
                pull = Math.hypot(pull, slope);
                size += scale;
            }
            assertTrue(norm > 0 || pull <= times * group + 1e-6 * size, "trial " + trial);
            zeros += norm == 0 ? 1 : 0;
        }
        assertTrue(zeros > 500 && zeros < 4_500, zeros + " of 5000 are 0");
    }

    @Test
    void without_a_penalty_on_the_norm_each_factor_takes_its_own_step() {
        Random random = new Random(2);
        for (int trial = 0; trial < 100; trial++) {
            float[] together = entries(random, 4);
            float[] alone = together.clone();
            float[] g = gradients(random, 4);
            new FactorStep(EACH, 0).update(together, AT, 4, g, 1, 3);
            for (int f = 0; f < 4; f++) {
                EACH.update(alone, AT + 2 * f, g[1 + f], 3);
            }
            assertArrayEquals(alone, together);
        }
    }

    @Test
    void what_is_beside_the_factors_stays() {
        float[] entries = new float[12];
        Arrays.fill(entries, 5);
        new FactorStep(EACH, 1).update(entries, AT, 3, new float[] {9, 1, 2, 3}, 1, 1);
        for (int beside : new int[] {0, 1, 2, 9, 10, 11}) {
            assertEquals(5, entries[beside]);
        }
    }

    @Test
    void a_strength_below_0_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> new FactorStep(EACH, -1));
        assertThrows(IllegalArgumentException.class, () -> new FactorStep(EACH, Double.NaN));
    }
}
