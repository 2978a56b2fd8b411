package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.SolverType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.math.Parallel;
import tandem.problem.Ball;
import tandem.problem.Hinge;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Poisson;
import tandem.problem.Regulariser;
import tandem.problem.Separable;
import tandem.problem.Squared;

class ProximalNewtonTest {

    private static Problem problem(Made made, Loss loss, Regulariser regulariser, boolean intercept) {
        return new Problem(made.columns(), made.labels(), made.importances(), loss, regulariser, intercept);
    }

    @ParameterizedTest
    @CsvSource({
        "L1R_LR, logistic, 1, 0",
        "L2R_LR, logistic, 0, 1",
        "L1R_L2LOSS_SVC, squared-hinge, 1, 0",
        "L2R_L2LOSS_SVC, squared-hinge, 0, 1"
    })
    void the_objective_is_that_of_liblinear(SolverType type, String lossName, double l1, double l2) {
        Loss loss = Loss.named(lossName);
        Made made = Made.random(5, 600, 150, loss, false); // about half of the columns are heavy
        Separable penalty = Separable.l1(l1).withL2(l2);
        Solution ours = ProximalNewton.DEFAULT.minimise(problem(made, loss, penalty, false));
        Solution theirs = liblinear(made, type);
        double objective = made.loss(loss, theirs) + penalty.value(theirs.weights());
        assertEquals(objective, ours.objective(), 1e-4 * objective);
        assertTrue(ours.objective() <= objective * (1 + 1e-6), "LIBLINEAR found less");
        assertEquals(theirs.nonZeros(), ours.nonZeros(), 1);
    }

    private static Solution liblinear(Made made, SolverType type) {
        de.bwaldvogel.liblinear.Problem theirs = new de.bwaldvogel.liblinear.Problem();
        theirs.l = made.labels().length;
        theirs.n = made.x()[0].length;
        theirs.y = made.labels();
        theirs.bias = -1;
        theirs.x = new Feature[theirs.l][];
        for (int i = 0; i < theirs.l; i++) {
            List<Feature> row = new ArrayList<>();
            for (int j = 0; j < theirs.n; j++) {
                if (made.x()[i][j] != 0) {
                    row.add(new FeatureNode(j + 1, made.x()[i][j]));
                }
            }
            theirs.x[i] = row.toArray(Feature[]::new);
        }
        Linear.disableDebugOutput();
        Model model = Linear.train(theirs, new Parameter(type, 1, 1e-6));
        double sign = model.getLabels()[0] > 0 ? 1 : -1;
        double[] weights = model.getFeatureWeights();
        for (int j = 0; j < weights.length; j++) {
            weights[j] *= sign;
        }
        return new Solution(weights, 0, Double.NaN, null, 0, Ending.CONVERGED);
    }

    @ParameterizedTest
    @CsvSource({"logistic, 1, 0", "squared-hinge, 0.5, 0.1", "huber, 2, 0", "squared, 0, 3"})
    void light_columns_reach_their_optimum_as_heavy_ones_do(String lossName, double l1, double l2) {
        Loss loss = Loss.named(lossName);
        Made made = Made.random(6, 120, 80, loss, true); // 33 of the columns are heavy
        Separable penalty = Separable.l1(l1).withL2(l2);
        Solution solution = new ProximalNewton(1e-10, 0, 500, 1).minimise(problem(made, loss, penalty, true));
        double[] gradient = made.gradient(loss, solution);
        for (int j = 0; j < 80; j++) {
            assertEquals(0, penalty.residual(solution.weights()[j], gradient[j]), 1e-7, "column " + j);
        }
        assertEquals(0, gradient[80], 1e-7);
        assertTrue(solution.converged());
    }

    @Test
    void one_weight_of_least_squares_is_the_soft_threshold() {
        Made made = Made.of(new double[][] {{1}, {2}, {-1}}, 1, 3, 0);
        Solution solution = ProximalNewton.DEFAULT.minimise(problem(made, new Squared(), Separable.l1(1), false));
        assertEquals((7.0 - 1) / 6, solution.weights()[0], 1e-9);
    }

    @Test
    void the_defaults_are_within_a_hundred_thousandth_of_the_optimum() {
        Made made = Made.random(8, 500, 60, new Logistic(), true);
        Problem problem = problem(made, new Logistic(), Separable.l1(3), true);
        double least = new ProximalNewton(1e-12, 0, 500, 1).minimise(problem).objective();
        Solution solution = ProximalNewton.DEFAULT.minimise(problem);
        assertTrue(solution.converged());
        assertEquals(least, solution.objective(), 1e-5 * least);
    }

    @Test
    void a_start_at_the_solution_needs_no_step_and_gives_it_back() {
        Made made = Made.random(8, 200, 20, new Logistic(), false);
        Problem problem = problem(made, new Logistic(), Separable.l1(1), true);
        Solution cold = ProximalNewton.DEFAULT.minimise(problem);
        Solution warm = ProximalNewton.DEFAULT.minimise(
                problem, cold.weights(), cold.intercept(), Parallel.SEQUENTIAL, Monitor.NONE);
        assertEquals(0, warm.iterations());
        assertArrayEquals(cold.weights(), warm.weights());
    }

    @Test
    void the_bits_do_not_depend_on_the_order_in_which_pieces_are_run() {
        Made made = Made.random(9, 300, 30, new Logistic(), true);
        Problem problem = problem(made, new Logistic(), Separable.l1(1), true);
        Parallel backwards = (pieces, work) -> {
            for (int piece = pieces - 1; piece >= 0; piece--) {
                work.accept(piece);
            }
        };
        Solution one = ProximalNewton.DEFAULT.minimise(problem);
        Solution other = ProximalNewton.DEFAULT.minimise(problem, new double[30], 0, backwards, Monitor.NONE);
        assertArrayEquals(one.weights(), other.weights());
        assertEquals(one.objective(), other.objective());
    }

    @Test
    void separable_data_without_a_penalty_ends_with_a_loss_near_zero() {
        Made made = Made.of(new double[][] {{1, 0}, {2, 1}, {-1, 0}, {-2, 1}}, 1, 1, -1, -1);
        Solution solution = ProximalNewton.DEFAULT.minimise(problem(made, new Logistic(), Separable.NONE, false));
        assertTrue(solution.objective() < 1e-4, () -> "objective " + solution.objective());
        assertTrue(Double.isFinite(solution.weights()[0]));
    }

    @Test
    void labels_of_one_class_push_only_the_intercept() {
        Made made = Made.of(new double[][] {{1}, {0}, {1}}, 1, 1, 1);
        Solution solution = ProximalNewton.DEFAULT.minimise(problem(made, new Logistic(), Separable.l1(5), true));
        assertEquals(0, solution.weights()[0]);
        assertTrue(solution.intercept() > 3);
        assertTrue(solution.objective() < 1e-1);
    }

    @Test
    void no_rows_no_columns_one_row_and_an_empty_column_are_solved() {
        Solution nothing = ProximalNewton.DEFAULT.minimise(
                problem(Made.of(new double[0][]), new Logistic(), Separable.l1(1), true));
        assertEquals(0, nothing.objective());
        Solution one = ProximalNewton.DEFAULT.minimise(problem(
                Made.of(new double[][] {{2, 0}}, 1), new Squared(), Separable.l2(1), false));
        assertArrayEquals(new double[] {0.4, 0}, one.weights(), 1e-9);
        Solution mean = ProximalNewton.DEFAULT.minimise(
                problem(Made.of(new double[][] {{}, {}}, 1, 4), new Squared(), Separable.NONE, true));
        assertEquals(2.5, mean.intercept(), 1e-12);
        Solution plain =
                Fista.DEFAULT.minimise(problem(Made.of(new double[0][]), new Logistic(), Separable.l1(1), true));
        assertEquals(0, plain.objective());
    }

    @Test
    void rows_of_weight_zero_do_not_count_and_a_weight_of_two_counts_as_two_rows() {
        Made twice = Made.of(new double[][] {{1}, {1}, {-1}, {2}}, 3, 3, 1, 2);
        Made weighted =
                new Made(new double[][] {{1}, {-1}, {2}, {5}}, new double[] {3, 1, 2, 99}, new float[] {2, 1, 1, 0});
        double expected = ProximalNewton.DEFAULT.minimise(problem(twice, new Squared(), Separable.l1(0.5), true))
                .weights()[0];
        double found = ProximalNewton.DEFAULT.minimise(problem(weighted, new Squared(), Separable.l1(0.5), true))
                .weights()[0];
        assertEquals(expected, found, 1e-6);
    }

    @Test
    void a_monitor_sees_the_objective_fall_and_can_stop() {
        Made made = Made.random(8, 200, 20, new Logistic(), false);
        Problem problem = problem(made, new Logistic(), Separable.l1(1), false);
        List<Double> seen = new ArrayList<>();
        Solution stopped = new ProximalNewton(1e-12, 0, 100, 1)
                .minimise(problem, new double[20], 0, Parallel.SEQUENTIAL, at -> {
                    seen.add(at.objective());
                    return at.number() < 3;
                });
        assertEquals(3, stopped.iterations());
        assertFalse(stopped.converged());
        for (int i = 1; i < seen.size(); i++) {
            assertTrue(seen.get(i) < seen.get(i - 1));
        }
    }

    @Test
    void a_tolerance_beyond_the_rounding_of_doubles_ends_as_stalled() {
        Made made = Made.random(9, 500, 30, new Logistic(), false);
        Problem problem = problem(made, new Logistic(), Separable.l1(0.1), false);
        Solution solution = new ProximalNewton(0, 0, 1_000, 1).minimise(problem);
        assertEquals(Ending.STALLED, solution.ending());
        assertTrue(solution.iterations() < 100, solution.iterations() + " iterations");
        assertTrue(
                solution.certificate().residual() < 1e-9,
                () -> solution.certificate().toString());
        assertEquals(
                Ending.LIMIT, new ProximalNewton(0, 0, 2, 1).minimise(problem).ending());
    }

    @Test
    void poisson_survives_a_first_step_that_would_overflow() {
        Made made = Made.of(new double[][] {{100}, {50}, {0.01}}, 0, 3, 90);
        Solution solution = ProximalNewton.DEFAULT.minimise(problem(made, new Poisson(), Separable.l2(0.1), true));
        assertTrue(solution.converged());
    }

    @Test
    void what_it_cannot_solve_is_refused_with_what_to_do() {
        Made made = Made.of(new double[][] {{1}}, 1);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> problem(made, new Hinge(), Separable.NONE, false))
                .getMessage()
                .contains("online solver"));
        assertTrue(assertThrows(
                        IllegalArgumentException.class,
                        () -> ProximalNewton.DEFAULT.minimise(problem(made, new Logistic(), new Ball(1), false)))
                .getMessage()
                .contains("Fista"));
        assertThrows(
                IllegalArgumentException.class,
                () -> problem(Made.of(new double[][] {{1}}, 0), new Logistic(), Separable.NONE, false));
    }
}
