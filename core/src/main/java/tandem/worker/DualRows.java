package tandem.worker;

import tandem.problem.Loss;
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

    /// Numbers that are pulled and pushed for a key.
    private static final int ENTRIES = 2;

    private final StreamRows data;
    private final DualTask task;
    private final double[] labels;
    private final double[] importances;

    /// By row: how far its score moves when its slope does, through all features.
    private final double[] squares;

    /// Whether it is known: it follows from how firmly weights are held, which does not change any more then.
    private boolean measured;

    /// By row: the slope, for an importance of 1.
    final double[] slopes;

    /// By key: the pull as all streams know it, and how firmly the weight is held.
    final double[] pulls;

    /// By key: the pull as this stream counts it, and the weight under that.
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
        pulls = new double[ENTRIES * data.keys().length];
        counted = new double[data.keys().length];
        weights = new double[counted.length];
        for (int i = 0; i < rows; i++) {
            labels[i] = task.target().of(data.labels()[i]);
            importances[i] = data.weights()[i] * (labels[i] > 0 ? task.positiveWeight() : 1);
        }
    }

    StreamRows data() {
        return data;
    }

    /// Counts pulls as all know them.
    void settle() {
        for (int j = 0; j < counted.length; j++) {
            counted[j] = pulls[ENTRIES * j];
            weights[j] = weight(j);
        }
        if (!measured) {
            measure();
        }
    }

    private double weight(int key) {
        return task.penalty().weightUnder(counted[key], pulls[ENTRIES * key + 1]);
    }

    private void measure() {
        double l2 = task.penalty().l2();
        for (int i = 0; i < squares.length; i++) {
            squares[i] = 0;
            for (int e = data.starts()[i]; e < data.starts()[i + 1]; e++) {
                double x = data.values()[e];
                squares[i] += x * x / (l2 + pulls[ENTRIES * data.slots()[e] + 1]);
            }
        }
        measured = pulls.length > 0 && pulls[1] > 0;
    }

    /// By key, what tells how firmly to hold the weight: see [tandem.solver.DualPull]. A loss that bends little needs
    /// less of it: logistic loss on a9a takes 57 passes instead of 26 if held as firmly as others.
    double[] holds() {
        double[] holds = new double[pulls.length];
        double bend = Math.min(1, task.loss().maxCurvature());
        for (int i = 0; i < labels.length; i++) {
            double times = bend * importances[i] * (data.starts()[i + 1] - data.starts()[i]);
            for (int e = data.starts()[i]; e < data.starts()[i + 1]; e++) {
                int at = ENTRIES * data.slots()[e];
                holds[at] += times * data.values()[e] * data.values()[e];
                holds[at + 1]++;
            }
        }
        measured = false;
        return holds;
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
        double held = task.intercept() ? 1 / at.strength() : 0;
        double intercept = at.value();
        for (int i : order) {
            double importance = importances[i];
            if (importance == 0) {
                continue;
            }
            double q = streams * importance * (squares[i] + held);
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
        for (int e = data.starts()[row]; e < data.starts()[row + 1]; e++) {
            int j = data.slots()[e];
            counted[j] += by * data.values()[e];
            weights[j] = weight(j);
        }
    }

    /// What the rows changed of each pull since [#settle], which was counted so many times; and what becomes of
    /// weights.
    double[] changes(int streams, double moves) {
        double[] changes = new double[pulls.length];
        for (int j = 0; j < counted.length; j++) {
            changes[ENTRIES * j] = (counted[j] - pulls[ENTRIES * j]) / streams;
            changes[ENTRIES * j + 1] = moves;
        }
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
        for (int j = 0; j < counted.length; j++) {
            pulls[ENTRIES * j] = 0;
        }
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
