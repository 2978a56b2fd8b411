package tandem.data;

/// What was generated. `bayesLogloss` and `bayesAuc` are those of the true probabilities on the labels
/// that were drawn: no model can be expected to do better on these rows. `distinctFeatures` is counted
/// to about 1 %; `bytes` is the size of the text before compression.
public record ClickSummary(
        long rows,
        long entries,
        long bytes,
        double clickRate,
        double bayesLogloss,
        double bayesAuc,
        long distinctFeatures) {}
