package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import tandem.problem.Separable;

/// A row of two entries: the pull with what holds the weight, what was pushed of it, the pull; how firmly the weight is
/// held, how many pushes, whether it stands for a weight to start from.
class DualPullTest {

    private final DualPull rule = new DualPull(Separable.l1(1).withL2(2));

    /// Three rows say 24 in all, so the weight is held by 8; then slopes pull by 11. (11 − 1) / (2 + 8) is 1, and from
    /// there (11 + 8·1 − 1) / (2 + 8) is 1.8.
    @Test
    void a_weight_is_held_where_it_has_come() {
        double[] row = new double[6];
        clock(row, 24, 3);
        assertArrayEquals(new double[] {0, 0, 0, 8, 0, 0}, row);
        clock(row, 11, 1);
        assertArrayEquals(new double[] {19, 0, 11, 8, 0, 0}, row);
        clock(row, 0, 1);
        assertArrayEquals(new double[] {11 + 8 * 1.8, 0, 11, 8, 0, 0}, row, 1e-12);
    }

    @Test
    void a_row_that_stands_for_a_weight_goes_on_from_it() {
        double[] row = new double[6];
        rule.start(row, 0, 2, 3);
        assertArrayEquals(new double[] {7, 0, 0, 0, 0, 1}, row);
        clock(row, 24, 3);
        assertArrayEquals(new double[] {31, 0, 0, 8, 0, 1}, row);
        clock(row, 5, 2);
        assertArrayEquals(new double[] {29, 0, 5, 8, 0, 0}, row);
    }

    @Test
    void what_nothing_was_pushed_to_stays() {
        double[] row = {19, 0, 11, 8, 0, 0};
        rule.settle(row, 0, 2);
        assertArrayEquals(new double[] {19, 0, 11, 8, 0, 0}, row);
    }

    private void clock(double[] row, double change, double pushes) {
        rule.update(row, 0, change);
        rule.update(row, 3, pushes);
        rule.settle(row, 0, 2);
    }
}
