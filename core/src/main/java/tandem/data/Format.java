package tandem.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// How text is laid out. A model keeps the format it was trained from, as JSON.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Format.LibSvm.class, name = "libsvm"),
    @JsonSubTypes.Type(value = Format.Criteo.class, name = "criteo"),
    @JsonSubTypes.Type(value = Format.Table.class, name = "table"),
    @JsonSubTypes.Type(value = Format.Unknown.class, name = "unknown")
})
public sealed interface Format {

    /// Lines of `label id:value id:value …` (LIBSVM, SVMlight). Ids are kept as they stand.
    record LibSvm() implements Format {}

    /// The Criteo click logs: label, 13 counts and 26 categories, separated by tabs. `seed` is that of the hashes.
    record Criteo(long seed) implements Format {}

    /// Lines of columns (CSV, TSV).
    record Table(Schema schema) implements Format {}

    /// What tables may separate columns by.
    String DELIMITERS = "\t,;|";

    String TAB = "\t";

    /// To be found out from the first rows: one of the others, or if `table` is true surely a table, whose columns
    /// one of the `delimiters` separates. `columns` is what is known about them, `seed` that of the hashes.
    record Unknown(boolean table, String delimiters, Declared columns, long seed) implements Format {}

    /// Whatever the first lines look like.
    static Format unknown() {
        return new Unknown(false, DELIMITERS, Declared.NONE, 0);
    }

    /// A table of which `columns` are declared.
    static Format table(Declared columns) {
        return new Unknown(true, DELIMITERS, columns, 0);
    }

    /// A table with tabs between its columns, some of which are declared.
    static Format tabs(Declared columns) {
        return new Unknown(true, TAB, columns, 0);
    }

    /// What it is called on the command line.
    @JsonIgnore
    default String title() {
        return switch (this) {
            case LibSvm() -> "libsvm";
            case Criteo(long _) -> "criteo";
            case Table(Schema schema) -> schema.delimiter() == '\t' ? "tsv" : "csv";
            case Unknown(boolean table, String delimiters, Declared _, long _) ->
                !table ? "auto" : delimiters.equals(TAB) ? "tsv" : "csv";
        };
    }

    /// Whether ids are hashes of text, so that a row may name one twice by chance.
    @JsonIgnore
    default boolean hashes() {
        return !(this instanceof LibSvm);
    }
}
