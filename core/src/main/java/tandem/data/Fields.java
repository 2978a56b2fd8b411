package tandem.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Splits a line into fields (RFC 4180, but a field ends on the line it began). Blanks around a field do not
/// count. Reused; one a thread.
final class Fields {

    private int count;
    private int[] begins = new int[64];
    private int[] ends = new int[64];

    int count() {
        return count;
    }

    int begin(int field) {
        return begins[field];
    }

    int end(int field) {
        return ends[field];
    }

    /// Forgets the fields of a line that could not be split.
    void clear() {
        count = 0;
    }

    /// Whether a field stands in quotes.
    boolean isQuoted(byte[] text, int field) {
        return begins[field] > 0 && text[begins[field] - 1] == '"';
    }

    /// Splits the line at `text[from]`; returns where the next one starts. Quoted fields are unquoted in place.
    int split(byte[] text, int from, byte delimiter) throws BadLine {
        count = 0;
        int at = from;
        while (true) {
            if (count == begins.length) {
                begins = Arrays.copyOf(begins, count * 2);
                ends = Arrays.copyOf(ends, count * 2);
            }
            if (text[at] == '"') {
                at = quoted(text, at, delimiter);
            } else {
                int begin = at;
                while (text[at] != delimiter && text[at] != '\n') {
                    at++;
                }
                int end = at;
                while (begin < end && isBlank(text[begin])) {
                    begin++;
                }
                while (begin < end && isBlank(text[end - 1])) {
                    end--;
                }
                begins[count] = begin;
                ends[count] = end;
            }
            count++;
            if (text[at++] == '\n') {
                return at;
            }
        }
    }

    /// Takes the field whose opening quote is at `at`; returns where its delimiter or the line feed is.
    private int quoted(byte[] text, int at, byte delimiter) throws BadLine {
        int opening = at++;
        int write = at;
        begins[count] = write;
        while (true) {
            byte c = text[at];
            if (c == '\n') {
                throw new BadLine(
                        "field " + (count + 1) + " opens a quote that does not close on this line; line breaks inside"
                                + " quotes are not read, so replace them by blanks, or double a quote"
                                + " that is meant");
            }
            if (c == '"') {
                if (text[at + 1] != '"') {
                    break;
                }
                at++;
            }
            text[write++] = c;
            at++;
        }
        ends[count] = write;
        int end = ++at;
        while (isBlank(text[at]) && text[at] != delimiter) {
            at++;
        }
        if (text[at] != delimiter && text[at] != '\n') {
            throw new BadLine("field " + (count + 1) + " goes on after its closing quote: "
                    + BadLine.quote(text, opening, end + 1)
                    + "; put the whole field in quotes, and double the quotes inside it");
        }
        return at;
    }

    /// Whether the line at `text[at]` has nothing on it.
    static boolean isEmpty(byte[] text, int at, byte delimiter) {
        int end = at;
        while (isBlank(text[end]) && text[end] != delimiter) {
            end++;
        }
        return text[end] == '\n';
    }

    String text(byte[] text, int field) {
        return new String(text, begins[field], ends[field] - begins[field], StandardCharsets.UTF_8);
    }

    List<String> texts(byte[] text) {
        List<String> texts = new ArrayList<>();
        for (int f = 0; f < count; f++) {
            texts.add(text(text, f));
        }
        return texts;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\r' || c == '\t';
    }
}
