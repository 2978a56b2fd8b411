package tandem.data;

import java.util.List;

/// What separates columns, and how well it fits the first lines of a table: `lines` of them have as many columns
/// as the first, and `whole` of their fields have surely been cut where they end, because they are quoted, or
/// numbers, or the name of a label.
record Delimiter(byte mark, int lines, int whole) {

    /// The one that fits best, or null if none gives the first line several columns. Tabs win where they fit, as
    /// they hardly stand in text; otherwise it is the earlier of those that fit alike.
    static Delimiter best(List<byte[]> lines, String delimiters) {
        Delimiter best = null;
        for (int d = 0; d < delimiters.length(); d++) {
            Delimiter one = of(lines, (byte) delimiters.charAt(d));
            if (one.lines > 0 && (best == null || one.beats(best))) {
                best = one;
            }
        }
        return best;
    }

    private boolean beats(Delimiter other) {
        return lines > other.lines || lines == other.lines && other.mark != '\t' && whole > other.whole;
    }

    private static Delimiter of(List<byte[]> lines, byte mark) {
        Fields fields = new Fields();
        int columns = 0;
        int alike = 0;
        int whole = 0;
        for (byte[] line : lines) {
            byte[] text = line.clone();
            try {
                fields.split(text, 0, mark);
            } catch (BadLine e) {
                fields.clear();
            }
            if (columns == 0) {
                columns = fields.count();
                if (columns < 2) {
                    break;
                }
            }
            if (fields.count() == columns) {
                alike++;
                for (int f = 0; f < columns; f++) {
                    whole += isWhole(fields, f, text) ? 1 : 0;
                }
            }
        }
        return new Delimiter(mark, alike, whole);
    }

    private static boolean isWhole(Fields fields, int field, byte[] text) {
        return fields.isQuoted(text, field)
                || !Double.isNaN(Decimal.parse(text, fields.begin(field), fields.end(field)))
                || SchemaFinder.isLabel(fields.text(text, field));
    }
}
