package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import tandem.data.Aside;
import tandem.data.Batch;
import tandem.problem.Loss;
import tandem.solver.Balance;

/// The examples of a batch without their features: labels, importances, and the scores at the last two
/// points that were looked at. So what the loss is anywhere on the line between them is known without
/// another look at the features.
final class PortionRows {

    static final long NOWHERE = -1;

    private final Loss loss;
    private final RowKinds rows;

    /// Scores at two points, one after the other, and the numbers of these.
    private final Aside scores;

    private final long[] points = {NOWHERE, NOWHERE};

    /// @param scores room for two numbers of each row
    PortionRows(Batch batch, GradientTask task, Aside scores) {
        this.scores = scores;
        loss = task.loss();
        rows = RowKinds.of(batch.rows(), batch.labels(), batch.weights(), task.target(), task.positiveWeight());
    }

    /// Whether scores at a point are known.
    boolean knows(long point) {
        return points[0] == point || points[1] == point;
    }

    /// Keeps the scores at a point, in the place of those that are at neither it nor `base`.
    void keep(long point, long base, double[] s) throws IOException {
        int at = points[0] == point || points[1] == base && points[1] != point ? 0 : 1;
        points[at] = point;
        scores.write((long) at * rows.rows(), s, rows.rows());
    }

    private double[] at(long point) {
        double[] s = new double[rows.rows()];
        try {
            scores.read(points[0] == point ? 0 : rows.rows(), s, s.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return s;
    }

    /// The loss of all rows with these scores.
    double loss(double[] s) {
        double sum = 0;
        for (int i = 0; i < s.length; i++) {
            sum += rows.importance(i) * loss.value(s[i], rows.label(i));
        }
        return sum;
    }

    /// The derivative of the loss by each row's score; at the origin, where all weights are 0, if that is asked for.
    double[] slopes(double[] s, boolean origin) {
        double[] slopes = new double[s.length];
        for (int i = 0; i < s.length; i++) {
            slopes[i] = rows.importance(i) * loss.derivative(origin ? 0 : s[i], rows.label(i));
        }
        return slopes;
    }

    /// How much each row counts.
    double[] importances() {
        double[] all = new double[rows.rows()];
        Arrays.setAll(all, rows::importance);
        return all;
    }

    /// The loss on the line from `base` to `point`, `part` of the way, and its derivative by that.
    double[] between(long base, long point, double part) {
        double[] from = at(base);
        double[] to = at(point);
        double[] sums = new double[2];
        for (int i = 0; i < from.length; i++) {
            double along = to[i] - from[i];
            double score = from[i] + part * along;
            sums[0] += rows.importance(i) * loss.value(score, rows.label(i));
            sums[1] += rows.importance(i) * loss.derivative(score, rows.label(i)) * along;
        }
        return sums;
    }

    /// These rows' part of a lower bound of the objective, of the dual problem (Fenchel): −Σ loss* of
    /// the slopes at a point, made feasible by factors.
    double dual(long point, Balance balance, double scale) {
        double[] s = at(point);
        double sum = 0;
        for (int i = 0; i < s.length; i++) {
            if (rows.importance(i) > 0) {
                double slope = balance.scaled(loss.derivative(s[i], rows.label(i)));
                sum -= rows.importance(i) * loss.conjugate(scale * slope, rows.label(i));
            }
        }
        return sum;
    }
}
