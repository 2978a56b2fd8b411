package tandem.problem;

/// The numbers from `low` to `high`: those that a regression has seen, and beyond which it predicts nothing.
public record Span(double low, double high) {

    /// All numbers.
    public static final Span ALL = new Span(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// No number yet.
    public static final Span NONE = new Span(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    /// The same and `number`.
    public Span with(double number) {
        return new Span(Math.min(low, number), Math.max(high, number));
    }

    /// The number of the span that is nearest to `number`.
    public double clip(double number) {
        return Math.max(low, Math.min(high, number));
    }
}
