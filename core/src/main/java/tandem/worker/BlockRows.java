package tandem.worker;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.problem.Loss;

/// The examples of a stream by columns, with the weight of each column as far as this worker knows it, and with each
/// example's score under these weights and the first two derivatives of its loss. The intercept is one column more,
/// after all others.
final class BlockRows {

    private final Columns data;
    private final Loss loss;
    private final boolean proven;

    /// By block: its first column; one more at the end.
    private final int[] starts;

    private final double[] labels;
    private final double[] importances;
    private final double[] scores;
    private final double[] slopes;
    private final double[] bends;

    /// No bend of an example is more than this.
    private final double[] most;

    /// By column.
    final double[] weights;

    /// By column: what the server says of the weight (see [tandem.solver.BlockProximal]).
    final double[] outlooks;

    /// Rows that were refreshed for the change in hand have its number.
    private final int[] refreshed;

    private int changes;

    BlockRows(Columns data, BlockTask task) {
        this.data = data;
        this.loss = task.loss();
        this.proven = task.proven();
        int rows = data.rows();
        labels = new double[rows];
        importances = new double[rows];
        most = new double[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = task.target().of(data.labels()[i]);
            importances[i] = data.weights()[i] * (labels[i] > 0 ? task.positiveWeight() : 1);
            most[i] = importances[i] == 0 ? 0 : importances[i] * loss.maxCurvature();
        }
        scores = new double[rows];
        slopes = new double[rows];
        bends = new double[rows];
        refreshed = new int[rows];
        weights = new double[data.count() + 1];
        outlooks = new double[weights.length];
        starts = starts(task);
        refreshAll();
    }

    private int[] starts(BlockTask task) {
        int[] all = new int[task.blocks() + 1];
        int column = 0;
        for (int block = 0; block < task.ranges(); block++) {
            long first = BlockTask.firstKey(block, task.ranges());
            while (column < data.count() && Long.compareUnsigned(data.keys()[column], first) < 0) {
                column++;
            }
            all[block] = column;
        }
        Arrays.fill(all, task.ranges(), all.length, data.count());
        if (task.intercept() >= 0) {
            all[task.blocks()] = data.count() + 1;
        }
        return all;
    }

    int rows() {
        return labels.length;
    }

    /// How many columns there are, without the intercept.
    int count() {
        return data.count();
    }

    /// The columns of a block: from the first of these numbers until before the second.
    int first(int block) {
        return starts[block];
    }

    int end(int block) {
        return starts[block + 1];
    }

    boolean isIntercept(int column) {
        return column == data.count();
    }

    /// The key of a column.
    long key(int column) {
        return isIntercept(column) ? OnlineTask.INTERCEPT : data.keys()[column];
    }

    int entries(int column) {
        return isIntercept(column) ? rows() : data.entries(column);
    }

    /// The derivative of the loss by the weight of a column.
    double gradient(int column) {
        return gradient(column, slopes);
    }

    /// The same with other slopes of the examples than they have.
    double gradient(int column, double[] others) {
        if (!isIntercept(column)) {
            return data.dot(column, others);
        }
        double sum = 0;
        for (double slope : others) {
            sum += slope;
        }
        return sum;
    }

    /// What the slopes would be if all weights were 0.
    double[] slopesAtOrigin() {
        double[] all = new double[labels.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = importances[i] * loss.derivative(0, labels[i]);
        }
        return all;
    }

    /// The slopes, those below 0 `falls` times and others `rises` times.
    double[] balanced(double falls, double rises) {
        return Arrays.stream(slopes).map(s -> s * (s < 0 ? falls : rises)).toArray();
    }

    /// A bound of the second derivative by the weight of a column, as long as that moves by `reach` at most and no
    /// other moves; or whatever moves, where that is asked for.
    double curvature(int column, double reach) {
        if (proven) {
            return isIntercept(column) ? Arrays.stream(most).sum() : data.dotSquare(column, most);
        }
        if (!isIntercept(column)) {
            return data.dotSquareWithin(column, bends, x -> loss.growth(x * reach), most);
        }
        double growth = loss.growth(reach);
        double sum = 0;
        for (int i = 0; i < bends.length; i++) {
            sum += Double.isInfinite(growth) ? most[i] : Math.min(growth * bends[i], most[i]);
        }
        return sum;
    }

    /// Sets the weights and outlooks of columns; `pulled` has both of each.
    void set(int[] columns, double[] pulled) {
        int[] moved = new int[columns.length];
        int count = 0;
        for (int k = 0; k < columns.length; k++) {
            int j = columns[k];
            double by = pulled[2 * k] - weights[j];
            weights[j] = pulled[2 * k];
            outlooks[j] = pulled[2 * k + 1];
            if (by != 0) {
                move(j, by);
                moved[count++] = j;
            }
        }
        changes++;
        for (int k = 0; k < count; k++) {
            refresh(moved[k]);
        }
    }

    private void move(int column, double by) {
        if (isIntercept(column)) {
            for (int i = 0; i < scores.length; i++) {
                scores[i] += by;
            }
        } else {
            data.add(column, by, scores);
        }
    }

    /// Refreshes the rows of a column, those that were not for the same change.
    private void refresh(int column) {
        if (isIntercept(column)) {
            refreshAll();
            return;
        }
        for (int e = data.starts()[column]; e < data.starts()[column + 1]; e++) {
            int i = data.row(e);
            if (refreshed[i] != changes) {
                refreshed[i] = changes;
                differentiate(i);
            }
        }
    }

    /// Scores anew, from the weights alone: sums of many small changes drift.
    void scoreAgain() {
        Arrays.fill(scores, weights[data.count()]);
        for (int j = 0; j < data.count(); j++) {
            if (weights[j] != 0) {
                data.add(j, weights[j], scores);
            }
        }
        refreshAll();
    }

    private void refreshAll() {
        for (int i = 0; i < scores.length; i++) {
            differentiate(i);
        }
    }

    private void differentiate(int i) {
        slopes[i] = importances[i] * loss.derivative(scores[i], labels[i]);
        bends[i] = importances[i] * loss.curvature(scores[i], labels[i]);
    }

    /// The stream's part of a lower bound of the objective, of the dual problem (Fenchel): −Σ loss* of the slopes,
    /// made feasible by three factors.
    double dual(double falls, double rises, double scale) {
        double sum = 0;
        for (int i = 0; i < slopes.length; i++) {
            if (importances[i] > 0) {
                double slope = slopes[i] / importances[i];
                sum -= importances[i] * loss.conjugate(scale * slope * (slope < 0 ? falls : rises), labels[i]);
            }
        }
        return sum;
    }

    /// Σ of the slopes below 0, without their sign.
    double falls() {
        return Arrays.stream(slopes).map(slope -> Math.max(0, -slope)).sum();
    }

    double rises() {
        return Arrays.stream(slopes).map(slope -> Math.max(0, slope)).sum();
    }

    /// The training loss of the stream.
    double loss() {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += importances[i] * loss.value(scores[i], labels[i]);
        }
        return sum;
    }
}
