package tandem.worker;

import java.util.Arrays;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.solver.Balance;
import tandem.solver.DualStep;

/// The examples of a stream as dual coordinate ascent sees them: each has a slope, which says how much and which way it
/// pulls at the weights of its features. Pulls of all streams together make the weights, and each stream knows what its
/// own examples change.
///
/// One stream of `streams` counts each of its changes so many times, as if all did the same: then what comes of adding
/// up all changes is no worse than the mean of what each sees (CoCoA+, Ma et al. 2015). One stream alone is plain dual
/// coordinate ascent.
final class DualRows {

    private final StreamRows data;
    private final DualTask task;
    private final double[] labels;
    private final double[] importances;

    /// By row: the squared length of its features.
    private final double[] squares;

    /// By row: the slope, for an importance of 1.
    final double[] slopes;

    /// By key: the pull as all streams know it, and as this one counts it, and the weight under that.
    final double[] pulls;

    private final double[] counted;
    private final double[] weights;

    DualRows(StreamRows data, DualTask task) {
        this.data = data;
        this.task = task;
        int rows = data.rows();
        labels = new double[rows];
        importances = new double[rows];
        squares = new double[rows];
        slopes = new double[rows];
        pulls = new double[data.keys().length];
        counted = new double[pulls.length];
        weights = new double[pulls.length];
        for (int i = 0; i < rows; i++) {
            labels[i] = task.target().of(data.labels()[i]);
            importances[i] = data.weights()[i] * (labels[i] > 0 ? task.positiveWeight() : 1);
            for (int e = data.starts()[i]; e < data.starts()[i + 1]; e++) {
                squares[i] += (double) data.values()[e] * data.values()[e];
            }
        }
    }

    StreamRows data() {
        return data;
    }

    /// Counts pulls as all know them.
    void settle() {
        Separable penalty = task.penalty();
        for (int j = 0; j < pulls.length; j++) {
            counted[j] = pulls[j];
            weights[j] = penalty.weightUnder(pulls[j]);
        }
    }

    private double score(int row) {
        double sum = 0;
        for (int e = data.starts()[row]; e < data.starts()[row + 1]; e++) {
            sum += weights[data.slots()[e]] * data.values()[e];
        }
        return sum;
    }

    /// Moves the slopes of all rows once, in an order that is drawn by chance, and counts what that changes.
    ///
    /// @param streams  how often this stream counts its changes
    /// @param at       the intercept as the pass begins, and how strongly it is held there
    void pass(int streams, DualLoop.Intercept at, long seed) {
        int[] order = BlockTask.order(labels.length, seed);
        Loss loss = task.loss();
        double l2 = task.penalty().l2();
        double held = task.intercept() ? 1 / at.strength() : 0;
        double intercept = at.value();
        for (int i : order) {
            double importance = importances[i];
            if (importance == 0) {
                continue;
            }
            double q = streams * importance * (squares[i] / l2 + held);
            double slope = DualStep.slope(loss, slopes[i], intercept + score(i), q, labels[i]);
            double change = importance * (slope - slopes[i]);
            if (change != 0) {
                slopes[i] = slope;
                pull(i, -streams * change);
                intercept -= streams * change * held;
            }
        }
    }

    private void pull(int row, double by) {
        Separable penalty = task.penalty();
        for (int e = data.starts()[row]; e < data.starts()[row + 1]; e++) {
            int j = data.slots()[e];
            counted[j] += by * data.values()[e];
            weights[j] = penalty.weightUnder(counted[j]);
        }
    }

    /// What the rows changed of each pull since [#settle], which was counted so many times.
    double[] changes(int streams) {
        double[] changes = new double[pulls.length];
        Arrays.setAll(changes, j -> (counted[j] - pulls[j]) / streams);
        return changes;
    }

    /// Scales slopes below 0 and above, and counts what that changes.
    void balance(Balance by) {
        for (int i = 0; i < slopes.length; i++) {
            double scaled = by.scaled(slopes[i]);
            if (scaled != slopes[i]) {
                pull(i, importances[i] * (slopes[i] - scaled));
                slopes[i] = scaled;
            }
        }
    }

    /// Takes the slopes that the loss has at the weights.
    void takeSlopes(double intercept) {
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = task.loss().derivative(intercept + score(i), labels[i]);
        }
    }

    /// Counts what all slopes pull by, and nothing else.
    void gather() {
        Arrays.fill(pulls, 0);
        settle();
        for (int i = 0; i < slopes.length; i++) {
            pull(i, -importances[i] * slopes[i]);
        }
    }

    /// What their slopes sum up to, below 0 and above.
    DualLoop.Sums balance(int stream) {
        double falls = 0;
        double rises = 0;
        for (int i = 0; i < slopes.length; i++) {
            falls += importances[i] * Math.max(0, -slopes[i]);
            rises += importances[i] * Math.max(0, slopes[i]);
        }
        return new DualLoop.Sums(stream, Double.NaN, Double.NaN, falls, rises, 0, 0);
    }

    /// What the rows sum up to at the weights that pulls lead to.
    DualLoop.Sums sums(int stream, double intercept) {
        Loss loss = task.loss();
        double value = 0;
        double dual = 0;
        double lengths = 0;
        double all = 0;
        for (int i = 0; i < slopes.length; i++) {
            double importance = importances[i];
            if (importance > 0) {
                value += importance * loss.value(intercept + score(i), labels[i]);
                dual -= importance * loss.conjugate(slopes[i], labels[i]);
                lengths += importance * squares[i];
                all += importance;
            }
        }
        DualLoop.Sums both = balance(stream);
        return new DualLoop.Sums(stream, value, dual, both.falls(), both.rises(), lengths, all);
    }
}
