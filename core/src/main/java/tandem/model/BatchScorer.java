package tandem.model;

import java.io.IOException;
import tandem.data.Batch;

/// What gives the rows of batches their scores, wherever its weights are: in memory, in files, or on servers.
public interface BatchScorer extends AutoCloseable {

    ModelCard card();

    /// How many weights that are not zero it can find at least; 0 if it cannot tell.
    long size();

    /// The scores of all rows of `batch`, row by row, all outputs of a row together, into `into`.
    void scores(Batch batch, double[] into) throws IOException;

    /// How many of the keys of `batch` have a weight.
    int known(Batch batch) throws IOException;

    /// The same for one more thread, where threads cannot share one.
    default BatchScorer forThread() {
        return this;
    }

    @Override
    default void close() throws IOException {}
}
