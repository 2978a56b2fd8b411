package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.server.Table;
import tandem.solver.Ftrl;

class FirstInterceptTest {

    private static float of(String loss, double positiveWeight, double... labels) {
        float[] weights = new float[labels.length];
        Arrays.fill(weights, 1);
        Target target = Loss.named(loss).binary() ? Target.against(1) : Target.number();
        Table table = new Table(new Ftrl(0.1, 1, Separable.NONE));
        OnlineTask task = new OnlineTask(Loss.named(loss), target, positiveWeight, table, table, 16);
        return new FirstIntercept(task, labels.length, labels, weights).value();
    }

    private static double[] clicks(int positive, int all) {
        double[] labels = new double[all];
        for (int row = 0; row < all; row++) {
            labels[row] = row < positive ? 1 : -1;
        }
        return labels;
    }

    @Test
    void under_logistic_loss_it_is_the_log_odds() {
        assertEquals(Math.log(100.0 / 300), of("logistic", 1, clicks(100, 400)), 0.01);
        assertEquals(0, of("logistic", 3, clicks(100, 400)), 0.01);
    }

    @Test
    void labels_that_are_all_alike_give_a_finite_one() {
        double none = of("logistic", 1, clicks(0, 500));
        assertTrue(none < -5 && none > -10, "it is " + none);
        assertEquals(-none, of("logistic", 1, clicks(500, 500)), 1e-4);
    }

    @Test
    void for_numbers_it_is_their_mean_log_mean_or_quantile() {
        double[] numbers = new double[1000];
        for (int row = 0; row < 1000; row++) {
            numbers[row] = 2000 + row;
        }
        assertEquals(2499.5, of("squared", 1, numbers), 1);
        assertEquals(Math.log(2499.5), of("poisson", 1, numbers), 0.01);
        assertEquals(2899.5, of("quantile:0.9", 1, numbers), 300);
    }

    @Test
    void numbers_far_from_0_and_close_to_each_other_are_fitted_as_well() {
        assertEquals(100_002, of("squared", 1, 100_001, 100_002, 100_003), 0.01);
        assertEquals(-3e15, of("squared", 1, -2e15, -4e15), 1e9);
    }

    @Test
    void a_loss_that_is_not_convex_starts_from_nothing() {
        assertEquals(0, of("sigmoid", 1, clicks(1, 500)));
    }
}
