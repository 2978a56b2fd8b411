package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.problem.Loss;

class DualStepTest {

    /// No slope near by or far away makes less of what a step is to minimise.
    @ParameterizedTest
    @ValueSource(strings = {"squared", "hinge", "squared-hinge", "logistic", "huber:0.7", "quantile:0.3", "poisson"})
    void a_step_ends_where_no_other_slope_is_better(String name) {
        Loss loss = Loss.named(name);
        SplittableRandom random = new SplittableRandom(7);
        for (int k = 0; k < 500; k++) {
            double label = loss.binary() ? random.nextInt(2) * 2 - 1 : random.nextInt(4);
            double before = loss.derivative(random.nextDouble(-3, 3), label);
            double score = random.nextDouble(-4, 4);
            double q = Math.exp(random.nextDouble(-4, 4));
            double slope = DualStep.slope(loss, before, score, q, label);
            double least = value(loss, slope, before, score, q, label);
            assertTrue(Double.isFinite(least), "infeasible " + slope);
            for (double away : new double[] {1e-4, 1e-3, 0.03, 0.3, 1}) {
                for (double other : new double[] {slope - away, slope + away}) {
                    double there = value(loss, other, before, score, q, label);
                    assertTrue(there >= least - 1e-11 * (1 + Math.abs(least)), slope + " is worse than " + other);
                }
            }
        }
    }

    private static double value(Loss loss, double slope, double before, double score, double q, double label) {
        double by = slope - before;
        return loss.conjugate(slope, label) - score * slope + 0.5 * q * by * by;
    }

    /// Worked out by hand: (1·0.5 + 2 − 1) / (1 + 1), and a hinge whose margin is 0.25 short of 1.
    @Test
    void lines_have_closed_forms() {
        assertEquals(0.75, DualStep.slope(Loss.named("squared"), 0.5, 2, 1, 1));
        assertEquals(-0.5, DualStep.slope(Loss.named("hinge"), -0.25, 0.75, 1, 1));
        assertEquals(-1, DualStep.slope(Loss.named("hinge"), 0, 0, 0, 1), "nothing moves its score");
        assertEquals(-0.25, DualStep.slope(Loss.named("hinge"), -0.25, 1, 0, 1), "at the kink any slope will do");
    }
}
