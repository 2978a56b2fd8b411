package tandem.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds out the format of an input from its first bytes.
final class Detect {

    static final int FIRST_BYTES = 1 << 16;
    private static final int TABLE_BYTES = 1 << 23;
    private static final int LINES = 20;
    private static final String VOWPAL_HEAD = "\\s*([-+.\\de]+\\s+){0,3}('?[^\\s|]*)?";

    /// Label, importance, base and tag, all of which may be missing, then a bar and the name of a namespace that
    /// touches it; or a bar alone, and then at least one feature with a value.
    private static final Pattern VOWPAL = Pattern.compile(VOWPAL_HEAD + "\\|[^\\s|:]+(:[-+.\\de]+)?\\s+[^\\s|]");

    private static final Pattern VOWPAL_UNNAMED =
            Pattern.compile(VOWPAL_HEAD + "\\|\\s+([^\\s|:]+\\s+)*[^\\s|:]+:[-+.\\de]+[\\s|]");

    private static final Pattern JSON = Pattern.compile("\\s*[\\[{]\\s*([\"{\\[\\]}]|$)");

    private Detect() {}

    /// The format of the first input that has any lines.
    static Format format(List<Source> sources, Format.Unknown wanted) throws IOException {
        for (Source source : sources) {
            List<byte[]> lines = lines(head(source, FIRST_BYTES, 1));
            if (!lines.isEmpty()) {
                return format(source, lines, wanted);
            }
        }
        String more = sources.size() == 1 ? "" : " and " + (sources.size() - 1) + " more";
        throw new BadData(
                sources.getFirst().name() + more + ": no examples in it; name a file that holds at least one");
    }

    private static Format format(Source source, List<byte[]> lines, Format.Unknown wanted) throws IOException {
        if (wanted.table() || !wanted.columns().kinds().isEmpty()) {
            return table(source, Delimiter.best(lines, wanted.delimiters()), lines, wanted);
        }
        int sparse = count(lines, Detect::isLibSvm);
        if (sparse == lines.size()) {
            return new Format.LibSvm();
        }
        int criteo = count(lines, Detect::isCriteo);
        if (criteo == lines.size()) {
            return new Format.Criteo(wanted.seed());
        }
        refuseOthers(source, lines);
        // From here on some lines may be bad; the reader will say which.
        Delimiter delimiter = Delimiter.best(lines, wanted.delimiters());
        int columned = delimiter == null ? 0 : delimiter.lines();
        if (columned < lines.size() && 2 * sparse > lines.size()) {
            return new Format.LibSvm();
        }
        if (columned < lines.size() && 2 * criteo > lines.size()) {
            return new Format.Criteo(wanted.seed());
        }
        if (2 * columned > lines.size()) {
            return table(source, delimiter, lines, wanted);
        }
        if (sparse > 0) {
            return new Format.LibSvm();
        }
        throw new BadData(source.name() + ": the first line is " + quote(lines.getFirst())
                + "; that is neither LIBSVM (label id:value …), Criteo, nor a table with the same number of"
                + " columns on most lines. Choose --format libsvm, criteo or csv, or check that this is the"
                + " right file");
    }

    /// A table, of which at least the first line has columns.
    private static Format table(Source source, Delimiter delimiter, List<byte[]> lines, Format.Unknown wanted)
            throws IOException {
        if (delimiter == null) {
            String found = source.name() + ": the first line is " + quote(lines.getFirst()) + "; ";
            throw new BadData(
                    isLibSvm(lines.getFirst())
                            ? found + "that is LIBSVM (label id:value …), not a table. Leave out --columns and --format"
                            : found + "a table has several columns, but no "
                                    + (wanted.delimiters().equals(Format.TAB)
                                            ? "tab separates any here. Choose --format csv for other delimiters"
                                            : "tab, comma, semicolon or bar separates any here")
                                    + ", or check that this is the right file and its quotes close");
        }
        byte[] sample = head(source, TABLE_BYTES, 2);
        return new Format.Table(
                SchemaFinder.find(source.name(), sample, delimiter.mark(), wanted.columns(), wanted.seed()));
    }

    private static int count(List<byte[]> lines, Predicate<byte[]> is) {
        return (int) lines.stream().filter(is).count();
    }

    private static String quote(byte[] line) {
        return BadLine.quote(line, 0, line.length - 1);
    }

    /// Formats that are not read but would pass for a table.
    private static void refuseOthers(Source source, List<byte[]> lines) throws BadData {
        String first = quote(lines.getFirst());
        if (lines.stream().allMatch(Detect::isVowpal)) {
            throw new BadData(source.name() + ": the first line is " + first + "; that is Vowpal Wabbit's format, which"
                    + " is not read. Write it as LIBSVM (label id:value …), or choose --format csv if it is a table");
        }
        if (JSON.matcher(text(lines.getFirst())).lookingAt()) {
            throw new BadData(source.name() + ": the first line is " + first + "; that is JSON, which is not read."
                    + " Write it as CSV or as LIBSVM (label id:value …), or choose --format csv if it is a table");
        }
    }

    private static boolean isVowpal(byte[] line) {
        String text = text(line);
        return VOWPAL.matcher(text).lookingAt() || VOWPAL_UNNAMED.matcher(text).lookingAt();
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.ISO_8859_1);
    }

    /// The first whole lines of `source`: those in its first `bytes`, or more where it takes more to see `rows` lines
    /// that are neither blank nor a comment.
    static byte[] head(Source source, int bytes, int rows) throws IOException {
        for (int limit = bytes; ; limit *= 2) {
            byte[] first = source.peek(limit);
            byte[] whole = wholeLines(first, limit);
            int seen = lines(whole).size();
            boolean most = limit >= Chunks.LONGEST_LINE_BYTES;
            if (first.length < limit || seen >= rows || most && seen > 0) {
                return whole;
            }
            if (most) {
                throw new BadData(source.name() + ": no row ends within the first " + (limit >> 20)
                        + " MB; rows end with a line feed, so this may not be a text file");
            }
        }
    }

    /// The bytes up to the last line feed, or with one added if this is all there is.
    static byte[] wholeLines(byte[] bytes, int limit) {
        int end = bytes.length;
        while (bytes.length == limit && end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        int from = end >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf ? 3 : 0;
        boolean ended = end > from && bytes[end - 1] == '\n';
        byte[] whole = Arrays.copyOfRange(bytes, from, ended ? end : end + 1);
        whole[whole.length - 1] = '\n';
        return whole;
    }

    /// The first few lines that are neither blank nor a comment, each with its line feed.
    private static List<byte[]> lines(byte[] text) {
        List<byte[]> lines = new ArrayList<>();
        for (int at = 0, next; at < text.length && lines.size() < LINES; at = next) {
            next = Parser.nextLine(text, at);
            byte[] line = Arrays.copyOfRange(text, at, next);
            String shown = text(line).strip();
            if (!shown.isEmpty() && !shown.startsWith("#")) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static boolean isLibSvm(byte[] line) {
        try {
            LabelBook book = new LabelBook();
            Rows rows = new Rows();
            new LibSvmParser(new LabelReader(new LabelRule.Collect(), book::write)).line(line.clone(), 0, 0, rows);
            // A lone word may be anything; a lone number is a row without features.
            return rows.count == 1 && (rows.entries > 0 || !Double.isNaN(rows.labels[0]));
        } catch (BadLine e) {
            return false;
        }
    }

    private static boolean isCriteo(byte[] line) {
        return Stream.of(true, false).anyMatch(labelled -> {
            try {
                LabelReader labels = new LabelReader(new LabelRule.Collect(), name -> {
                    throw new BadLine(name);
                });
                new CriteoParser(0, labelled, labels).line(line.clone(), 0, 0, new Rows());
                return true;
            } catch (BadLine e) {
                return false;
            }
        });
    }
}
