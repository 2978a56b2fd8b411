package tandem.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every loss keeps; a new one adds a line to [#losses].
class LossContractTest {

    static List<Loss> losses() {
        return List.of(
                new Logistic(),
                new Squared(),
                new SquaredHinge(),
                new Hinge(),
                Huber.DEFAULT,
                new Huber(0.3),
                new Poisson(),
                Quantile.MEDIAN,
                new Quantile(0.9),
                new Sigmoid());
    }

    /// Scores off the kinks, which are at multiples of 0.05.
    private static final double[] SCORES = {-7.013, -2.03, -0.989, -0.512, -0.011, 0.003, 0.27, 0.974, 1.21, 3.33, 6.47
    };

    private static double[] labels(Loss loss) {
        return loss.binary() ? new double[] {-1, 1} : new double[] {0, 0.5, 1, 4};
    }

    @ParameterizedTest
    @MethodSource("losses")
    void the_derivative_is_the_slope_of_the_value(Loss loss) {
        double h = 1e-6;
        for (double y : labels(loss)) {
            for (double s : SCORES) {
                double slope = (loss.value(s + h, y) - loss.value(s - h, y)) / (2 * h);
                assertEquals(slope, loss.derivative(s, y), 1e-6 * Math.max(1, Math.abs(slope)), "at " + s + ", " + y);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void derivatives_of_many_scores_at_once_are_what_they_are_one_by_one(Loss loss) {
        double[] slopes = new double[SCORES.length + 1];
        double[] curvatures = new double[SCORES.length + 1];
        for (double y : labels(loss)) {
            double[] same = new double[SCORES.length];
            Arrays.fill(same, y);
            loss.derivatives(SCORES, same, SCORES.length, slopes, curvatures);
            for (int k = 0; k < SCORES.length; k++) {
                double slope = loss.derivative(SCORES[k], y);
                double curvature = loss.curvature(SCORES[k], y);
                assertEquals(slope, slopes[k], 1e-15 * Math.abs(slope), "at " + SCORES[k] + ", " + y);
                assertEquals(curvature, curvatures[k], 1e-15 * curvature, "at " + SCORES[k] + ", " + y);
            }
            assertEquals(0, slopes[SCORES.length] + curvatures[SCORES.length], "beyond the count");
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void within_a_distance_the_curvature_grows_by_no_more_than_it_says(Loss loss) {
        for (double distance : new double[] {0, 0.01, 0.1, 0.5, 0.999, 1, 1.001, 3}) {
            double growth = loss.growth(distance);
            assertTrue(growth >= 1, loss.name() + " " + distance);
            for (double y : labels(loss)) {
                for (double s : SCORES) {
                    double most = Double.isInfinite(growth)
                            ? Double.POSITIVE_INFINITY
                            : growth * loss.curvature(s, y) * (1 + 1e-12);
                    assertTrue(loss.curvature(s + distance, y) <= most, "at " + s + ", " + y + " by " + distance);
                    assertTrue(loss.curvature(s - distance, y) <= most, "at " + s + ", " + y + " by " + distance);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void the_curvature_is_the_slope_of_the_derivative_or_keeps_the_model_from_being_flat(Loss loss) {
        double h = 1e-5;
        for (double y : labels(loss)) {
            for (double s : SCORES) {
                double second = (loss.derivative(s + h, y) - loss.derivative(s - h, y)) / (2 * h);
                double curvature = loss.curvature(s, y);
                assertTrue(curvature >= second - 1e-4 * Math.max(1, second), "too flat at " + s + ", " + y);
                if (loss.convex() && second > 1e-9) {
                    assertEquals(second, curvature, 1e-4 * Math.max(1, second), "at " + s + ", " + y);
                }
                if (loss.smooth() && !loss.name().equals("squared-hinge")) {
                    assertTrue(curvature > 0, "flat at " + s + ", " + y);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void a_convex_loss_lies_above_its_tangents_and_the_others_do_not(Loss loss) {
        boolean above = true;
        for (double y : labels(loss)) {
            for (double s : SCORES) {
                for (double t : SCORES) {
                    double tangent = loss.value(s, y) + loss.derivative(s, y) * (t - s);
                    above &= loss.value(t, y) >= tangent - 1e-9 * Math.max(1, Math.abs(tangent));
                }
            }
        }
        assertEquals(loss.convex(), above);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void slope_and_curvature_stay_below_their_bounds_and_come_near_them(Loss loss) {
        double slope = 0;
        double curvature = 0;
        for (double y : labels(loss)) {
            for (double s = -30; s < 30; s += 0.01) {
                slope = Math.max(slope, Math.abs(loss.derivative(s, y)));
                curvature = Math.max(curvature, loss.curvature(s, y));
                if (loss.binary()) {
                    assertTrue(loss.derivative(s, y) * y <= 0, "rises with the margin at " + s);
                }
            }
        }
        assertTrue(slope <= loss.maxSlope());
        assertTrue(curvature <= loss.maxCurvature());
        if (Double.isFinite(loss.maxSlope())) {
            assertEquals(loss.maxSlope(), slope, 1e-3);
        }
        if (loss.smooth() && Double.isFinite(loss.maxCurvature())) {
            assertEquals(loss.maxCurvature(), curvature, 1e-3);
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void huge_scores_overflow_to_infinity_at_worst_and_never_to_nan(Loss loss) {
        for (double y : labels(loss)) {
            for (double s : new double[] {-1e300, -1e3, 0, 1e3, 1e300}) {
                assertFalse(Double.isNaN(loss.value(s, y)), "value at " + s);
                assertFalse(Double.isNaN(loss.derivative(s, y)), "derivative at " + s);
                double curvature = loss.curvature(s, y);
                assertTrue(curvature >= 0, "curvature at " + s);
                if (loss.binary()) {
                    assertTrue(Double.isFinite(loss.value(1e3 * y, y)) && Double.isFinite(loss.value(-1e3 * y, y)));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void value_and_conjugate_obey_fenchel_and_meet_at_the_derivative(Loss loss) {
        for (double y : labels(loss)) {
            for (double s : SCORES) {
                double u = loss.derivative(s, y);
                if (!loss.convex()) {
                    assertTrue(Double.isNaN(loss.conjugate(u, y)));
                    continue;
                }
                assertEquals(u * s, loss.value(s, y) + loss.conjugate(u, y), 1e-9 * Math.max(1, Math.abs(u * s)));
                for (double v = -3; v <= 3; v += 0.1) {
                    assertTrue(loss.value(s, y) + loss.conjugate(v, y) >= v * s - 1e-9, "slope " + v + " at " + s);
                }
                assertTrue(Double.isFinite(loss.conjugate(0.5 * u, y)), "a halved slope must stay in reach");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void a_loss_is_found_by_its_name(Loss loss) {
        assertEquals(loss, Loss.named(loss.name()));
    }

    @Test
    void an_unknown_name_is_refused_with_the_known_ones() {
        String message = assertThrows(IllegalArgumentException.class, () -> Loss.named("log"))
                .getMessage();
        assertTrue(message.contains("'log'") && message.contains("squared-hinge"), message);
        assertThrows(IllegalArgumentException.class, () -> Loss.named("logistic:2"));
        assertThrows(IllegalArgumentException.class, () -> Loss.named("huber:wide"));
        assertThrows(IllegalArgumentException.class, () -> Loss.named("huber:-1"));
        assertThrows(IllegalArgumentException.class, () -> Loss.named("quantile:1"));
        assertEquals(new Quantile(0.9), Loss.named("quantile:0.9"));
    }

    @Test
    void labels_that_do_not_fit_are_known() {
        assertTrue(new Logistic().accepts(-1));
        assertFalse(new Logistic().accepts(0));
        assertFalse(new Poisson().accepts(-0.5));
        assertTrue(new Poisson().accepts(0));
        assertFalse(new Squared().accepts(Double.NaN));
    }
}
