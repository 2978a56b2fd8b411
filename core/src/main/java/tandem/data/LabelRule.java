package tandem.data;

/// What to make of the labels in the data.
public sealed interface LabelRule {

    /// Find out what labels there are.
    record Collect() implements LabelRule {}

    /// Expect these, as when a model is tried on other data; a name that is not among them is a bad line.
    record Expect(Labels labels) implements LabelRule {}

    /// Do not look at them, as when predicting; every label is NaN.
    record Ignore() implements LabelRule {}
}
