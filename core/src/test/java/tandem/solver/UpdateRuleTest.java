package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.wire.Age;

class UpdateRuleTest {

    private static final double INFINITY = Double.POSITIVE_INFINITY;
    private static final Separable NONE = new Separable(0, 0, -INFINITY, INFINITY);

    @Test
    void ftrl_takes_the_step_worked_out_by_hand() {
        // α = 0.5, β = 1, l1 = 1, l2 = 2; g = 3: n = 9, z = 3, w = -(3 - 1) / ((1 + 3) / 0.5 + 2) = -0.2
        Ftrl ftrl = new Ftrl(0.5, 1, new Separable(1, 2, -INFINITY, INFINITY));
        float[] e = new float[3];
        ftrl.update(e, 0, 3);
        assertEquals(-0.2f, e[0], 1e-7f);
        assertEquals(3, e[1]);
        assertEquals(3, e[2]);
        // g = 4: √n = 5, σ = (5 - 3) / 0.5 = 4, z = 3 + 4 + 4 · 0.2 = 7.8, w = -6.8 / ((1 + 5) / 0.5 + 2)
        ftrl.update(e, 0, 4);
        assertEquals(7.8f, e[1], 1e-6f);
        assertEquals(-6.8f / 14, e[0], 1e-6f);
    }

    @Test
    void ftrl_keeps_a_weight_at_exactly_zero_while_its_gradients_stay_within_l1() {
        Ftrl ftrl = new Ftrl(0.1, 1, new Separable(2, 0, -INFINITY, INFINITY));
        float[] e = new float[3];
        for (float g : new float[] {1, -1, 1.5f, -3, 1}) {
            ftrl.update(e, 0, g);
            assertEquals(0f, e[0]);
        }
        ftrl.update(e, 0, 9);
        assertTrue(e[0] < 0);
    }

    /// Without a penalty FTRL from 0 is AdaGrad for any β: −z = e·w − g by induction.
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 1, 10})
    void ftrl_without_penalty_is_adagrad(double beta) {
        Ftrl ftrl = new Ftrl(0.2, beta, NONE);
        AdaGrad adaGrad = new AdaGrad(0.2, beta, NONE);
        float[] f = new float[3];
        float[] a = new float[2];
        Random random = new Random(11);
        for (int step = 0; step < 2_000; step++) {
            float g = (float) random.nextGaussian();
            ftrl.update(f, 0, g);
            adaGrad.update(a, 0, g);
            assertEquals(a[0], f[0], 2e-4f * Math.max(1, Math.abs(a[0])), "step " + step);
        }
    }

    @Test
    void sgd_steps_by_alpha_over_the_root_of_its_pushes() {
        Sgd sgd = new Sgd(1, 0, NONE);
        float[] e = new float[2];
        sgd.update(e, 0, 1);
        assertEquals(-1, e[0], 1e-6f);
        sgd.update(e, 0, 1);
        assertEquals(-1 - 1 / Math.sqrt(2), e[0], 1e-6);
    }

    @Test
    void every_rule_stays_in_its_box() {
        Separable box = new Separable(0, 0, -0.05, 0.1);
        Random random = new Random(5);
        for (UpdateRule rule : new UpdateRule[] {new Sgd(1, 0, box), new AdaGrad(1, 1, box), new Ftrl(1, 1, box)}) {
            float[] e = new float[rule.columns()];
            for (int step = 0; step < 500; step++) {
                rule.update(e, 0, (float) random.nextGaussian());
                assertTrue(e[0] >= -0.05f && e[0] <= 0.1f, rule + " left the box: " + e[0]);
            }
        }
    }

    @Test
    void every_rule_finds_the_minimum_of_a_quadratic() {
        for (UpdateRule rule :
                new UpdateRule[] {new Sgd(0.5, 1, NONE), new AdaGrad(0.5, 1, NONE), new Ftrl(0.5, 1, NONE)}) {
            float[] e = new float[rule.columns()];
            for (int step = 0; step < 5_000; step++) {
                rule.update(e, 0, e[0] - 3);
            }
            assertEquals(3, e[0], 1e-2f, rule.toString());
        }
    }

    @Test
    void a_started_entry_goes_on_from_its_weight() {
        Separable elastic = new Separable(0.5, 2, -INFINITY, INFINITY);
        for (UpdateRule rule : new UpdateRule[] {new AdaGrad(0.1, 1, NONE), new Ftrl(0.1, 1, elastic)}) {
            float[] e = new float[rule.columns()];
            rule.start(e, 0, -1.25f);
            assertEquals(-1.25f, e[0]);
            rule.update(e, 0, 0);
            assertEquals(-1.25f, e[0], 1e-5f, rule.toString());
        }
    }

    /// The update in doubles is the same formula: close to that in floats, and exact where a hand can follow.
    @Test
    void in_doubles_every_rule_goes_the_way_it_goes_in_floats() {
        Separable box = new Separable(0.1, 0.5, -1, 2);
        for (UpdateRule rule : new UpdateRule[] {
            new Sgd(0.5, 1, box), new AdaGrad(0.5, 1, box), new Ftrl(0.5, 1, box), new Ftrl(0.5, 1, NONE)
        }) {
            Random random = new Random(3);
            float[] floats = new float[rule.columns()];
            double[] doubles = new double[rule.columns()];
            for (int step = 0; step < 300; step++) {
                float g = (float) random.nextGaussian();
                rule.update(floats, 0, g);
                rule.update(doubles, 0, (double) g);
                for (int c = 0; c < floats.length; c++) {
                    assertEquals(doubles[c], floats[c], 1e-5 * (step + 1), rule + " at step " + step);
                }
            }
        }
        double[] e = new double[3];
        new Ftrl(0.5, 1, new Separable(1, 2, -INFINITY, INFINITY)).update(e, 0, 3.0);
        assertEquals(-0.2, e[0], 1e-15);
    }

    @Test
    void impossible_rates_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> new Ftrl(0, 1, NONE));
        assertThrows(IllegalArgumentException.class, () -> new AdaGrad(Double.NaN, 1, NONE));
        assertThrows(IllegalArgumentException.class, () -> new Sgd(0.1, -1, NONE));
    }

    @Test
    void a_block_step_takes_all_that_was_pushed_and_is_the_one_worked_out_by_hand() {
        BlockProximal rule = new BlockProximal(Separable.l1(1));
        double[] row = new double[6]; // w, Σg, w before | outlook, Σu, gradient
        push(rule, row, -3, 1);
        push(rule, row, -1, 4);
        assertEquals(0, row[0], "nothing moves before all is there");
        rule.settle(row, 0, 2);
        // g = −4, u = 5: w = (4 − 1) / 5, and δ = 2·0.6 + 0.1
        assertEquals(0.6, row[0], 1e-15);
        assertEquals(1.3, row[3], 1e-15);
        assertEquals(-4, row[5], 1e-15, "the gradient that was seen");
        double[] before = row.clone();
        rule.settle(row, 0, 2);
        assertArrayEquals(before, row, "nothing was pushed since");
        // g = 9, u = 1 would move it to −7.4, but δ holds it
        push(rule, row, 9, 1);
        rule.settle(row, 0, 2);
        assertEquals(0.6 - 1.3, row[0], 1e-15);
        assertEquals(0.6, row[2], 1e-15, "the weight before the step");
    }

    /// It may be on its way: the next round begins ahead of it.
    @Test
    void a_weight_that_has_just_come_to_0_is_not_at_rest() {
        BlockProximal rule = new BlockProximal(Separable.l1(1));
        double[] row = new double[6];
        rule.start(row, 0, 2, 0.5);
        push(rule, row, 0.5, 1);
        rule.settle(row, 0, 2);
        assertEquals(0, row[0]);
        assertEquals(1.1, row[3], 1e-15);
        push(rule, row, 0.25, BlockProximal.MEASURE);
        rule.settle(row, 0, 2);
        assertEquals(1.1, row[3], 1e-15, "to be looked at is not to stay");
        push(rule, row, 0.25, 1);
        rule.settle(row, 0, 2);
        assertEquals(-0.75, row[3], 1e-15);
    }

    @Test
    void a_weight_at_rest_tells_how_far_scores_may_move() {
        BlockProximal rule = new BlockProximal(Separable.l1(1));
        double[] row = new double[6];
        push(rule, row, 0.25, -3);
        push(rule, row, 0.25, -1);
        rule.settle(row, 0, 2);
        assertEquals(0, row[0]);
        assertEquals(-0.5 / 4, row[3], 1e-15); // the gradient may change by a half, and does so by 4 for each 1
        assertEquals(BlockProximal.LEAST, BlockProximal.reach(row[3]));

        push(rule, row, 0.9, 0.5);
        rule.settle(row, 0, 2);
        assertEquals(0, row[0]);
        assertEquals(-0.1875, row[3], 1e-15); // the same in a round that moves weights: 0.2, to three binary digits
    }

    @Test
    void a_small_step_is_left_for_later_unless_it_ends_at_0() {
        BlockProximal rule = new BlockProximal(Separable.l1(1), 1);
        BlockProximal second = rule.aged(Age.of(2)); // steps up to a half are small
        double[] row = new double[8]; // w, Σg, w before, up to which | outlook, Σu, gradient, whether it stayed
        rule.start(row, 0, 2, 3);
        push(second, row, 1, 5); // (3·5 − 1 − 1) / 5 is 0.4 less
        rule.settle(row, 0, 2);
        assertEquals(3, row[0]);
        assertEquals(0.9, row[4], 1e-15, "there was no outlook, so it is told");
        assertFalse(rule.stayed(row, 0));
        push(second, row, 1, 5);
        rule.settle(row, 0, 2);
        assertEquals(3, row[0], "the step is found anew, from where workers know the weight to be");
        assertTrue(rule.stayed(row, 0));
        push(second, row, 0, 10); // 0.1: the outlook would be 0.3
        rule.settle(row, 0, 2);
        assertEquals(3, row[0]);
        assertEquals(0.3, row[4], 1e-15, "less than half of what it was");
        assertFalse(rule.stayed(row, 0));
        push(rule.aged(Age.of(10)), row, 0, 5); // 0.2, where a tenth is small
        rule.settle(row, 0, 2);
        assertEquals(2.8, row[0], 1e-15);
        assertFalse(rule.stayed(row, 0));
        push(rule.aged(Age.UNKNOWN), row, 0, 100);
        rule.settle(row, 0, 2);
        assertEquals(2.79, row[0], 1e-15, "a round that is not said takes all steps");
        assertFalse(rule.stayed(row, 0));

        row = new double[8];
        rule.start(row, 0, 2, 0.3);
        push(second, row, 1, 5);
        rule.settle(row, 0, 2);
        assertEquals(0, row[0], "then it may rest");
        assertFalse(rule.stayed(row, 0));
    }

    @Test
    void who_was_only_looked_at_is_told_if_its_outlook_has_changed() {
        BlockProximal rule = new BlockProximal(Separable.l1(1), 1);
        BlockProximal first = rule.aged(Age.of(1));
        double[] row = new double[8];
        push(first, row, 0.5, -1);
        rule.settle(row, 0, 2);
        assertEquals(-0.5, row[4], 1e-15);
        assertFalse(rule.stayed(row, 0));
        push(first, row, 0.7, -1);
        rule.settle(row, 0, 2);
        assertEquals(-0.5, row[4], 1e-15, "-0.3 is near it");
        assertTrue(rule.stayed(row, 0));
        push(first, row, 0.9, -1);
        rule.settle(row, 0, 2);
        assertEquals(-0.09375, row[4], 1e-15, "0.1, to three binary digits");
        assertFalse(rule.stayed(row, 0));
    }

    @Test
    void what_a_weight_at_rest_tells_has_few_digits_and_never_wakes_it_late() {
        SplittableRandom random = new SplittableRandom(5);
        BlockProximal rule = new BlockProximal(Separable.l1(1));
        for (int k = 0; k < 1_000; k++) {
            double g = random.nextDouble(-0.999, 0.999);
            double u = Math.exp(random.nextDouble(-20, 20));
            double[] row = new double[6];
            push(rule, row, g, u);
            rule.settle(row, 0, 2);
            double exact = (1 - Math.abs(g)) / u;
            assertTrue(-row[3] <= exact && -row[3] > 0.8 * exact, -row[3] + " of " + exact);
            assertEquals(0, Double.doubleToRawLongBits(row[3]) << 14, "digits beyond the third");
        }
    }

    private static void push(BlockProximal rule, double[] row, double g, double u) {
        rule.update(row, 0, g);
        rule.update(row, rule.columns(), u);
    }
}
