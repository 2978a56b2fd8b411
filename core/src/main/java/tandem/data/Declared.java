package tandem.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a user says about the columns of a table; what is left unsaid is found out from the first rows.
///
/// Columns go by the name in the header, or by number counted from 1.
public record Declared(Map<String, Column.Kind> kinds) {

    /// Nothing declared.
    public static final Declared NONE = new Declared(Map.of());

    public Declared {
        kinds = Collections.unmodifiableMap(new LinkedHashMap<>(kinds));
    }

    /// Reads declarations such as `click=label,id=ignore,3-15=number`.
    public static Declared parse(String text) {
        Map<String, Column.Kind> kinds = new LinkedHashMap<>();
        for (String item : text.split(",")) {
            int equals = item.lastIndexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("column '" + item.strip()
                        + "'; declare columns as name=kind or number=kind, such as click=label,3-15=number");
            }
            Column.Kind kind = kind(item.substring(equals + 1).strip());
            String name = item.substring(0, equals).strip();
            if (name.matches("[0-9]{1,6}-[0-9]{1,6}")) {
                int dash = name.indexOf('-');
                int last = Integer.parseInt(name.substring(dash + 1));
                for (int number = Integer.parseInt(name.substring(0, dash)); number <= last; number++) {
                    put(kinds, Integer.toString(number), kind);
                }
            } else {
                put(kinds, name, kind);
            }
        }
        return new Declared(kinds);
    }

    private static void put(Map<String, Column.Kind> kinds, String name, Column.Kind kind) {
        Column.Kind before = kinds.put(name, kind);
        if (before != null && before != kind) {
            throw twice(name, before, kind);
        }
    }

    private static IllegalArgumentException twice(String name, Column.Kind one, Column.Kind other) {
        return new IllegalArgumentException("column " + name + " is declared as "
                + one.name().toLowerCase(Locale.ROOT) + " and as "
                + other.name().toLowerCase(Locale.ROOT)
                + "; declare it once");
    }

    private static Column.Kind kind(String word) {
        for (Column.Kind kind : Column.Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "'" + word + "' as kind of a column; use label, weight, category, number or ignore");
    }

    /// What was declared about column `index` (from 0) called `name`, or null.
    Column.Kind kind(String name, int index) {
        Column.Kind byName = kinds.get(name);
        return byName != null ? byName : kinds.get(Integer.toString(index + 1));
    }

    /// Refuses declarations about columns that are not there, and different ones by name and by number.
    void check(List<String> names) {
        for (int c = 0; c < names.size(); c++) {
            Column.Kind byName = kinds.get(names.get(c));
            Column.Kind byNumber = kinds.get(Integer.toString(c + 1));
            if (byName != null && byNumber != null && byName != byNumber) {
                throw twice(names.get(c), byName, byNumber);
            }
        }
        for (String declared : kinds.keySet()) {
            boolean number = declared.matches("[0-9]{1,6}")
                    && Integer.parseInt(declared) >= 1
                    && Integer.parseInt(declared) <= names.size();
            if (!number && !names.contains(declared)) {
                throw new IllegalArgumentException("column " + declared + " is declared, but the data has the columns "
                        + String.join(", ", names.subList(0, Math.min(20, names.size())))
                        + (names.size() > 20 ? ", …" : "") + "; use one of these names, or a number from 1 to "
                        + names.size());
            }
        }
    }
}
