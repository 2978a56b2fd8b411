package tandem;

/// The labels of the data are not such as the job can learn: of one class, or not what the loss takes.
public final class UnfitLabels extends IllegalArgumentException {

    UnfitLabels(String message) {
        super(message);
    }
}
