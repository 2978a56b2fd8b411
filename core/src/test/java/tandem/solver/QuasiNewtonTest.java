package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.math.Parallel;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Separable;

class QuasiNewtonTest {

    private static final QuasiNewton TIGHT = QuasiNewton.DEFAULT.withTolerance(1e-8);

    @ParameterizedTest
    @CsvSource({
        "logistic, 3, 0, true",
        "logistic, 3, 0, false",
        "logistic, 0, 2, true",
        "logistic, 1, 1, true",
        "squared, 5, 0, true",
        "squared, 0, 0, false"
    })
    void it_ends_where_proximal_newton_ends(String lossName, double l1, double l2, boolean intercept) {
        Loss loss = Loss.named(lossName);
        Separable penalty = Separable.l1(l1).withL2(l2);
        Made made = Made.random(11, 400, 60, loss, true);
        Solution expected = ProximalNewton.DEFAULT
                .withTolerance(1e-10)
                .withGap(0)
                .minimise(new Problem(made.columns(), made.labels(), made.importances(), loss, penalty, intercept));
        Solution found = solve(made, loss, penalty, intercept, 3, TIGHT);
        assertEquals(Ending.CONVERGED, found.ending());
        assertEquals(expected.objective(), found.objective(), 1e-9 * expected.objective());
        assertEquals(made.loss(loss, found) + penalty.value(found.weights()), found.objective(), 1e-6);
        assertArrayEquals(expected.weights(), found.weights(), 1e-3);
        assertEquals(expected.intercept(), found.intercept(), 1e-3);
        if (l1 > 0) {
            assertEquals(expected.nonZeros(), found.nonZeros());
        }
    }

    @Test
    void rare_features_need_no_more_iterations_than_common_ones() {
        Made made = Made.random(3, 500, 40, new Logistic(), false);
        double[][] uneven = new double[made.x().length][];
        for (int i = 0; i < uneven.length; i++) {
            double[] row = made.x()[i].clone();
            for (int j = 0; j < row.length; j += 2) {
                row[j] *= 1e-3;
            }
            uneven[i] = row;
        }
        Made scaled = new Made(uneven, made.labels(), made.importances());
        QuasiNewton solver = QuasiNewton.DEFAULT.withTolerance(1e-5);
        int even = solve(made, new Logistic(), Separable.NONE, true, 2, solver).iterations();
        int odd = solve(scaled, new Logistic(), Separable.NONE, true, 2, solver).iterations();
        assertTrue(odd <= even + 2, odd + " iterations after " + even);
    }

    @Test
    void the_objective_falls_at_every_iteration() {
        Made made = Made.random(7, 300, 50, new Logistic(), false);
        List<Double> objectives = new ArrayList<>();
        QuasiNewton.Task task = task(made, new Logistic(), Separable.l1(1), true);
        TIGHT.minimise(task, 2, Parallel.SEQUENTIAL, at -> objectives.add(at.objective()));
        for (int k = 1; k < objectives.size(); k++) {
            assertTrue(objectives.get(k) <= objectives.get(k - 1) * (1 + 1e-12), objectives::toString);
        }
        assertTrue(objectives.size() > 3, objectives::toString);
    }

    @Test
    void features_that_are_in_all_rows_do_not_stand_in_the_way_of_each_other() {
        Made made = Made.random(3, 500, 40, new Logistic(), false);
        double[][] high = new double[made.x().length][];
        for (int i = 0; i < high.length; i++) {
            high[i] = Arrays.stream(made.x()[i]).map(x -> x + 20).toArray();
        }
        Made shifted = new Made(high, made.labels(), made.importances());
        QuasiNewton solver = QuasiNewton.DEFAULT.withTolerance(1e-5);
        int near = solve(made, new Logistic(), Separable.l2(1), true, 2, solver).iterations();
        Solution far = solve(shifted, new Logistic(), Separable.l2(1), true, 2, solver);
        assertEquals(Ending.CONVERGED, far.ending());
        assertTrue(far.iterations() <= 2 * near, far.iterations() + " iterations after " + near);
    }

    @Test
    void it_ends_once_iterations_win_little() {
        Made made = Made.random(7, 300, 50, new Logistic(), false);
        Solution exact = solve(made, new Logistic(), Separable.l1(1), true, 2, TIGHT);
        Solution soon = solve(made, new Logistic(), Separable.l1(1), true, 2, TIGHT.withProgress(1e-3));
        assertEquals(Ending.CONVERGED, soon.ending());
        assertTrue(soon.iterations() < exact.iterations() / 2, soon.iterations() + " of " + exact.iterations());
        assertEquals(exact.objective(), soon.objective(), 1e-3 * exact.objective());
    }

    @Test
    void kinks_and_bounds_are_refused() {
        Made made = Made.random(1, 10, 3, new Logistic(), false);
        assertTrue(assertThrows(
                        IllegalArgumentException.class, () -> task(made, Loss.named("hinge"), Separable.NONE, true))
                .getMessage()
                .contains("kink"));
        assertTrue(assertThrows(
                        IllegalArgumentException.class,
                        () -> task(made, new Logistic(), Separable.NONE.between(0, 1), true))
                .getMessage()
                .contains("between"));
    }

    private static Solution solve(
            Made made, Loss loss, Separable penalty, boolean intercept, int lanes, QuasiNewton solver) {
        return solver.minimise(task(made, loss, penalty, intercept), lanes, Parallel.SEQUENTIAL, Monitor.NONE);
    }

    /// The rows in slabs of uneven size.
    private static QuasiNewton.Task task(Made made, Loss loss, Separable penalty, boolean intercept) {
        int rows = made.x().length;
        return new QuasiNewton.Task(
                List.of(slab(made, 0, rows / 5), slab(made, rows / 5, rows)),
                made.x()[0].length,
                loss,
                penalty,
                intercept);
    }

    private static RowSlab slab(Made made, int from, int to) {
        int[] starts = new int[to - from + 1];
        int[] columns = new int[(to - from) * made.x()[0].length];
        float[] values = new float[columns.length];
        double[] labels = new double[to - from];
        int entries = 0;
        for (int i = from; i < to; i++) {
            for (int j = 0; j < made.x()[i].length; j++) {
                if (made.x()[i][j] != 0) {
                    columns[entries] = j;
                    values[entries++] = (float) made.x()[i][j];
                }
            }
            labels[i - from] = made.labels()[i];
            starts[i - from + 1] = entries;
        }
        return new RowSlab(
                to - from, starts, columns, values, labels, Arrays.copyOfRange(made.importances(), from, to));
    }
}
