package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.wire.Age;

class AdaDelayTest {

    private static final int WEIGHTS = 20;
    private static final int UPDATES = 8_000;
    private static final int LONGEST = 1_000;

    @Test
    void a_late_update_takes_the_step_worked_out_by_hand() {
        UpdateRule rule = new AdaDelay(0.5, 1, Separable.NONE);
        double[] e = {0, 0};
        // t = 16, τ = 9: s = 16/25·2² = 1.6², c·√(t + τ) = √(s/16)·5 = 2, so w = −2/((1 + 2)/0.5)
        rule.aged(new Age(6, 15)).update(e, 0, 2.0);
        assertEquals(-1.0 / 3, e[0], 1e-15);
        assertEquals(1.6, e[1], 1e-15);
        float[] floats = {0, 0};
        rule.aged(new Age(6, 15)).update(floats, 0, 2f);
        assertEquals(-1 / 3f, floats[0], 1e-7f);
        assertEquals(1.6f, floats[1], 1e-7f);
    }

    @Test
    void where_nothing_is_late_it_is_adagrad_to_the_bit() {
        Separable penalty = Separable.NONE.withL1(0.01).withL2(0.1);
        AdaGrad adaGrad = new AdaGrad(0.3, 1, penalty);
        AdaDelay adaDelay = new AdaDelay(0.3, 1, penalty);
        Random chance = new Random(3);
        float[] one = new float[2];
        float[] other = new float[2];
        for (int t = 0; t < 1_000; t++) {
            float g = (float) chance.nextGaussian();
            adaGrad.update(one, 0, g);
            adaDelay.aged(t % 2 == 0 ? new Age(t, t) : Age.UNKNOWN).update(other, 0, g);
            assertArrayEquals(one, other, "update " + t);
        }
    }

    /// The point of AdaDelay: with delays of a heavy tail, up to a longest one, a step that is always short enough for
    /// the longest is far from needed. Each way has the better of its learning rates.
    @Test
    void under_delays_of_a_heavy_tail_it_beats_steps_for_the_longest_delay() {
        double adaptive = 0;
        double worst = 0;
        for (long seed = 1; seed <= 5; seed++) {
            adaptive +=
                    best(seed, (alpha, t, delay) -> new AdaDelay(alpha, 0, Separable.NONE).aged(new Age(t - delay, t)));
            worst += best(seed, (alpha, t, _) -> new WorstCase(alpha, Math.sqrt((t + 1.0 + LONGEST) / (t + 1))));
        }
        assertTrue(adaptive < 0.75 * worst, adaptive / 5 + " and " + worst / 5);
    }

    /// Steps α/(c·√(t + longest delay)), where c² is the mean of g² (Agarwal and Duchi 2011, one weight at a time).
    private record WorstCase(double alpha, double shorter) implements UpdateRule {

        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void update(float[] e, int at, float g) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void update(double[] e, int at, double g) {
            e[at + 1] += g * g;
            e[at] -= alpha / (shorter * Math.sqrt(e[at + 1])) * g;
        }
    }

    /// The rule of update t, which is so late.
    private interface Way {
        UpdateRule rule(double alpha, int t, int delay);
    }

    private static double best(long seed, Way way) {
        return DoubleStream.of(0.03, 0.1, 0.3, 1)
                .map(alpha -> loss(seed, alpha, way))
                .min()
                .orElseThrow();
    }

    /// How far above that of the true weights the expected logistic loss ends, where the gradient of update t is that
    /// of four examples at the weights of some updates ago.
    private static double loss(long seed, double alpha, Way way) {
        Random chance = new Random(seed);
        double[] truth = chance.doubles(WEIGHTS, -1.5, 1.5).toArray();
        double[][] history = new double[UPDATES + 1][WEIGHTS];
        double[][] entries = new double[WEIGHTS][2];
        for (int t = 0; t < UPDATES; t++) {
            int delay = Math.min(t, (int) Math.min(LONGEST, 3 / chance.nextDouble() - 3));
            double[] gradient = new double[WEIGHTS];
            for (int example = 0; example < 4; example++) {
                double[] x = example(chance);
                double y = chance.nextDouble() < 1 / (1 + Math.exp(-dot(x, truth))) ? 1 : -1;
                double slope = -y / (1 + Math.exp(y * dot(x, history[t - delay])));
                for (int j = 0; j < WEIGHTS; j++) {
                    gradient[j] += slope * x[j];
                }
            }
            UpdateRule now = way.rule(alpha, t, delay);
            for (int j = 0; j < WEIGHTS; j++) {
                now.update(entries[j], 0, gradient[j]);
                history[t + 1][j] = entries[j][0];
            }
        }
        return excess(truth, history[UPDATES]);
    }

    private static double excess(double[] truth, double[] weights) {
        Random chance = new Random(99);
        double sum = 0;
        for (int example = 0; example < 4_000; example++) {
            double[] x = example(chance);
            double p = 1 / (1 + Math.exp(-dot(x, truth)));
            sum += expected(p, dot(x, weights)) - expected(p, dot(x, truth));
        }
        return sum / 4_000;
    }

    /// Half of the features are small.
    private static double[] example(Random chance) {
        double[] x = chance.doubles(WEIGHTS, -1.5, 1.5).toArray();
        for (int j = WEIGHTS / 2; j < WEIGHTS; j++) {
            x[j] *= 0.3;
        }
        return x;
    }

    private static double expected(double p, double score) {
        return p * Math.log1p(Math.exp(-score)) + (1 - p) * Math.log1p(Math.exp(score));
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }
}
