package tandem.worker;

/// What a loop has seen: examples, their weight, and the weighted loss of each one before it was learned
/// (progressive validation), with the seconds spent computing and waiting for data.
public record Learned(long examples, double weight, double loss, double computeSeconds, double waitSeconds) {

    public static final Learned ZERO = new Learned(0, 0, 0, 0, 0);

    public Learned plus(Learned other) {
        return new Learned(
                examples + other.examples,
                weight + other.weight,
                loss + other.loss,
                computeSeconds + other.computeSeconds,
                waitSeconds + other.waitSeconds);
    }

    public Learned minus(Learned other) {
        return new Learned(
                examples - other.examples,
                weight - other.weight,
                loss - other.loss,
                computeSeconds - other.computeSeconds,
                waitSeconds - other.waitSeconds);
    }

    /// Mean progressive loss; NaN before the first example.
    public double meanLoss() {
        return loss / weight;
    }
}
