package tandem.data;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Turns lines of text that somebody else has read into rows, as [Data] says. One a thread.
///
/// Who hands out single lines knows nothing of their numbers, so a message about a bad one shows the line itself.
public final class LineRows {

    private static final int SHOWN = 80;

    private final Parser parser;
    private final BadLines badLines;
    private final String skipped;
    private final RowBuffer into;
    private long bad;

    /// @param data  of a known format
    /// @param first the first line of each file, which may name columns
    public LineRows(Data data, String first, RowBuffer into) throws BadData {
        this.into = into;
        skipped = data.format() instanceof Format.Table(Schema schema) && schema.header() ? first : null;
        badLines = data.badLines();
        LabelReader labels = new LabelReader(data.labelRule(), into::named);
        parser = switch (data.format()) {
            case Format.LibSvm() -> new LibSvmParser(labels);
            case Format.Criteo(long seed) ->
                new CriteoParser(seed, !(data.labelRule() instanceof LabelRule.Ignore), labels);
            case Format.Table(Schema schema) -> new TableParser(schema, List.of(layout(schema, data, first)), labels);
            case Format.Unknown _ -> throw new IllegalStateException("the format has not been found out");
        };
        Chunk lines = new Chunk(0);
        lines.firstLine = 2; // those that name columns are passed over here
        parser.begin(lines);
    }

    private static TableParser.Layout layout(Schema schema, Data data, String line) throws BadData {
        byte[] first = (line + "\n").getBytes(StandardCharsets.UTF_8);
        Fields fields = new Fields();
        try {
            fields.split(first, 0, (byte) schema.delimiter());
            return TableParser.layout(schema, data.labelRule(), fields.texts(first));
        } catch (BadLine | IllegalArgumentException e) {
            throw new BadData(data.paths().getFirst() + ": " + e.getMessage());
        }
    }

    /// Adds the row of a line, if it is one.
    public void add(String line) throws BadData {
        if (line.equals(skipped)) {
            return;
        }
        byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
        int before = into.rows().count;
        try {
            parser.line(text, 0, 0, into.rows());
        } catch (BadLine e) {
            into.rows().undo();
            bad++;
            if (!badLines.tolerates(bad)) {
                throw new BadData("the line \"" + (line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line)
                        + "\": " + e.getMessage());
            }
        }
        if (into.rows().count > before) {
            into.ended();
        }
    }
}
