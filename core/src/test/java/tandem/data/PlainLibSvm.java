package tandem.data;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// LIBSVM lines read the plain way, as twin of [LibSvmParser].
final class PlainLibSvm {

    record Row(String label, float weight, List<Long> ids, List<Float> values) {}

    private PlainLibSvm() {}

    /// The row on `line`, null if it holds none; throws [IllegalArgumentException] if it is bad.
    static Row parse(String line) {
        String[] tokens = line.replaceAll("^[ \t\r]+", "").split("[ \t\r]+");
        if (tokens.length == 0 || tokens[0].isEmpty() || tokens[0].startsWith("#")) {
            return null;
        }
        int colon = tokens[0].indexOf(':');
        String label = colon < 0 ? tokens[0] : tokens[0].substring(0, colon);
        if (label.isEmpty()
                || label.contains(",")
                || label.matches("(?i)[+-]?(nan|inf|infinity)")
                || label.chars().anyMatch(c -> c < ' ')) {
            throw new IllegalArgumentException(label);
        }
        if (isNumber(label)) {
            if (Double.isInfinite(Double.parseDouble(label))) {
                throw new IllegalArgumentException(label);
            }
            label = LabelBook.text(Double.parseDouble(label) + 0.0);
        }
        float weight = colon < 0 ? 1 : number(tokens[0].substring(colon + 1));
        if (weight < 0) {
            throw new IllegalArgumentException(tokens[0]);
        }
        List<Long> ids = new ArrayList<>();
        List<Float> values = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (int t = 1; t < tokens.length && !tokens[t].startsWith("#"); t++) {
            if (tokens[t].matches("qid:[0-9]+")) {
                continue;
            }
            int split = tokens[t].indexOf(':');
            if (split < 1 || !tokens[t].substring(0, split).matches("[0-9]+")) {
                throw new IllegalArgumentException(tokens[t]);
            }
            long id = Long.parseUnsignedLong(tokens[t].substring(0, split));
            float value = number(tokens[t].substring(split + 1));
            if (value != 0) {
                if (!seen.add(id)) {
                    throw new IllegalArgumentException(tokens[t]);
                }
                ids.add(id);
                values.add(value);
            }
        }
        return new Row(label, weight, ids, values);
    }

    private static boolean isNumber(String text) {
        return text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    }

    private static float number(String text) {
        if (!isNumber(text)) {
            throw new IllegalArgumentException(text);
        }
        float value = (float) Double.parseDouble(text);
        if (Float.isInfinite(value)) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }
}
