package tandem.solver;

import java.util.Arrays;
import tandem.math.Parallel;
import tandem.problem.Loss;

/// What a batch solver keeps for each row: its score, and slope and curvature of its loss there, both
/// times the row's importance.
///
/// Sums run over blocks of fixed size and then over the blocks in order, so their bits do not depend on
/// the number of threads.
final class RowState {

    private static final int BLOCK = 1 << 13;

    private final Problem problem;
    private final Parallel parallel;
    private final double[] sums;
    final double[] scores;
    final double[] slopes;
    final double[] curvatures;

    RowState(Problem problem, Parallel parallel) {
        this.problem = problem;
        this.parallel = parallel;
        int rows = problem.labels().length;
        sums = new double[(rows + BLOCK - 1) / BLOCK];
        scores = new double[rows];
        slopes = new double[rows];
        curvatures = new double[rows];
    }

    int rows() {
        return scores.length;
    }

    /// Sets scores to xᵀw + b; `weights` may be longer than there are columns.
    void score(double[] weights, double intercept) {
        Arrays.fill(scores, intercept);
        for (int j = 0; j < problem.data().count(); j++) {
            if (weights[j] != 0) {
                problem.data().add(j, weights[j], scores);
            }
        }
    }

    /// Σ c_i·loss(score_i + step·direction_i).
    double lossAlong(double[] direction, double step) {
        Loss loss = problem.loss();
        double[] labels = problem.labels();
        float[] importances = problem.importances();
        return sum((from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += importances[i] * loss.value(scores[i] + step * direction[i], labels[i]);
            }
            return sum;
        });
    }

    /// scores += step·direction.
    void move(double[] direction, double step) {
        sum((from, to) -> {
            for (int i = from; i < to; i++) {
                scores[i] += step * direction[i];
            }
            return 0;
        });
    }

    /// Σ c_i·loss(score_i).
    double loss() {
        Loss loss = problem.loss();
        double[] labels = problem.labels();
        float[] importances = problem.importances();
        return sum((from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += importances[i] * loss.value(scores[i], labels[i]);
            }
            return sum;
        });
    }

    /// Brings slopes up to date with the scores.
    void refreshSlopes() {
        Loss loss = problem.loss();
        double[] labels = problem.labels();
        float[] importances = problem.importances();
        sum((from, to) -> {
            for (int i = from; i < to; i++) {
                slopes[i] = importances[i] * loss.derivative(scores[i], labels[i]);
            }
            return 0;
        });
    }

    void refreshCurvatures() {
        Loss loss = problem.loss();
        double[] labels = problem.labels();
        float[] importances = problem.importances();
        sum((from, to) -> {
            for (int i = from; i < to; i++) {
                curvatures[i] = importances[i] * loss.curvature(scores[i], labels[i]);
            }
            return 0;
        });
    }

    double sum(RangeSum range) {
        parallel.run(sums.length, block -> {
            int from = block * BLOCK;
            sums[block] = range.over(from, Math.min(from + BLOCK, scores.length));
        });
        double total = 0;
        for (double sum : sums) {
            total += sum;
        }
        return total;
    }

    static double sumOf(double[] v) {
        double total = 0;
        for (double each : v) {
            total += each;
        }
        return total;
    }

    @FunctionalInterface
    interface RangeSum {
        double over(int from, int to);
    }
}
