package tandem.worker;

import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.data.Batch;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// The subproblem of efficient minibatch optimisation (EMSO; Li, Zhang, Chen and Smola, KDD 2014): find weights
/// that do well on one batch without going far from where they are,
///
///     minimise Σ loss(xᵀw) + h(w) + γ/2·‖w − w⁰‖² over the rows of the batch, from w = w⁰,
///
/// by some steps of gradient descent, or by going through the coordinates in random order. The *conservative* last
/// term is what keeps a large batch from being overfitted. The intercept is the last coordinate, without a penalty.
///
/// Its arrays are used for one batch after another; belongs to one thread.
final class Subproblem {

    /// How far a coordinate moves at once, at most: its curvature is that of where it is.
    private static final double REACH = 1;

    /// How often a gradient step is shortened before it is given up.
    private static final int SHORTENED = 60;

    private Batch batch;
    private Loss loss;
    private Separable penalty;
    private double gamma;

    /// Coordinates, with the intercept if there is one, and without.
    private int count;

    private int keys;

    private double[] start = {};
    private double[] weights = {};
    private double[] gradient = {};
    private double[] next = {};

    /// By row.
    private double[] scores = {};

    private double[] labels = {};
    private double[] importance = {};

    /// The batch by columns: entries of coordinate j are those from `columns[j]` until `columns[j + 1]`.
    private int[] columns = {};

    private int[] rows = {};
    private float[] values = {};
    private int[] order = {};

    /// @param weights as they are now, by position in the batch's list of keys
    void begin(MinibatchTask task, Batch batch, float[] weights, float intercept, double gamma, Separable penalty) {
        this.batch = batch;
        this.loss = task.loss();
        this.gamma = gamma;
        this.penalty = penalty;
        keys = batch.keyCount();
        count = keys + (task.intercept() < 0 ? 0 : 1);
        makeRoom();
        for (int j = 0; j < keys; j++) {
            start[j] = weights[j];
        }
        start[keys] = intercept;
        System.arraycopy(start, 0, this.weights, 0, keys + 1);
        for (int row = 0; row < batch.rows(); row++) {
            labels[row] = task.target().of(batch.labels()[row]);
            importance[row] = batch.weights()[row] * (labels[row] > 0 ? task.positiveWeight() : 1);
        }
        score(this.weights);
    }

    /// How far coordinate j has moved; the intercept is the one after those of the keys.
    double moved(int j) {
        return weights[j] - start[j];
    }

    /// What is known of the batch at the weights it began with.
    Learned learned() {
        double lossSum = 0;
        double weightSum = 0;
        for (int row = 0; row < batch.rows(); row++) {
            lossSum += importance[row] * loss.value(scores[row], labels[row]);
            weightSum += importance[row];
        }
        return new Learned(batch.rows(), weightSum, lossSum, 0, 0);
    }

    /// Steps of gradient descent, w ← argmin g·w + h(w) + γ/2·‖w − w⁰‖² + σ/2·‖w − now‖². The first is tried with
    /// σ = 0, which is a step of minibatch SGD of length 1/γ; while that does not lower the objective, σ is raised.
    ///
    /// @param enough ends once the gradient is this part of what it was
    void descend(int steps, double enough) {
        double sigma = 0;
        double objective = objective(weights);
        double first = 0;
        for (int step = 0; step < steps; step++) {
            findGradient();
            double left = residual();
            first = step == 0 ? left : first;
            if (step > 0 && left <= enough * first) {
                return;
            }
            int tried = 0;
            double reached;
            do {
                for (int j = 0; j < count; j++) {
                    double inverse = gamma + sigma;
                    next[j] = prox(j, (gamma * start[j] + sigma * weights[j] - gradient[j]) / inverse, inverse);
                }
                score(next);
                reached = objective(next);
                sigma = reached > objective ? Math.max(2 * sigma, gamma) : sigma;
            } while (reached > objective && ++tried < SHORTENED);
            if (reached > objective) {
                score(weights);
                return;
            }
            double[] before = weights;
            weights = next;
            next = before;
            objective = reached;
        }
    }

    /// Passes over the coordinates in random order: each takes a Newton step by itself, and scores follow at once.
    ///
    /// @param enough as in [#descend]
    void cycle(int passes, double enough, long seed) {
        byColumns();
        SplittableRandom chance = new SplittableRandom(seed);
        double first = passes == 1 ? 0 : residualAnew();
        for (int pass = 0; pass < passes; pass++) {
            if (pass > 0 && enough > 0 && residualAnew() <= enough * first) {
                return;
            }
            for (int k = count - 1; k > 0; k--) {
                int other = chance.nextInt(k + 1);
                int swapped = order[k];
                order[k] = order[other];
                order[other] = swapped;
            }
            for (int k = 0; k < count; k++) {
                move(order[k]);
            }
        }
    }

    private void move(int j) {
        double slope = gamma * (weights[j] - start[j]);
        double curvature = gamma;
        for (int at = columns[j]; at < columns[j + 1]; at++) {
            int row = rows[at];
            double x = values[at];
            slope += importance[row] * x * loss.derivative(scores[row], labels[row]);
            curvature += importance[row] * x * x * Math.max(0, loss.curvature(scores[row], labels[row]));
        }
        double to = prox(j, weights[j] - slope / curvature, curvature);
        double step = Math.clamp(to - weights[j], -REACH, REACH);
        weights[j] += step;
        for (int at = columns[j]; step != 0 && at < columns[j + 1]; at++) {
            scores[rows[at]] += values[at] * step;
        }
    }

    private double residualAnew() {
        findGradient();
        return residual();
    }

    /// The Euclidean length of the subproblem's gradient at the weights, the loss's part of which is there; of the
    /// shortest one where the penalty has a kink.
    private double residual() {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            double slope = gradient[j] + gamma * (weights[j] - start[j]);
            double residual = j == keys ? Math.abs(slope) : penalty.residual(weights[j], slope);
            sum += residual * residual;
        }
        return Math.sqrt(sum);
    }

    private double prox(int j, double z, double inverse) {
        return j == keys ? z : penalty.prox(z, 1 / inverse);
    }

    private void findGradient() {
        Arrays.fill(gradient, 0, keys + 1, 0);
        for (int row = 0; row < batch.rows(); row++) {
            double slope = importance[row] * loss.derivative(scores[row], labels[row]);
            gradient[keys] += slope;
            for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                gradient[batch.positions()[at]] += slope * batch.values()[at];
            }
        }
    }

    /// The objective at weights whose scores are there.
    double objective(double[] at) {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            double moved = at[j] - start[j];
            sum += gamma / 2 * moved * moved + (j == keys ? 0 : penalty.value(at[j]));
        }
        for (int row = 0; row < batch.rows(); row++) {
            sum += importance[row] * loss.value(scores[row], labels[row]);
        }
        return sum;
    }

    private void score(double[] at) {
        for (int row = 0; row < batch.rows(); row++) {
            double sum = at[keys];
            for (int entry = batch.starts()[row]; entry < batch.starts()[row + 1]; entry++) {
                sum += at[batch.positions()[entry]] * batch.values()[entry];
            }
            scores[row] = sum;
        }
    }

    private void byColumns() {
        int entries = batch.starts()[batch.rows()];
        Arrays.fill(columns, 0, keys + 2, 0);
        for (int at = 0; at < entries; at++) {
            columns[batch.positions()[at] + 1]++;
        }
        for (int j = 0; j < keys; j++) {
            columns[j + 1] += columns[j];
            order[j] = j;
        }
        order[keys] = keys;
        int[] next = Arrays.copyOf(columns, keys);
        for (int row = 0; row < batch.rows(); row++) {
            for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                int place = next[batch.positions()[at]]++;
                rows[place] = row;
                values[place] = batch.values()[at];
            }
        }
        for (int row = 0; row < batch.rows(); row++) {
            rows[entries + row] = row;
            values[entries + row] = 1;
        }
        columns[keys + 1] = entries + batch.rows();
    }

    private void makeRoom() {
        if (start.length <= keys) {
            int room = keys + 1 + (keys >> 2);
            start = new double[room];
            weights = new double[room];
            gradient = new double[room];
            next = new double[room];
            columns = new int[room + 1];
            order = new int[room];
        }
        if (scores.length < batch.rows()) {
            scores = new double[batch.rows()];
            labels = new double[batch.rows()];
            importance = new double[batch.rows()];
        }
        int entries = batch.starts()[batch.rows()] + batch.rows();
        if (rows.length < entries) {
            rows = new int[entries + (entries >> 2)];
            values = new float[rows.length];
        }
    }
}
