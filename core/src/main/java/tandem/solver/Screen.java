package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// Finds the columns that can have a weight at all: with a loss of bounded slope, a column whose gradient
/// stays within the L1 strength whatever the weights are has weight 0 at every optimum.
record Screen(Problem problem, Separable penalty, ColumnWork columns) {

    /// The columns that are left, ascending.
    int[] alive() {
        Columns data = problem.data();
        int[] all = new int[data.count()];
        Arrays.setAll(all, j -> j);
        if (Double.isInfinite(problem.loss().maxSlope())) {
            return all;
        }
        double[] fall = new double[data.rows()];
        double[] rise = new double[data.rows()];
        bounds(fall, rise);
        boolean[] resting = new boolean[data.count()];
        columns.forEach(
                all,
                all.length,
                j -> resting[j] = penalty.residual(0, data.reach(j, 1, fall, rise)) == 0
                        && penalty.residual(0, -data.reach(j, -1, fall, rise)) == 0);
        return Arrays.stream(all).filter(j -> !resting[j]).toArray();
    }

    /// Row i's slope lies between −fall_i and rise_i. A loss for two classes only falls with the margin.
    private void bounds(double[] fall, double[] rise) {
        Loss loss = problem.loss();
        for (int i = 0; i < fall.length; i++) {
            double most = problem.importances()[i] * loss.maxSlope();
            fall[i] = loss.binary() && problem.labels()[i] < 0 ? 0 : most;
            rise[i] = loss.binary() && problem.labels()[i] > 0 ? 0 : most;
        }
    }
}
