package tandem.problem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every regulariser keeps; a new one adds a line to [#regularisers].
class RegulariserContractTest {

    private static final int COLUMNS = 7;

    static List<Regulariser> regularisers() {
        return List.of(
                Separable.NONE,
                Separable.l1(0.7),
                Separable.l2(1.3),
                Separable.l1(0.4).withL2(2),
                Separable.NONE.between(-0.5, 0.25),
                Separable.NONE.between(0, Double.POSITIVE_INFINITY),
                Separable.l1(0.2).withL2(0.1).between(0, 1),
                new Ball(0.8),
                new Simplex(1),
                new Simplex(2.5),
                new GroupLasso(0.6, new int[] {0, 0, 1, 1, 1, GroupLasso.ALONE, 2}));
    }

    private static double[] random(SplittableRandom random, double scale) {
        double[] x = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            x[j] = scale * random.nextDouble(-1, 1);
        }
        return x;
    }

    private static double modelled(Regulariser h, double[] x, double[] z, double step) {
        double squares = 0;
        for (int j = 0; j < COLUMNS; j++) {
            squares += (x[j] - z[j]) * (x[j] - z[j]);
        }
        return h.value(x) + squares / (2 * step);
    }

    @ParameterizedTest
    @MethodSource("regularisers")
    void no_other_point_is_better_than_the_prox(Regulariser h) {
        SplittableRandom random = new SplittableRandom(3);
        for (int trial = 0; trial < 300; trial++) {
            double step = Math.exp(random.nextDouble(-4, 3));
            double[] z = random(random, 3);
            double[] p = z.clone();
            h.prox(p, step);
            double best = modelled(h, p, z, step);
            assertTrue(Double.isFinite(best), "the prox lies outside the set");
            for (int other = 0; other < 20; other++) {
                double[] x = random(random, other % 2 == 0 ? 2 : 0.01);
                for (int j = 0; j < COLUMNS; j++) {
                    x[j] += other % 2 == 0 ? 0 : p[j];
                }
                h.prox(x, 1e-12); // into the set, hardly moved otherwise
                assertTrue(modelled(h, x, z, step) >= best - 1e-9 * Math.max(1, best));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("regularisers")
    void a_point_outside_the_set_costs_infinity_and_projecting_twice_is_projecting_once(Regulariser h) {
        double[] outside = {-9, 9, -9, 9, -9, 9, -9};
        boolean set = Double.isInfinite(h.value(outside));
        double[] once = outside.clone();
        h.prox(once, 0.5);
        assertTrue(Double.isFinite(h.value(once)));
        if (set && !(h instanceof Separable(double l1, double l2, double low, double high) && l1 + l2 > 0)) {
            double[] twice = once.clone();
            h.prox(twice, 0.5);
            assertArrayEquals(once, twice, 1e-12);
        }
        boolean constrained = h instanceof Ball
                || h instanceof Simplex
                || h instanceof Separable s && (Double.isFinite(s.low()) || Double.isFinite(s.high()));
        assertEquals(constrained, set);
    }

    @Test
    void a_separable_residual_is_zero_exactly_at_the_minimum_along_a_line() {
        SplittableRandom random = new SplittableRandom(4);
        for (Regulariser each : regularisers()) {
            if (each instanceof Separable h) {
                for (int trial = 0; trial < 200; trial++) {
                    double z = random.nextDouble(-3, 3);
                    double step = random.nextDouble(0.1, 2);
                    double w = h.prox(z, step);
                    assertEquals(0, h.residual(w, (w - z) / step), 1e-9, h + " at " + z);
                }
            }
        }
        assertEquals(0.5, Separable.l1(1).residual(0, -1.5));
        assertEquals(0, Separable.l1(1).residual(0, 0.9));
        assertEquals(3, Separable.l1(1).residual(-2, 4));
        assertEquals(0, Separable.NONE.between(0, 5).residual(0, 7));
        assertEquals(7, Separable.NONE.between(0, 5).residual(0, -7));
        assertEquals(0, Separable.NONE.between(0, 5).residual(5, -7));
    }

    @Test
    void a_separable_conjugate_is_the_largest_gain_of_a_line_over_the_penalty() {
        for (Regulariser each : regularisers()) {
            if (each instanceof Separable h) {
                for (double v = -2; v <= 2; v += 0.25) {
                    double best = 0;
                    for (int i = -6_000; i <= 6_000; i++) {
                        double x = i / 100.0;
                        best = Math.max(best, v * x - h.value(x));
                    }
                    double conjugate = h.conjugate(v);
                    if (Double.isInfinite(conjugate)) {
                        assertTrue(best > 2, h + " at " + v);
                    } else {
                        assertEquals(best, conjugate, 1e-3, h + " at " + v);
                    }
                }
            }
        }
    }

    @Test
    void worked_examples() {
        double[] w = {3, 4};
        new Ball(1).prox(w, 1);
        assertArrayEquals(new double[] {0.6, 0.8}, w, 1e-15);
        double[] s = {1, 0.5, -2};
        new Simplex(1).prox(s, 1);
        assertArrayEquals(new double[] {0.75, 0.25, 0}, s, 1e-15);
        double[] g = {3, 4, 0.1, 0.1, -2};
        new GroupLasso(1, new int[] {0, 0, 1, 1, GroupLasso.ALONE}).prox(g, 1);
        assertArrayEquals(new double[] {2.4, 3.2, 0, 0, -1}, g, 1e-15);
        assertEquals(
                "l1 1.0, l2 0.5, weights ≥ 0",
                Separable.l1(1).withL2(0.5).between(0, Double.POSITIVE_INFINITY).describe());
        assertEquals("none", Separable.NONE.describe());
    }

    @Test
    void impossible_settings_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> Separable.l1(-1));
        assertThrows(IllegalArgumentException.class, () -> Separable.l2(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Separable.NONE.between(1, 2));
        assertThrows(IllegalArgumentException.class, () -> new Ball(0));
        assertThrows(IllegalArgumentException.class, () -> new Simplex(-1));
        assertThrows(IllegalArgumentException.class, () -> new GroupLasso(1, new int[] {-2}));
        assertThrows(IllegalArgumentException.class, () -> new GroupLasso(1, new int[] {0}).value(new double[2]));
    }
}
