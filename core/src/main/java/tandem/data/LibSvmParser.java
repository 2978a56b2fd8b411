package tandem.data;

import java.util.Arrays;
import java.util.Optional;

/// Reads LIBSVM (SVMlight) lines: `label[:weight] [qid:n] id:value … [# comment]`.
///
/// Everything common (ids of up to 18 digits, short decimals, ascending ids) stays in one loop over the
/// bytes; odd tokens leave it. No bound is checked but Java's own, as a line always ends with a line feed.
final class LibSvmParser implements Parser {

    private final LabelReader labels;
    private long[] seen = new long[64];

    LibSvmParser(LabelReader labels) {
        this.labels = labels;
    }

    @Override
    public int line(byte[] text, int from, long place, Rows into) throws BadLine {
        int at = word(text, from);
        if (text[at] == '\n' || text[at] == '#') {
            return Parser.nextLine(text, at);
        }
        int labelEnd = tokenEnd(text, at);
        int colon = at;
        while (colon < labelEnd && text[colon] != ':') {
            colon++;
        }
        // Data to predict may come without labels: then the first word is a feature.
        boolean bare = colon < labelEnd && labels.ignores();
        double label = bare ? Double.NaN : label(text, at, colon);
        float weight = bare || colon == labelEnd ? 1 : weight(text, at, colon + 1, labelEnd);
        at = entries(text, bare ? at : labelEnd, into);
        into.end(label, weight, place);
        return text[at] == '\n' ? at + 1 : Parser.nextLine(text, at);
    }

    @Override
    public boolean isRow(byte[] text, int at) {
        int first = word(text, at);
        return text[first] != '\n' && text[first] != '#';
    }

    /// Adds the entries from `at` on; returns where the line feed or comment is.
    private int entries(byte[] text, int at, Rows into) throws BadLine {
        int begin = into.entries;
        int count = begin;
        long[] ids = into.ids;
        float[] values = into.values;
        boolean ascending = true;
        long last = Long.MIN_VALUE;
        while (true) {
            int c = text[at];
            while (c == ' ' || c == '\t' || c == '\r') {
                c = text[++at];
            }
            if (c == '\n' || c == '#') {
                break;
            }
            int first = at;
            long id = 0;
            int digit;
            while ((digit = text[at] - '0') >= 0 && digit <= 9) {
                id = id * 10 + digit;
                at++;
            }
            int length = at - first;
            if (text[at] != ':' || length == 0 || length > 18) {
                int end = tokenEnd(text, first);
                if (isQuery(text, first, end)) {
                    at = end;
                    continue;
                }
                at = colon(text, first, end);
                id = longId(text, first, at, end);
            }
            int start = ++at;
            float value;
            if (text[at] == '1' && isEnd(text[at + 1])) {
                value = 1;
                at++;
            } else {
                long digits = 0;
                boolean negative = text[at] == '-';
                if (negative) {
                    at++;
                }
                int whole = at;
                while ((digit = text[at] - '0') >= 0 && digit <= 9) {
                    digits = digits * 10 + digit;
                    at++;
                }
                int seen = at - whole;
                int fraction = 0;
                if (text[at] == '.') {
                    int point = ++at;
                    while ((digit = text[at] - '0') >= 0 && digit <= 9) {
                        digits = digits * 10 + digit;
                        at++;
                    }
                    fraction = at - point;
                    seen += fraction;
                }
                if (seen >= 1 && seen <= 18 && digits < Decimal.EXACT && isEnd(text[at])) {
                    double magnitude = digits / Decimal.TENS[fraction];
                    value = (float) (negative ? -magnitude : magnitude);
                } else {
                    int end = tokenEnd(text, start);
                    value = oddValue(text, start, end, id);
                    at = end;
                }
            }
            if (value != 0) {
                if (count == ids.length) {
                    into.growEntries();
                    ids = into.ids;
                    values = into.values;
                }
                long order = id ^ Long.MIN_VALUE;
                ascending &= order > last || count == begin;
                last = order;
                ids[count] = id;
                values[count++] = value;
            }
        }
        if (!ascending) {
            requireDistinct(ids, begin, count);
        }
        into.entries = count;
        return at;
    }

    private void requireDistinct(long[] ids, int from, int to) throws BadLine {
        int count = to - from;
        if (seen.length < count) {
            seen = new long[count * 2];
        }
        System.arraycopy(ids, from, seen, 0, count);
        Arrays.sort(seen, 0, count);
        for (int i = 1; i < count; i++) {
            if (seen[i] == seen[i - 1]) {
                throw new BadLine("feature " + Long.toUnsignedString(seen[i])
                        + " occurs twice; a row names each feature once. Add the two values up, or remove one");
            }
        }
    }

    /// What there is in this format that keeps a name of a class from being read as the same one; empty if nothing.
    static Optional<String> unreadable(String name) {
        if (name.isEmpty()) {
            return Optional.of("no label is empty");
        }
        if (name.startsWith("#")) {
            return Optional.of("a line that starts with # is a comment");
        }
        if (name.chars().anyMatch(c -> c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
            return Optional.of("white space ends a label");
        }
        if (name.contains(":")) {
            return Optional.of("a colon ends a label and the weight of the row follows");
        }
        if (name.contains(",")) {
            return Optional.of("a label has no comma");
        }
        return Optional.empty();
    }

    private double label(byte[] text, int from, int to) throws BadLine {
        for (int i = from; i < to; i++) {
            if (text[i] == ',') {
                throw new BadLine("label " + BadLine.quote(text, from, to)
                        + " has a comma; a LIBSVM row has one label. If these are columns, choose the CSV format");
            }
        }
        return labels.read(text, from, to);
    }

    private static float weight(byte[] text, int token, int from, int to) throws BadLine {
        float weight = (float) Decimal.parse(text, from, to);
        if (!(weight >= 0 && weight < Float.POSITIVE_INFINITY)) {
            throw new BadLine("the row starts with " + BadLine.quote(text, token, to)
                    + "; that reads as label:weight, and a weight must be a number ≥ 0."
                    + " If the row has no label, put one (such as 0) in front");
        }
        return weight;
    }

    private static boolean isQuery(byte[] text, int from, int to) throws BadLine {
        if (to - from < 4
                || text[from] != 'q'
                || text[from + 1] != 'i'
                || text[from + 2] != 'd'
                || text[from + 3] != ':') {
            return false;
        }
        for (int i = from + 4; i < to; i++) {
            if (text[i] < '0' || text[i] > '9') {
                throw new BadLine(BadLine.quote(text, from, to) + "; a query number is digits. Mend or remove it");
            }
        }
        return to > from + 4;
    }

    private static int colon(byte[] text, int from, int end) throws BadLine {
        for (int i = from; i < end; i++) {
            if (text[i] == ':') {
                return i;
            }
        }
        throw new BadLine("feature " + BadLine.quote(text, from, end)
                + " has no value; a LIBSVM feature is id:value, such as 17:1");
    }

    private static long longId(byte[] text, int from, int to, int end) throws BadLine {
        boolean digits = to > from;
        for (int i = from; i < to; i++) {
            digits &= text[i] >= '0' && text[i] <= '9';
        }
        if (!digits) {
            throw new BadLine("feature " + BadLine.quote(text, from, end)
                    + "; a feature id is a whole number from 0 to 2^64 - 1. Number the features, or choose the"
                    + " CSV format");
        }
        long id = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            // The largest id is 18446744073709551615, so the last digit may be 5 at most.
            long limit = 1_844_674_407_370_955_161L;
            if (Long.compareUnsigned(id, limit) > 0 || id == limit && digit > 5) {
                throw new BadLine("feature id " + BadLine.quote(text, from, to)
                        + " is out of range; ids go up to 2^64 - 1 = 18446744073709551615. Use smaller or hashed ids");
            }
            id = id * 10 + digit;
        }
        return id;
    }

    private static float oddValue(byte[] text, int from, int to, long id) throws BadLine {
        double number = Decimal.parse(text, from, to);
        float value = (float) number;
        if (Float.isFinite(value)) {
            return value;
        }
        String what = "feature " + Long.toUnsignedString(id) + " has the value " + BadLine.quote(text, from, to);
        if (Decimal.isNotFinite(text, from, to)) {
            throw new BadLine(what + "; values must be finite. Leave the feature out where its value is unknown");
        }
        if (Double.isNaN(number)) {
            throw new BadLine(what + "; that is not a number. Write it like 0.25 or 1e-3");
        }
        throw new BadLine(what + "; it is too large for a 32-bit floating-point number. Scale the feature");
    }

    /// Where the next word, or the line feed, is.
    private static int word(byte[] text, int at) {
        while (isBlank(text[at])) {
            at++;
        }
        return at;
    }

    private static int tokenEnd(byte[] text, int at) {
        while (!isEnd(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    private static boolean isEnd(byte c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }
}
