package tandem.worker;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.solver.Balance;

/// Examples without their features: labels, importances, the score of each, and what follows from that.
final class ScoredRows {

    private final Loss loss;
    private final double[] labels;
    private final double[] importances;

    /// To be set by whoever knows weights, before [#differentiate].
    final double[] scores;

    private final double[] slopes;

    ScoredRows(Columns data, ProximalTask task) {
        loss = task.loss();
        labels = new double[data.rows()];
        importances = new double[labels.length];
        scores = new double[labels.length];
        slopes = new double[labels.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = task.target().of(data.labels()[i]);
            importances[i] = data.weights()[i] * (labels[i] > 0 ? task.positiveWeight() : 1);
        }
    }

    int count() {
        return labels.length;
    }

    /// Takes the derivative of the loss by each score.
    void differentiate() {
        for (int i = 0; i < scores.length; i++) {
            slopes[i] = importances[i] * loss.derivative(scores[i], labels[i]);
        }
    }

    /// The derivative of the loss by each score.
    double[] slopes() {
        return slopes;
    }

    /// The slopes as a round wants them: those at zero weights, or those at the scores, balanced.
    double[] slopes(ProximalLoop.Round round) {
        if (round.origin()) {
            double[] there = new double[labels.length];
            for (int i = 0; i < there.length; i++) {
                there[i] = importances[i] * loss.derivative(0, labels[i]);
            }
            return there;
        }
        return round.balance().equals(Balance.NONE)
                ? slopes
                : Arrays.stream(slopes).map(round.balance()::scaled).toArray();
    }

    /// What the curvature of an example by a weight is at most, but for the squared value of the feature: its
    /// features hinder each other, so that it counts as often as it has some (Cauchy–Schwarz). The sum over
    /// examples then bounds the curvature by all weights together.
    double[] bounds(int[] features, boolean intercept) {
        double[] all = new double[labels.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = importances[i] * loss.maxCurvature() * (features[i] + (intercept ? 1 : 0));
        }
        return all;
    }

    /// The loss of the examples from one until before another.
    double loss(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += importances[i] * loss.value(scores[i], labels[i]);
        }
        return sum;
    }

    /// Σ of the slopes below 0, without their sign.
    double falls(int from, int to) {
        return Arrays.stream(slopes, from, to).map(s -> Math.max(0, -s)).sum();
    }

    double rises(int from, int to) {
        return Arrays.stream(slopes, from, to).map(s -> Math.max(0, s)).sum();
    }

    /// Their part of a lower bound of the objective, of the dual problem (Fenchel): −Σ loss* of the slopes, made
    /// feasible by the factors of a round.
    double dual(int from, int to, ProximalLoop.Round round) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            if (importances[i] > 0) {
                double slope = slopes[i] / importances[i];
                sum -= importances[i] * loss.conjugate(round.balance().scaled(round.scale() * slope), labels[i]);
            }
        }
        return sum;
    }
}
