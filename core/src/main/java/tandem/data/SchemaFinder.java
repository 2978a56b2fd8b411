package tandem.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Works out the schema of a table from its first rows and what is declared about it.
///
/// Undeclared: the label is the column called label, click, target, y or class; without a header the only
/// column that does not hold numbers; otherwise the first. A column called id is ignored. A column whose
/// sampled values are all numbers or missing is a number, any other a category.
final class SchemaFinder {

    private static final int ROWS = Schema.SAMPLED_ROWS;

    private static final Set<String> LABELS = Set.of("label", "click", "clicked", "target", "y", "class");

    private SchemaFinder() {}

    /// The sampled values of a column.
    private static final class Sums {

        private final NumberSums numbers = new NumberSums();
        private int others;

        void add(byte[] text, int begin, int end) {
            if (!numbers.add(Decimal.parse(text, begin, end))) {
                others += Decimal.isMissing(text, begin, end) ? 0 : 1;
            }
        }

        boolean isNumber() {
            return others == 0 && !numbers.isEmpty();
        }
    }

    static Schema find(String name, byte[] sample, byte delimiter, Declared declared, long seed) throws BadData {
        Fields fields = new Fields();
        List<String> names = null;
        List<String> words = List.of();
        boolean header = false;
        Sums[] sums = null;
        int rows = 0;
        for (int at = 0; at < sample.length && rows < ROWS; ) {
            int line = at;
            if (Fields.isEmpty(sample, at, delimiter)) {
                at = Parser.nextLine(sample, at);
                continue;
            }
            try {
                at = fields.split(sample, at, delimiter);
            } catch (BadLine e) {
                // Left to the reader, which knows what to do with bad lines.
                at = Parser.nextLine(sample, line);
                rows++;
                continue;
            }
            if (names == null) {
                names = fields.texts(sample);
                words = line == 0 && areWords(names) ? List.copyOf(names) : List.of();
                header = !words.isEmpty() && twice(words) == null;
                sums = new Sums[names.size()];
                for (int c = 0; c < sums.length; c++) {
                    sums[c] = new Sums();
                }
                if (!header) {
                    for (int c = 0; c < names.size(); c++) {
                        names.set(c, Integer.toString(c + 1));
                    }
                }
                if (!words.isEmpty()) {
                    continue;
                }
            }
            rows++;
            if (fields.count() != sums.length) {
                continue;
            }
            for (int f = 0; f < sums.length; f++) {
                sums[f].add(sample, fields.begin(f), fields.end(f));
            }
        }
        if (!words.isEmpty() && !header) {
            refuseHeader(name, words, sums, declared);
            rows++;
            for (int c = 0; c < sums.length; c++) {
                sums[c].others += isMissing(words.get(c)) ? 0 : 1;
            }
        }
        if (names == null || rows == 0) {
            throw new BadData(name + ": no examples in it; name a file that holds at least one");
        }
        return schema(name, names, sums, header, (char) delimiter, declared, seed);
    }

    private static Schema schema(
            String file, List<String> names, Sums[] sums, boolean header, char delimiter, Declared declared, long seed)
            throws BadData {
        try {
            declared.check(names);
            int label = label(names, sums, header, declared);
            List<Column> columns = new ArrayList<>();
            for (int c = 0; c < names.size(); c++) {
                Column.Kind kind = declared.kind(names.get(c), c);
                if (kind == null) {
                    kind = c == label
                            ? Column.Kind.LABEL
                            : header && names.get(c).equalsIgnoreCase("id")
                                    ? Column.Kind.IGNORE
                                    : sums[c].isNumber() ? Column.Kind.NUMBER : Column.Kind.CATEGORY;
                }
                columns.add(
                        kind == Column.Kind.NUMBER
                                ? sums[c].numbers.column(names.get(c))
                                : Column.of(names.get(c), kind));
            }
            return new Schema(delimiter, header, columns, seed);
        } catch (IllegalArgumentException e) {
            throw new BadData(file + ": " + e.getMessage());
        }
    }

    /// A header has names only, none of them a number, and all different.
    private static boolean areWords(List<String> first) {
        for (String field : first) {
            byte[] text = field.getBytes(StandardCharsets.UTF_8);
            if (field.isEmpty() || !Double.isNaN(Decimal.parse(text, 0, text.length))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMissing(String word) {
        byte[] text = word.getBytes(StandardCharsets.UTF_8);
        return Decimal.isMissing(text, 0, text.length);
    }

    /// The first name that occurs again, or null.
    private static String twice(List<String> names) {
        Set<String> seen = new HashSet<>();
        return names.stream().filter(name -> !seen.add(name)).findFirst().orElse(null);
    }

    /// A first line of words of which one is repeated may be a row of categories; not if it names the label or a
    /// declared column, or if one of its words stands over numbers.
    private static void refuseHeader(String file, List<String> words, Sums[] sums, Declared declared) throws BadData {
        for (int c = 0; c < sums.length; c++) {
            String word = words.get(c);
            if (sums[c].isNumber() && !isMissing(word)
                    || isLabel(word)
                    || declared.kinds().containsKey(word)) {
                throw new BadData(file + ":1: the header has two columns " + twice(words) + "; rename one of them");
            }
        }
    }

    /// Whether a column of this name is the label.
    static boolean isLabel(String name) {
        return LABELS.contains(name.toLowerCase(Locale.ROOT));
    }

    private static int label(List<String> names, Sums[] sums, boolean header, Declared declared) {
        int text = -1;
        int texts = 0;
        for (int c = 0; c < names.size(); c++) {
            if (declared.kind(names.get(c), c) == Column.Kind.LABEL) {
                return -1;
            }
        }
        for (int c = 0; c < names.size(); c++) {
            if (declared.kind(names.get(c), c) != null) {
                continue;
            }
            if (header && isLabel(names.get(c))) {
                return c;
            }
            if (!sums[c].isNumber()) {
                text = c;
                texts++;
            }
        }
        if (!header && texts == 1) {
            return text;
        }
        int first = 0;
        while (first < names.size()
                && (declared.kind(names.get(first), first) != null
                        || header && names.get(first).equalsIgnoreCase("id"))) {
            first++;
        }
        return first;
    }
}
