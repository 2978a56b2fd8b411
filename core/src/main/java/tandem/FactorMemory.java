package tandem;

import java.io.IOException;
import java.util.Optional;
import tandem.data.Batch;
import tandem.data.Batches;

/// What factors take on servers, for the report.
///
/// @param dimension  how many a feature has
/// @param features   how many features have them
/// @param used       how many of those have them in the model: all but those whose factors the penalty made 0
/// @param bytes      of factors and what their update rule remembers of each
/// @param plainBytes the same if every feature had them
record FactorMemory(int dimension, long features, long used, long bytes, long plainBytes) {

    /// A factor and the root of its summed squared gradients.
    private static final long BYTES = 2L * Float.BYTES;

    static FactorMemory of(int dimension, WeightSums all) {
        WeightSums.Factors factors = all.factors();
        return new FactorMemory(
                dimension,
                factors.held(),
                factors.used(),
                factors.held() * dimension * BYTES,
                all.rows() * dimension * BYTES);
    }

    /// What to say if factors were wanted and nothing came of it.
    ///
    /// @param threshold how often a feature had to come
    /// @param data      what was learned from
    Optional<String> whyLinear(int threshold, Batches data) throws IOException {
        if (dimension == 0 || used > 0) {
            return Optional.empty();
        }
        if (!hasPairs(data)) {
            return Optional.of("rows have one feature each, so there are no pairs and the model is linear");
        }
        return Optional.of(
                features == 0
                        ? "no feature came " + threshold + " times and has a weight, so none has factors and the model"
                                + " is linear; a lower --threshold, or --solver fm, gives them some"
                        : "all factors are 0, so the model is linear: pairs were not worth the penalty; a weaker"
                                + " --factor-group or --factor-l2 leaves them more");
    }

    /// Whether any row has two features; most data tells with its first batch.
    private static boolean hasPairs(Batches data) throws IOException {
        Batches.Pass pass = data.pass(0, 0);
        Batch batch = new Batch();
        while (pass.next(batch)) {
            for (int row = 0; row < batch.rows(); row++) {
                if (batch.starts()[row + 1] - batch.starts()[row] > 1) {
                    return true;
                }
            }
        }
        return false;
    }
}
