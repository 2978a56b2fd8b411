package tandem.worker;

/// What a loop has seen: examples, their weight, and the weighted loss of each one before it was learned
/// (progressive validation), with the seconds spent computing, waiting for data, and packing and sending messages.
public record Learned(
        long examples,
        double weight,
        double loss,
        double computeSeconds,
        double waitSeconds,
        double communicationSeconds) {

    public static final Learned ZERO = new Learned(0, 0, 0, 0, 0);

    /// Of a loop that sends nothing.
    public Learned(long examples, double weight, double loss, double computeSeconds, double waitSeconds) {
        this(examples, weight, loss, computeSeconds, waitSeconds, 0);
    }

    /// Time spent packing and sending.
    static Learned communicated(double seconds) {
        return new Learned(0, 0, 0, 0, 0, seconds);
    }

    public Learned plus(Learned other) {
        return new Learned(
                examples + other.examples,
                weight + other.weight,
                loss + other.loss,
                computeSeconds + other.computeSeconds,
                waitSeconds + other.waitSeconds,
                communicationSeconds + other.communicationSeconds);
    }

    public Learned minus(Learned other) {
        return new Learned(
                examples - other.examples,
                weight - other.weight,
                loss - other.loss,
                computeSeconds - other.computeSeconds,
                waitSeconds - other.waitSeconds,
                communicationSeconds - other.communicationSeconds);
    }

    /// The same mean loss over examples that count once each, and those with whom nothing was learned as the others:
    /// what goes with a number of examples alone.
    public Learned byExample() {
        double all = weight > 0 ? examples * meanLoss() : 0;
        return new Learned(examples, examples, all, computeSeconds, waitSeconds, communicationSeconds);
    }

    /// Mean progressive loss; NaN before the first example.
    public double meanLoss() {
        return loss / weight;
    }
}
