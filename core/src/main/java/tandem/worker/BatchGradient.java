package tandem.worker;

import tandem.data.Batch;
import tandem.wire.Values;

/// The weights of a batch's keys as they were pulled, the scores that they give to its rows, and how the loss wants
/// them changed. Used for one batch after another; belongs to one thread.
sealed interface BatchGradient permits LinearGradient, FactorGradient {

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

    /// What is pushed.
    Values gradients(Batch batch);
}
