package tandem.worker;

/// What a label in a batch means to the loss.
@FunctionalInterface
public interface Target {

    double of(double label);

    /// The number itself, for regression.
    static Target number() {
        return label -> label;
    }

    /// +1 for the class that batches carry as `code`, -1 for every other.
    static Target against(double code) {
        return label -> label == code ? 1 : -1;
    }
}
