package tandem.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpTest {

    @Test
    void exp_is_within_two_units_in_the_last_place() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            double x = random.nextDouble(-708, 709.7);
            double exact = StrictMath.exp(x);
            assertEquals(exact, Exp.exp(x), 2 * Math.ulp(exact), () -> "at " + x);
        }
    }

    @Test
    void exp_goes_to_zero_and_infinity_without_a_hole() {
        assertEquals(1, Exp.exp(0));
        assertEquals(1, Exp.exp(-0.0));
        assertEquals(0, Exp.exp(-746));
        assertEquals(0, Exp.exp(Double.NEGATIVE_INFINITY));
        assertEquals(Double.POSITIVE_INFINITY, Exp.exp(709.79));
        assertEquals(Double.POSITIVE_INFINITY, Exp.exp(1e300));
        assertTrue(Double.isNaN(Exp.exp(Double.NaN)));
        assertEquals(StrictMath.exp(709.782712893384), Exp.exp(709.782712893384), 1e294);
        for (double x = -745.1; x < -700; x += 0.37) {
            assertEquals(StrictMath.exp(x), Exp.exp(x), 2 * Math.ulp(StrictMath.exp(x)));
        }
    }

    @Test
    void exp_never_falls_as_its_argument_grows() {
        double last = 0;
        for (double x = -3; x < 3; x += 1e-5) {
            double y = Exp.exp(x);
            assertTrue(y >= last, "at " + x);
            last = y;
        }
    }

    @Test
    void log1p_exp_agrees_with_the_exact_value_and_does_not_overflow() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 200_000; i++) {
            double x = random.nextDouble(-50, 50);
            double exact = Math.max(x, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(x)));
            assertEquals(exact, Exp.log1pExp(x), 4 * Math.ulp(exact), () -> "at " + x);
        }
        assertEquals(1e300, Exp.log1pExp(1e300));
        assertEquals(0, Exp.log1pExp(-1e300));
        assertEquals(StrictMath.log(2), Exp.log1pExp(0), 2e-16);
    }

    @Test
    void logistic_runs_from_zero_to_one() {
        assertEquals(0.5, Exp.logistic(0));
        assertEquals(0, Exp.logistic(-1e300));
        assertEquals(1, Exp.logistic(1e300));
        assertEquals(1 / (1 + StrictMath.exp(-1.25)), Exp.logistic(1.25), 1e-15);
    }

    @Test
    void the_logistic_function_below_a_half_is_within_five_units_in_the_last_place() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200_000; i++) {
            double a = random.nextDouble(0, i % 10 == 0 ? 700 : 41);
            double e = StrictMath.exp(-a);
            double exact = e / (1 + e);
            assertEquals(exact, Exp.logisticBelow(a), 5 * Math.ulp(exact), () -> "at " + a);
        }
        assertEquals(0.5, Exp.logisticBelow(0));
        assertEquals(0, Exp.logisticBelow(Double.POSITIVE_INFINITY));
        assertTrue(Double.isNaN(Exp.logisticBelow(Double.NaN)));
    }

    /// The first round is interpreted, the last compiled.
    @Test
    void the_bits_do_not_depend_on_the_compiler() {
        long mixed = 0;
        for (int round = 0; round < 30; round++) {
            long bits = 0;
            for (int i = -2_000; i < 2_000; i++) {
                bits = Mix.mix(bits ^ Double.doubleToRawLongBits(Exp.log1pExp(i * 0.0173)));
                bits = Mix.mix(bits ^ Double.doubleToRawLongBits(Exp.logisticBelow(Math.abs(i) * 0.0231)));
            }
            if (round == 0) {
                mixed = bits;
            }
            assertEquals(mixed, bits, "round " + round);
        }
    }
}
