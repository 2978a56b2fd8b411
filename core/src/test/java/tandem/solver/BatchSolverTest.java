package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.problem.Ball;
import tandem.problem.GroupLasso;
import tandem.problem.Huber;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Poisson;
import tandem.problem.Regulariser;
import tandem.problem.Separable;
import tandem.problem.Sigmoid;
import tandem.problem.Simplex;
import tandem.problem.Squared;
import tandem.problem.SquaredHinge;

/// What every batch solver keeps, over all pairs of a smooth loss and a regulariser it takes.
class BatchSolverTest {

    private static final int COUNT = 9;

    record Pair(Loss loss, Regulariser regulariser, boolean intercept, boolean weighted) {}

    static List<Pair> pairs(List<? extends Regulariser> regularisers) {
        List<Pair> pairs = new ArrayList<>();
        for (Loss loss : List.of(
                new Logistic(), new Squared(), new SquaredHinge(), new Huber(0.7), new Poisson(), new Sigmoid())) {
            for (Regulariser regulariser : regularisers) {
                int number = pairs.size();
                pairs.add(new Pair(loss, regulariser, number % 2 == 0, number % 3 == 0));
                pairs.add(new Pair(loss, regulariser, number % 2 == 1, number % 3 == 1));
            }
        }
        return pairs;
    }

    static List<Pair> separable() {
        return pairs(List.of(
                Separable.l1(2),
                Separable.l2(0.5),
                Separable.l1(1).withL2(0.3),
                Separable.l2(0.01).between(-0.2, 0.3),
                Separable.l2(0.01).between(0, Double.POSITIVE_INFINITY),
                Separable.l1(0.5).between(0, 0.4)));
    }

    static List<Pair> all() {
        List<Pair> all = new ArrayList<>(separable());
        all.addAll(pairs(List.of(
                new Ball(0.5), new Simplex(1), new GroupLasso(2, new int[] {0, 0, 0, 1, 1, 1, 2, 2, GroupLasso.ALONE
                }))));
        return all;
    }

    private static Made data(Pair pair) {
        return Made.random(17, 80, COUNT, pair.loss, pair.weighted);
    }

    private static Problem problem(Made made, Pair pair) {
        return new Problem(
                made.columns(), made.labels(), made.importances(), pair.loss, pair.regulariser, pair.intercept);
    }

    @ParameterizedTest
    @MethodSource("separable")
    void proximal_newton_reaches_its_certificate_and_the_plain_solver_agrees(Pair pair) {
        Made made = data(pair);
        Problem problem = problem(made, pair);
        Solution newton = new ProximalNewton(1e-10, 0, 500, 1).minimise(problem);
        assertTrue(newton.converged(), () -> "residual " + newton.certificate().residual());
        checkKkt(made, pair, newton);
        if (pair.loss.convex()) {
            Solution plain = new Fista(1e-9, 100_000).minimise(problem);
            assertTrue(
                    plain.converged(), () -> "residual " + plain.certificate().residual());
            assertEquals(plain.objective(), newton.objective(), 1e-10 * Math.abs(plain.objective()));
            double gap = newton.certificate().dualityGap();
            assertTrue(gap >= 0 && gap <= 1e-5 * Math.abs(newton.objective()), () -> "gap " + gap);
        } else {
            assertTrue(Double.isNaN(newton.certificate().dualityGap()));
        }
    }

    private static void checkKkt(Made made, Pair pair, Solution solution) {
        Separable penalty = (Separable) pair.regulariser;
        double[] gradient = made.gradient(pair.loss, solution);
        double worst = pair.intercept ? Math.abs(gradient[COUNT]) : 0;
        for (int j = 0; j < COUNT; j++) {
            worst = Math.max(worst, penalty.residual(solution.weights()[j], gradient[j]));
        }
        assertTrue(worst < 1e-7, "KKT residual " + worst);
        assertEquals(solution.certificate().residual(), worst, 1e-9);
        double objective = made.loss(pair.loss, solution) + penalty.value(solution.weights());
        assertEquals(objective, solution.objective(), 1e-12 * Math.abs(objective));
        if (!pair.intercept) {
            assertEquals(0, solution.intercept());
        }
    }

    /// Checked without the solver: no proximal step from the solution, of whatever size, goes anywhere.
    @ParameterizedTest
    @MethodSource("all")
    void fista_ends_where_no_proximal_step_moves(Pair pair) {
        Made made = data(pair);
        Solution solution = new Fista(1e-9, 100_000).minimise(problem(made, pair));
        assertTrue(
                solution.converged(), () -> "residual " + solution.certificate().residual());
        double[] gradient = made.gradient(pair.loss, solution);
        for (double step : new double[] {0.01, 1}) {
            double[] moved = solution.weights().clone();
            for (int j = 0; j < COUNT; j++) {
                moved[j] -= step * gradient[j];
            }
            pair.regulariser.prox(moved, step);
            for (int j = 0; j < COUNT; j++) {
                assertEquals(solution.weights()[j], moved[j], 1e-6);
            }
        }
        assertEquals(0, pair.intercept ? gradient[COUNT] : 0, 1e-6);
    }

    /// The gap must bound the true distance to the optimum on the whole way, not only at the end.
    @ParameterizedTest
    @MethodSource("separable")
    void the_duality_gap_is_never_less_than_what_is_left_to_gain(Pair pair) {
        if (!pair.loss.convex()) {
            return;
        }
        Problem problem = problem(data(pair), pair);
        double least = new ProximalNewton(1e-10, 0, 500, 1).minimise(problem).objective();
        for (int iterations = 0; iterations < 6; iterations++) {
            Solution early =
                    ProximalNewton.DEFAULT.withMaxIterations(iterations).minimise(problem);
            double left = early.objective() - least;
            assertTrue(left >= -1e-9 * Math.abs(least));
            assertTrue(early.certificate().dualityGap() >= left - 1e-9 * Math.abs(least), "after " + iterations);
        }
    }
}
