package tandem;

/// What factors take on servers, for the report.
///
/// @param dimension  how many a feature has
/// @param features   how many features have them
/// @param used       how many of those have them in the model: all but those whose weight went back to 0
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
}
