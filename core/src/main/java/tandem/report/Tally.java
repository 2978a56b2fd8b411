package tandem.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import tandem.problem.Diverged;

/// What is kept of predictions and labels until their [Metrics] are asked for.
///
/// A tally belongs to one thread. Threads that share a data set fill one each and [#merge] them.
public sealed interface Tally permits TwoClass, ManyClass, Numbers {

    /// How many examples were added.
    long examples();

    /// Adds all that `other` holds, which must be of the same kind; `other` is left as it was.
    void merge(Tally other);

    Metrics metrics();

    /// Writes all that it holds, for another process to [#read].
    void write(DataOutput to) throws IOException;

    /// Adds all that one of the same kind has written.
    void read(DataInput from) throws IOException;

    /// Refuses what would spoil every sum it enters.
    static void check(double score, double weight) {
        if (Double.isNaN(score)) {
            throw Diverged.weight("a score is NaN");
        }
        if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("an instance weight is " + weight + "; weights are numbers from 0 up");
        }
    }
}
