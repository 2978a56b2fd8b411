package tandem;

/// Which examples go to which stream, and so to which worker.
public enum Placement {

    /// Any to any, by chance.
    ANY("any"),

    /// Those that have many features in common to the same one, so that its batches have fewer features.
    PARSA("parsa");

    private final String label;

    Placement(String label) {
        this.label = label;
    }

    /// The name on the command line.
    public String label() {
        return label;
    }
}
