package tandem.solver;

import java.util.Arrays;
import tandem.problem.Separable;

/// Minimises a quadratic model over the weights that are neither 0 nor at a bound, as if their signs were
/// fixed: conjugate gradients scaled by the diagonal. Where a weight would change sign or leave its bounds
/// it stops there, if the model is lower so; otherwise all stop when the first one must.
///
/// It shares the model's arrays, and keeps `pulls` and `weights` up to date with each other.
final class FreeSpace {

    private final RowBlocks data;
    private final Separable penalty;
    private final double[] rowCurvatures;
    private final double[] pulls;
    private final double[] curvatures;
    private final double[] weights;
    private final double[] shift; // by row, X·direction

    FreeSpace(
            RowBlocks data,
            Separable penalty,
            double[] rowCurvatures,
            double[] pulls,
            double[] curvatures,
            double[] weights) {
        this.data = data;
        this.penalty = penalty;
        this.rowCurvatures = rowCurvatures;
        this.pulls = pulls;
        this.curvatures = curvatures;
        this.weights = weights;
        shift = new double[pulls.length];
    }

    /// Moves the free ones of the first `count` columns of `list`.
    void descend(int[] list, int count, double forcing, int maxSteps) {
        int[] free = free(list, count);
        int n = free.length;
        data.choose(free);
        double[] residual = new double[n];
        double[] direction = new double[n];
        double[] total = new double[n];
        double[] product = new double[n];
        data.multiply(pulls, product);
        double rho = 0;
        for (int k = 0; k < n; k++) {
            double w = weights[free[k]];
            residual[k] = -(product[k] + penalty.l2() * w + penalty.l1() * Math.signum(w));
            direction[k] = residual[k] / scale(free[k]);
            rho += residual[k] * direction[k];
        }
        double enough = forcing * forcing * rho;
        int steps = 0;
        while (steps < maxSteps && rho > enough) {
            steps++;
            data.multiplyTwice(direction, rowCurvatures, shift, product);
            double bend = bend(direction, product);
            if (!(bend > 0)) {
                break;
            }
            double length = rho / bend;
            double next = 0;
            for (int k = 0; k < n; k++) {
                total[k] += length * direction[k];
                residual[k] -= length * product[k];
                next += residual[k] * residual[k] / scale(free[k]);
            }
            double keep = next / rho;
            rho = next;
            for (int k = 0; k < n; k++) {
                direction[k] = residual[k] / scale(free[k]) + keep * direction[k];
            }
        }
        if (steps > 0) {
            take(free, total);
        }
    }

    private double scale(int j) {
        return curvatures[j] + penalty.l2();
    }

    private int[] free(int[] list, int count) {
        int[] free = new int[count];
        int n = 0;
        for (int k = 0; k < count; k++) {
            double w = weights[list[k]];
            if ((w != 0 || penalty.l1() == 0) && w > penalty.low() && w < penalty.high()) {
                free[n++] = list[k];
            }
        }
        return Arrays.copyOf(free, n);
    }

    /// Adds the L2 part to the product, and returns directionᵀ·product.
    private double bend(double[] direction, double[] product) {
        double sum = 0;
        for (int k = 0; k < direction.length; k++) {
            product[k] += penalty.l2() * direction[k];
            sum += direction[k] * product[k];
        }
        return sum;
    }

    private void take(int[] free, double[] total) {
        double[] step = new double[total.length];
        double furthest = 1;
        boolean cut = false;
        for (int k = 0; k < total.length; k++) {
            double w = weights[free[k]];
            double end = w + total[k];
            double stop = within(w, end);
            step[k] = stop - w;
            if (stop != end) {
                cut = true;
                furthest = Math.min(furthest, step[k] / total[k]);
            }
        }
        if (!lowers(free, step) && cut) {
            for (int k = 0; k < total.length; k++) {
                double w = weights[free[k]];
                step[k] = within(w, w + furthest * total[k]) - w;
            }
            lowers(free, step);
        }
    }

    /// `end`, or where the way from `w` to it first meets 0 or a bound.
    private double within(double w, double end) {
        if (penalty.l1() > 0 && w * end < 0) {
            return 0;
        }
        return Math.clamp(end, penalty.low(), penalty.high());
    }

    /// Makes the step if that lowers the model.
    private boolean lowers(int[] free, double[] step) {
        data.combine(step, shift);
        double change = 0;
        for (int k = 0; k < step.length; k++) {
            double w = weights[free[k]];
            change += penalty.value(w + step[k]) - penalty.value(w);
        }
        for (int i = 0; i < shift.length; i++) {
            change += shift[i] * (pulls[i] + 0.5 * rowCurvatures[i] * shift[i]);
        }
        if (!(change < 0)) {
            return false;
        }
        for (int k = 0; k < step.length; k++) {
            weights[free[k]] += step[k];
        }
        for (int i = 0; i < shift.length; i++) {
            pulls[i] += rowCurvatures[i] * shift[i];
        }
        return true;
    }
}
