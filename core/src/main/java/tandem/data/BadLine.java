package tandem.data;

import java.nio.charset.StandardCharsets;

/// A line that a parser cannot read; says what was found, what is wrong and what to do, but not where.
final class BadLine extends Exception {

    private static final int QUOTED = 40;

    BadLine(String message) {
        super(message, null, false, false);
    }

    /// The bytes as they may appear in a message: short, on one line, in quotes.
    static String quote(byte[] text, int from, int to) {
        int end = Math.min(to, from + QUOTED);
        String shown = new String(text, from, end - from, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
        return "'" + shown + (end < to ? "…" : "") + "'";
    }
}
