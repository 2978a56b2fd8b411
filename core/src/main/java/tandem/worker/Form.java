package tandem.worker;

/// What the rows of a table are to the score of an example.
public sealed interface Form {

    /// The weight of a feature each.
    record Weights() implements Form {}

    /// The weight of a feature and, as far as it has them, its factors: a factorisation machine. The table has rows of
    /// lengths of their own.
    record Factors(int dimension) implements Form {}
}
