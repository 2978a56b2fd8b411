package tandem.data;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// How the columns of a table become examples. A model keeps the schema it was trained with, so that other data
/// is read the same way.
///
/// `seed` is that of the hashes that make ids from the names of columns and the values of categories.
public record Schema(char delimiter, boolean header, List<Column> columns, long seed) {

    /// How many rows means and deviations are taken from.
    public static final int SAMPLED_ROWS = 10_000;

    private static final int SHOWN = 30;

    public Schema {
        columns = List.copyOf(columns);
        if (delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter >= 128) {
            throw new IllegalArgumentException(
                    "columns separated by '" + delimiter + "'; use a comma, tab, semicolon or another plain character");
        }
        Set<String> names = new HashSet<>();
        int labels = 0;
        for (Column column : columns) {
            labels += column.kind() == Column.Kind.LABEL ? 1 : 0;
            if (!names.add(column.name())) {
                throw new IllegalArgumentException("two columns are called " + column.name() + "; rename one of them");
            }
        }
        if (labels != 1) {
            throw new IllegalArgumentException(
                    labels + " label columns; declare exactly one, as in --columns click=label");
        }
    }

    /// What the columns are taken as, in a line; of each kind the first few.
    public String summary() {
        StringBuilder text = new StringBuilder("columns: label ");
        for (Column.Kind kind : Column.Kind.values()) {
            List<String> names = columns.stream()
                    .filter(column -> column.kind() == kind)
                    .map(Column::name)
                    .toList();
            if (names.isEmpty()) {
                continue;
            }
            text.append(
                    switch (kind) {
                        case LABEL -> "";
                        case WEIGHT -> "; weight ";
                        case CATEGORY -> "; categories ";
                        case NUMBER -> "; numbers ";
                        case IGNORE -> "; ignored ";
                    });
            text.append(String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))));
            text.append(names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
        }
        return text.toString();
    }
}
