package tandem.solver;

import java.util.Arrays;
import java.util.Comparator;
import tandem.data.Columns;
import tandem.math.Parallel;
import tandem.problem.Separable;

/// The columns with most entries, and how they go together: the matrix XᵀCX over them, C the curvatures of
/// the rows. On power-law data a few hundred columns hold most entries and nearly all that makes the problem
/// badly conditioned; with this matrix at hand they are minimised together, exactly and without the data.
final class HeavyColumns {

    private static final int MOST = 256;
    private static final int MATRIX_PASSES = 1_000;
    private static final int GROUPS = 8; // of blocks; each has its own sums, so that bits do not depend on threads
    private static final int ROWS = 1 << 13; // in a block, whose lists stay in the cache

    private final Columns data;
    private final Parallel parallel;
    private final int[] numbers; // by column: 1 + its number among the heavy ones, or 0
    private int[] heavy = {};
    private double[][] products = {};

    /// With an intercept: the products of each heavy column with it, over its curvature.
    private double[] means = {};

    HeavyColumns(Columns data, Parallel parallel) {
        this.data = data;
        this.parallel = parallel;
        numbers = new int[data.count()];
    }

    /// Chooses among the first `count` columns of `list` and computes their products. With an intercept, whose
    /// own `interceptCurvature` is above 0, they are those that are left when it always takes its best value.
    void choose(int[] list, int count, double[] curvatures, double interceptCurvature) {
        for (int j : heavy) {
            numbers[j] = 0;
        }
        long entries = 0;
        for (int k = 0; k < count; k++) {
            entries += data.entries(list[k]);
        }
        // So many that going through their matrix often costs no more than going through the columns once.
        int limit = (int) Math.min(MOST, Math.cbrt(10.0 * entries));
        heavy = Arrays.stream(list, 0, count)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(j -> -data.entries(j)).thenComparingInt(j -> j))
                .limit(limit)
                .mapToInt(j -> j)
                .toArray();
        for (int a = 0; a < heavy.length; a++) {
            numbers[heavy[a]] = a + 1;
        }
        double[][][] parts = new double[GROUPS][heavy.length][heavy.length];
        int blocks = (data.rows() + ROWS - 1) / ROWS;
        parallel.run(GROUPS, group -> {
            for (int block = group * blocks / GROUPS; block < (group + 1) * blocks / GROUPS; block++) {
                add(block * ROWS, Math.min((block + 1) * ROWS, data.rows()), curvatures, parts[group]);
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

    /// Adds the products of the rows from `first` until `end`, turned into lists of heavy columns by row.
    private void add(int first, int end, double[] curvatures, double[][] into) {
        int[] ends = new int[end - first + 1];
        int[] from = new int[heavy.length];
        int[] to = new int[heavy.length];
        for (int a = 0; a < heavy.length; a++) {
            from[a] = data.firstEntry(heavy[a], data.starts()[heavy[a]], first);
            to[a] = data.firstEntry(heavy[a], from[a], end);
            for (int e = from[a]; e < to[a]; e++) {
                ends[data.row(e) - first + 1]++;
            }
        }
        for (int r = 1; r < ends.length; r++) {
            ends[r] += ends[r - 1];
        }
        int[] numbersByRow = new int[ends[end - first]];
        double[] valuesByRow = new double[numbersByRow.length];
        for (int a = 0; a < heavy.length; a++) {
            for (int e = from[a]; e < to[a]; e++) {
                int at = ends[data.row(e) - first]++;
                numbersByRow[at] = a;
                valuesByRow[at] = data.value(heavy[a], e);
            }
        }
        int start = 0;
        for (int r = 0; r < end - first; r++) {
            for (int p = start; p < ends[r]; p++) {
                double scaled = curvatures[first + r] * valuesByRow[p];
                double[] row = into[numbersByRow[p]];
                for (int q = start; q <= p; q++) {
                    row[numbersByRow[q]] += scaled * valuesByRow[q];
                }
            }
            start = ends[r];
        }
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
