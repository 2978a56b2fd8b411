package tandem.data;

/// What to make of the labels in the data.
public sealed interface LabelRule {

    /// Find out what labels there are.
    record Collect() implements LabelRule {}

    /// Expect these, as when a model is tried on other data; a label that is not among them is a bad line. Where they
    /// are too many to list, any number is among them.
    record Expect(Labels labels) implements LabelRule {}

    /// Tell one label from all others: it is 1, and every other is 0.
    record Against(String positive) implements LabelRule {}

    /// Do not look at them, as when predicting; every label is NaN.
    record Ignore() implements LabelRule {}
}
