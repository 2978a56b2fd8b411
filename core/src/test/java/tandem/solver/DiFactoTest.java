package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.problem.Separable;
import tandem.wire.Age;

class DiFactoTest {

    private static final Ftrl WEIGHT = new Ftrl(0.1, 1, Separable.l1(0.5));
    private static final AdaGrad FACTOR = new AdaGrad(0.05, 1, Separable.l2(0.01));
    private static final FactorStep STEP = new FactorStep(FACTOR, 0);
    private static final long KEY = 0x1234_5678_9abc_def0L;

    /// A row as a server keeps it, somewhere in an array.
    private static final class Row {

        private static final int AT = 6;

        private final DiFacto rule;
        private final float[] floats;
        private int length;

        Row(DiFacto rule, long key) {
            this.rule = rule;
            floats = new float[Row.AT + rule.columns() * DiFacto.width(rule.dimension())];
            length = rule.firstLength();
            rule.begin(key, floats, AT, 0, length);
        }

        void push(float... gradients) {
            push(rule, gradients);
        }

        void push(DiFacto now, float... gradients) {
            int next = now.update(floats, AT, length, gradients, 0, Math.min(gradients.length, length));
            if (next != length) {
                rule.begin(KEY, floats, AT, length, next);
                length = next;
            }
        }

        float[] pulled() {
            float[] shown = new float[rule.shown(floats, AT, length)];
            for (int e = 0; e < shown.length; e++) {
                shown[e] = floats[AT + e * rule.columns()];
            }
            return shown;
        }
    }

    private static DiFacto rule(int dimension, int threshold, boolean sparse) {
        return new DiFacto(WEIGHT, STEP, dimension, threshold, sparse, 0.1, 7);
    }

    @Test
    void a_feature_gets_factors_once_it_was_counted_often_enough_and_has_a_weight() {
        Row row = new Row(rule(3, 10, true), KEY);
        assertEquals(1, row.pulled().length);
        row.push(0.1f, 9);
        assertEquals(1, row.pulled().length);
        row.push(0.1f, 1); // 10 times by now, but |z| ≤ 0.5
        assertArrayEquals(new float[] {0}, row.pulled());
        row.push(2);
        assertEquals(4, row.pulled().length);
        assertTrue(row.pulled()[0] < 0);
        for (int f = 1; f <= 3; f++) {
            assertTrue(row.pulled()[f] != 0 && Math.abs(row.pulled()[f]) <= 0.1, Arrays.toString(row.pulled()));
        }
    }

    /// A row that grows lies where others may have been before.
    @Test
    void factors_that_are_new_have_met_no_penalty_whatever_was_in_their_place() {
        DiFacto rule = rule(2, 1, false);
        float[] row = new float[Row.AT + rule.columns() * DiFacto.width(2)];
        Arrays.fill(row, 7);
        rule.begin(KEY, row, Row.AT, 0, 2);
        rule.begin(KEY, row, Row.AT, 2, 4);
        assertEquals(0, row[Row.AT + 7], "the number of the push that factors last met");
        assertEquals(0, row[Row.AT + 3], "the root of summed squared gradients");
        assertEquals(0, row[Row.AT + 5]);
    }

    @Test
    void a_weight_that_becomes_zero_does_not_take_its_factors_away() {
        Row row = new Row(rule(2, 0, true), KEY);
        row.push(2);
        float[] before = row.pulled();
        assertEquals(3, before.length);
        row.push(-2);
        assertArrayEquals(new float[] {0, before[1], before[2]}, row.pulled());
    }

    @Test
    void with_no_condition_all_have_factors_from_the_start() {
        Row row = new Row(rule(4, 0, false), KEY);
        assertEquals(5, row.pulled().length);
        assertEquals(0, row.pulled()[0]);
    }

    @Test
    void the_first_factors_follow_from_the_key_and_the_seed() {
        DiFacto rule = rule(4, 0, false);
        float[] first = new Row(rule, KEY).pulled();
        assertArrayEquals(first, new Row(rule, KEY).pulled());
        assertNotEquals(first[1], new Row(rule, KEY + 1).pulled()[1]);
        DiFacto other = new DiFacto(WEIGHT, STEP, 4, 0, false, 0.1, 8);
        assertNotEquals(first[1], new Row(other, KEY).pulled()[1]);
        Row late = new Row(rule(4, 3, false), KEY);
        late.push(1, 3);
        assertArrayEquals(Arrays.copyOfRange(first, 1, 5), Arrays.copyOfRange(late.pulled(), 1, 5));
    }

    @Test
    void they_spread_evenly_around_zero() {
        DiFacto rule = rule(2, 0, false);
        double sum = 0;
        double squares = 0;
        int many = 20_000;
        for (int key = 0; key < many; key++) {
            float v = new Row(rule, key).pulled()[2];
            sum += v;
            squares += v * v;
        }
        assertEquals(0, sum / many, 3 * 0.1 / Math.sqrt(3.0 * many));
        assertEquals(0.1 * 0.1 / 3, squares / many, 1e-4);
    }

    /// A worker that pulled the weight alone tells a count; whoever gave the row its factors meanwhile, the count is
    /// not taken for a gradient.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void a_count_that_comes_late_changes_no_factor(int dimension) {
        Row row = new Row(rule(dimension, 1, false), KEY);
        float[] counted = new float[DiFacto.counted(dimension)];
        Arrays.fill(counted, 3);
        counted[0] = 0.5f;
        row.push(counted);
        float[] before = row.pulled();
        row.push(counted);
        float[] after = row.pulled();
        assertEquals(1 + dimension, after.length);
        assertNotEquals(before[0], after[0]);
        assertArrayEquals(Arrays.copyOfRange(before, 1, before.length), Arrays.copyOfRange(after, 1, after.length));
    }

    @Test
    void weights_take_the_steps_of_ftrl_and_factors_those_of_adagrad_also_when_the_row_grows() {
        Random random = new Random(4);
        Row row = new Row(rule(2, 5, true), KEY);
        float[] weight = new float[3];
        float[] factors = null;
        for (int push = 0; push < 200; push++) {
            float gradient = (float) random.nextGaussian();
            if (row.pulled().length == 1) {
                row.push(gradient, 1);
            } else {
                float one = (float) random.nextGaussian();
                float two = (float) random.nextGaussian();
                row.push(gradient, one, two);
                FACTOR.update(factors, 0, one);
                FACTOR.update(factors, 2, two);
            }
            WEIGHT.update(weight, 0, gradient);
            float[] pulled = row.pulled();
            assertEquals(weight[0], pulled[0]);
            if (pulled.length == 3) {
                factors = factors == null ? new float[] {pulled[1], 0, pulled[2], 0} : factors;
                assertEquals(factors[0], pulled[1]);
                assertEquals(factors[2], pulled[2]);
            }
        }
        assertTrue(factors != null && factors[1] > 1, "the row never had factors");
    }

    /// As many times as there were pushes since the one before, whoever they were for; the first time once.
    @Test
    void factors_meet_the_penalty_of_all_pushes_since_their_last() {
        AdaGrad strict = new AdaGrad(0.05, 1, Separable.l2(0.5));
        DiFacto rule = new DiFacto(WEIGHT, new FactorStep(strict, 0), 1, 3, false, 0.1, 7);
        Row row = new Row(rule, KEY);
        row.push(rule.aged(new Age(4, 4)), 0.5f, 3, 3);
        float[] factor = {row.pulled()[1], 0};
        long before = 0;
        for (long met : new long[] {10, 11, 20, 19}) {
            row.push(rule.aged(new Age(met, met)), 0.5f, 1);
            strict.update(factor, 0, 1, before == 0 ? 1 : Math.max(0, met - before));
            before = Math.max(met, before);
            assertEquals(factor[0], row.pulled()[1], "push " + met);
        }
    }

    @Test
    void without_factors_it_is_ftrl_and_keeps_one_number_more() {
        Row row = new Row(rule(0, 0, true), KEY);
        float[] weight = new float[3];
        Random random = new Random(9);
        for (int push = 0; push < 100; push++) {
            float gradient = (float) random.nextGaussian();
            row.push(gradient);
            WEIGHT.update(weight, 0, gradient);
            assertArrayEquals(new float[] {weight[0]}, row.pulled());
        }
        assertEquals(4, row.length * row.rule.columns());
    }

    @Test
    void what_makes_no_sense_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> rule(-1, 0, false));
        assertThrows(IllegalArgumentException.class, () -> rule(1, -1, false));
    }
}
