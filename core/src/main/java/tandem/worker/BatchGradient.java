package tandem.worker;

import tandem.data.Batch;
import tandem.problem.Loss;
import tandem.wire.Values;

/// The weights of a batch's keys as they were pulled, the scores that they give to its rows, and how the loss wants
/// them changed. Used for one batch after another; belongs to one thread.
sealed interface BatchGradient permits LinearGradient, FactorGradient, AveragingSteps {

    /// Makes room for the weights of a batch, which come into what is returned.
    Values weights(Batch batch);

    /// Begins with the gradient, once the weights are there.
    ///
    /// @param first whether it is of the first pass
    void clear(Batch batch, boolean first);

    /// The score of a row.
    double score(Batch batch, int row, float intercept);

    /// Adds `slope` times the derivative of the score of the row that was scored last.
    void spread(Batch batch, int row, float slope);

    /// Adds the gradient of the loss of rows `from` until `to`, and that of the intercept to `interceptGradient`.
    default Learned add(MinibatchTask task, Batch batch, int from, int to, float intercept, float[] interceptGradient) {
        Loss loss = task.loss();
        double lossSum = 0;
        double weightSum = 0;
        for (int row = from; row < to; row++) {
            double label = task.target().of(batch.labels()[row]);
            double importance = batch.weights()[row] * (label > 0 ? task.positiveWeight() : 1);
            double score = score(batch, row, intercept);
            lossSum += importance * loss.value(score, label);
            weightSum += importance;
            float slope = (float) (importance * loss.derivative(score, label));
            interceptGradient[0] += slope;
            spread(batch, row, slope);
        }
        return new Learned(to - from, weightSum, lossSum, 0, 0);
    }

    /// What is pushed.
    Values gradients(Batch batch);
}
