package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.math.Parallel;
import tandem.problem.Separable;

/// The columns with most entries, and how they go together: the matrix XᵀCX over them, C the curvatures of
/// the rows. On power-law data a few hundred columns hold most entries and nearly all that makes the problem
/// badly conditioned; with this matrix at hand they are minimised together, exactly and without the data.
final class HeavyColumns {

    private static final int MOST = RowLists.MOST;
    private static final int MATRIX_PASSES = 1_000;
    private static final int GROUPS = 8; // of blocks; each has its own sums, so that bits do not depend on threads

    /// As long as so large a share of the columns that should be here are, the old ones stay.
    private static final double ENOUGH = 0.75;

    private final Columns data;
    private final Parallel parallel;
    private final int[] numbers; // by column: 1 + its number among the heavy ones, or 0
    private int[] heavy = {};
    private RowLists lists;
    private double[][] products = {};

    /// With an intercept: the products of each heavy column with it, over its curvature.
    private double[] means = {};

    HeavyColumns(Columns data, Parallel parallel) {
        this.data = data;
        this.parallel = parallel;
        numbers = new int[data.count()];
    }

    /// Chooses among the first `count` columns of `list`. Most of the time they are those of the last step,
    /// which then stay, some perhaps no longer in the list; false if so.
    boolean choose(int[] list, int count) {
        int[] wanted = heaviest(list, count);
        int held = 0;
        for (int j : wanted) {
            held += holds(j) ? 1 : 0;
        }
        if (lists != null && held >= ENOUGH * wanted.length && wanted.length >= ENOUGH * heavy.length) {
            return false;
        }
        for (int j : heavy) {
            numbers[j] = 0;
        }
        heavy = wanted;
        for (int a = 0; a < heavy.length; a++) {
            numbers[heavy[a]] = a + 1;
        }
        lists = new RowLists(data, heavy, parallel);
        return true;
    }

    private int[] heaviest(int[] list, int count) {
        long entries = 0;
        long[] byWeight = new long[count];
        for (int k = 0; k < count; k++) {
            entries += data.entries(list[k]);
            byWeight[k] = (long) -data.entries(list[k]) << 32 | list[k];
        }
        Arrays.sort(byWeight);
        // So many that going through their matrix often costs no more than going through the columns once.
        int limit = (int) Math.min(MOST, Math.cbrt(10.0 * entries));
        int[] heaviest = new int[Math.min(limit, count)];
        for (int a = 0; a < heaviest.length; a++) {
            heaviest[a] = (int) byWeight[a];
        }
        return heaviest;
    }

    /// Computes the products of the chosen columns. With an intercept, whose own `interceptCurvature` is
    /// above 0, they are those that are left when it always takes its best value.
    void weigh(double[] curvatures, double interceptCurvature) {
        double[][][] parts = new double[GROUPS][heavy.length][heavy.length];
        parallel.run(GROUPS, group -> {
            int end = (group + 1) * lists.blocks() / GROUPS;
            for (int block = group * lists.blocks() / GROUPS; block < end; block++) {
                lists.addProducts(block, curvatures, parts[group]);
            }
        });
        products = parts[0];
        for (int group = 1; group < GROUPS; group++) {
            for (int a = 0; a < heavy.length; a++) {
                for (int b = 0; b <= a; b++) {
                    products[a][b] += parts[group][a][b];
                }
            }
        }
        means = new double[heavy.length];
        for (int a = 0; a < heavy.length; a++) {
            double product = interceptCurvature > 0 ? data.dot(heavy[a], curvatures) : 0;
            means[a] = interceptCurvature > 0 ? product / interceptCurvature : 0;
            for (int b = 0; b <= a; b++) {
                products[a][b] -= product * means[b];
                products[b][a] = products[a][b];
            }
        }
    }

    /// The step of the intercept that goes with steps of the heavy columns.
    double interceptStep(double[] steps) {
        double sum = 0;
        for (int a = 0; a < heavy.length; a++) {
            sum -= means[a] * steps[a];
        }
        return sum;
    }

    boolean holds(int j) {
        return numbers[j] > 0;
    }

    int[] chosen() {
        return heavy;
    }

    /// Minimises the model over the heavy columns and the intercept alone, by coordinate descent on their
    /// matrix: `gradient` and `weights`, by number among the heavy ones, are those at the start, where the
    /// intercept is at its best, and then at the minimum.
    void minimise(Separable penalty, double[] gradient, double[] weights, double tolerance) {
        for (int pass = 0; pass < MATRIX_PASSES; pass++) {
            double worst = 0;
            for (int a = 0; a < heavy.length; a++) {
                double residual = penalty.residual(weights[a], gradient[a]);
                if (residual > 0) {
                    worst = Math.max(worst, residual);
                    double curvature = Math.max(products[a][a], 0) + 1e-12;
                    double next = penalty.prox(weights[a] - gradient[a] / curvature, 1 / curvature);
                    double step = next - weights[a];
                    weights[a] = next;
                    double[] row = products[a];
                    for (int b = 0; b < heavy.length; b++) {
                        gradient[b] += step * row[b];
                    }
                }
            }
            if (worst <= tolerance) {
                return;
            }
        }
    }
}
