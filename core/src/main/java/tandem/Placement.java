package tandem;

/// Which examples go to which stream, and so to which worker, and which features to which server.
public enum Placement {

    /// Any to any, by chance.
    ANY("any"),

    /// Examples that have many features in common to the same worker, so that its batches have fewer features.
    EXAMPLES("examples"),

    /// The same, and features to the server beside the worker that needs them most.
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
