package tandem.data;

/// How text is laid out.
public sealed interface Format {

    /// Lines of `label id:value id:value …` (LIBSVM, SVMlight). Ids are kept as they stand.
    record LibSvm() implements Format {}

    /// What it is called on the command line.
    default String title() {
        return switch (this) {
            case LibSvm() -> "libsvm";
        };
    }

    /// Whether ids are hashes of text, so that a row may name one twice by chance.
    default boolean hashes() {
        return switch (this) {
            case LibSvm() -> false;
        };
    }
}
