package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// A lower bound of the objective, from the dual problem: for any slopes u that sum to 0 if there is an
/// intercept, Σ −c_i·loss*(u_i) − h*(−Σ c_i u_i x_i) is at most the least objective (Fenchel).
///
/// The slopes at hand are made feasible: those of the sign that outweighs the other are scaled down until
/// they balance (intercept), then all are scaled until the gradient is within reach of the penalty.
record DualBound(Problem problem, Separable penalty, ColumnWork columns) {

    /// The objective minus the bound; NaN for a loss that is not convex. `gradient` is that of `rows`' slopes,
    /// up to date for the columns `alive`; the others' stays within the L1 strength by itself.
    double gap(RowState rows, double[] gradient, int[] alive, double objective) {
        if (!problem.loss().convex()) {
            return Double.NaN;
        }
        Balance balance = problem.intercept() ? Balance.of(rows.slopes) : Balance.NONE;
        double[] feasible = problem.intercept() ? balancedGradient(rows, balance, alive) : gradient;
        double scale = scale(feasible, alive);
        Loss loss = problem.loss();
        double dual = -rows.sum((from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                double importance = problem.importances()[i];
                if (importance > 0) {
                    double u = scale * balance.scaled(rows.slopes[i] / importance);
                    sum += importance * loss.conjugate(u, problem.labels()[i]);
                }
            }
            return sum;
        });
        for (int j : alive) {
            dual -= penalty.conjugate(-scale * feasible[j]);
        }
        return Math.max(0, objective - dual);
    }

    private double[] balancedGradient(RowState rows, Balance balance, int[] alive) {
        Columns data = problem.data();
        double[] slopes = Arrays.stream(rows.slopes).map(balance::scaled).toArray();
        double[] gradient = new double[data.count()];
        columns.forEach(alive, alive.length, j -> gradient[j] = data.dot(j, slopes));
        return gradient;
    }

    /// The largest factor up to 1 that makes the conjugate of the penalty finite everywhere.
    private double scale(double[] gradient, int[] alive) {
        double largest = 0;
        if (penalty.l2() == 0) {
            for (int j : alive) {
                boolean bounded = gradient[j] > 0 ? Double.isFinite(penalty.low()) : Double.isFinite(penalty.high());
                largest = bounded ? largest : Math.max(largest, Math.abs(gradient[j]));
            }
        }
        return penalty.feasible(largest);
    }
}
