package tandem.solver;

import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.data.Columns;
import tandem.math.Parallel;
import tandem.problem.Separable;

/// The loss replaced by a parabola in each row, minimised together with the penalty. A pass minimises over
/// the heavy columns together ([HeavyColumns]), then over each of the others by itself.
///
/// `pulls` are the model's slopes by row at the present point, slope_i + curvature_i·(XΔ)_i, kept up to
/// date with each step, so that a column's gradient is one product with it.
final class QuadraticModel {

    private final Columns data;
    private final Separable penalty;
    private final RowState rows;
    private final SplittableRandom random;
    private final boolean intercept;
    private final HeavyColumns heavy;
    private final RowBlocks blocks;
    private final double[] shift;
    private final double[] pulls;
    final double[] curvatures; // by column
    final double[] weights; // the model's point
    double interceptStep;

    QuadraticModel(Problem problem, Separable penalty, RowState rows, Parallel parallel, long seed) {
        data = problem.data();
        this.penalty = penalty;
        this.rows = rows;
        intercept = problem.intercept();
        random = new SplittableRandom(seed);
        pulls = new double[rows.rows()];
        curvatures = new double[data.count()];
        weights = new double[data.count()];
        blocks = new RowBlocks(data, parallel);
        shift = new double[rows.rows()];
        heavy = new HeavyColumns(data, parallel);
    }

    /// Chooses the columns that are minimised together, among the first `count` of `list`. Columns chosen
    /// earlier may stay, and must then be in the list that [#descend] is given.
    void chooseHeavy(int[] list, int count) {
        if (heavy.choose(list, count)) {
            blocks.choose(heavy.chosen());
        }
    }

    boolean isHeavy(int j) {
        return heavy.holds(j);
    }

    /// Descends over the first `count` columns of `list` until the largest residual of a pass is at most
    /// `tolerance`, or `maxPasses` are done. Shuffles `list`.
    void descend(int[] list, int count, double tolerance, int maxPasses) {
        System.arraycopy(rows.slopes, 0, pulls, 0, pulls.length);
        interceptStep = 0;
        double interceptCurvature = intercept ? RowState.sumOf(rows.curvatures) : 0;
        for (int k = 0; k < count; k++) {
            swap(list, k, k + random.nextInt(count - k));
        }
        heavy.weigh(rows.curvatures, interceptCurvature);
        int[] light = Arrays.stream(list, 0, count).filter(j -> !heavy.holds(j)).toArray();
        int[] order = light.clone();
        int active = light.length;
        double margin = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < maxPasses; pass++) {
            double worst = intercept ? descendIntercept(interceptCurvature) : 0;
            worst = Math.max(worst, descendHeavy(tolerance));
            int kept = 0;
            for (int k = 0; k < active; k++) {
                int j = order[k];
                double gradient = data.dot(j, pulls);
                double w = weights[j];
                double residual = penalty.residual(w, gradient);
                worst = Math.max(worst, residual);
                if (residual > 0) {
                    step(j, w, gradient);
                } else if (isStuck(w, gradient, margin)) {
                    continue;
                }
                order[kept++] = j;
            }
            active = kept;
            margin = worst;
            if (worst <= tolerance) {
                if (active == light.length) {
                    return;
                }
                active = light.length;
                System.arraycopy(light, 0, order, 0, active);
                margin = Double.POSITIVE_INFINITY;
            }
        }
    }

    /// All heavy columns at once, and the intercept with them; returns the largest residual they had.
    private double descendHeavy(double tolerance) {
        int[] columns = heavy.chosen();
        double[] gradient = new double[columns.length];
        double[] next = new double[columns.length];
        blocks.multiply(pulls, gradient);
        double worst = 0;
        for (int a = 0; a < columns.length; a++) {
            next[a] = weights[columns[a]];
            worst = Math.max(worst, penalty.residual(next[a], gradient[a]));
        }
        heavy.minimise(penalty, gradient, next, Math.min(tolerance, 0.1 * worst));
        double[] step = new double[columns.length];
        for (int a = 0; a < columns.length; a++) {
            step[a] = next[a] - weights[columns[a]];
            weights[columns[a]] = next[a];
        }
        blocks.combine(step, shift);
        double along = heavy.interceptStep(step);
        interceptStep += along;
        for (int i = 0; i < pulls.length; i++) {
            pulls[i] += rows.curvatures[i] * (shift[i] + along);
        }
        return worst;
    }

    private void step(int j, double w, double gradient) {
        double curvature = curvatures[j];
        double next = penalty.prox(w - gradient / curvature, 1 / curvature);
        if (next != w) {
            weights[j] = next;
            data.add(j, next - w, rows.curvatures, pulls);
        }
    }

    private double descendIntercept(double curvature) {
        double gradient = RowState.sumOf(pulls);
        double step = -gradient / curvature;
        if (curvature > 0 && step != 0) {
            interceptStep += step;
            for (int i = 0; i < pulls.length; i++) {
                pulls[i] += step * rows.curvatures[i];
            }
        }
        return Math.abs(gradient);
    }

    /// Whether the weight would stay where it is even if the gradient moved by `margin` either way.
    private boolean isStuck(double w, double gradient, double margin) {
        return penalty.residual(w, gradient + margin) == 0 && penalty.residual(w, gradient - margin) == 0;
    }

    private static void swap(int[] list, int a, int b) {
        int kept = list[a];
        list[a] = list[b];
        list[b] = kept;
    }
}
