package tandem.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads lines of columns as a [Schema] says. A missing field is an absent feature.
final class TableParser implements Parser {

    private final Schema schema;
    private final List<Layout> layouts;
    private final LabelReader labels;
    private final Fields fields = new Fields();
    private final Cells cells;
    private Layout layout;

    /// Which column each field of a file is (-1: none of ours).
    record Layout(int[] columns) {}

    TableParser(Schema schema, List<Layout> layouts, LabelReader labels) {
        this.schema = schema;
        this.layouts = layouts;
        this.labels = labels;
        cells = new Cells(schema);
    }

    @Override
    public void begin(Chunk chunk) {
        layout = layouts.get(chunk.fileNumber);
        if (schema.header() && chunk.firstLine == 1) {
            chunk.from = Parser.nextLine(chunk.bytes, chunk.from);
            chunk.firstLine = 2;
        }
    }

    @Override
    public int line(byte[] text, int from, long place, Rows into) throws BadLine {
        if (!isRow(text, from)) {
            return Parser.nextLine(text, from);
        }
        int next = fields.split(text, from, (byte) schema.delimiter());
        if (fields.count() != layout.columns.length) {
            throw new BadLine("the line has " + fields.count() + (fields.count() == 1 ? " field" : " fields")
                    + ", the table has " + layout.columns.length
                    + " columns; give every line as many, in quotes where a field holds the delimiter");
        }
        double label = Double.NaN;
        float weight = 1;
        for (int f = 0; f < layout.columns.length; f++) {
            int c = layout.columns[f];
            if (c < 0) {
                continue;
            }
            int begin = fields.begin(f);
            int end = fields.end(f);
            switch (schema.columns().get(c).kind()) {
                case LABEL -> label = labels.read(text, begin, end);
                case WEIGHT -> weight = weight(text, begin, end);
                case NUMBER -> number(text, begin, end, c, into);
                case CATEGORY -> {
                    if (begin < end) {
                        into.add(cells.category(c, text, begin, end), 1);
                    }
                }
                case IGNORE -> {}
            }
        }
        into.end(label, weight, place);
        return next;
    }

    @Override
    public boolean isRow(byte[] text, int at) {
        return !Fields.isEmpty(text, at, (byte) schema.delimiter());
    }

    private void number(byte[] text, int begin, int end, int c, Rows into) throws BadLine {
        float value = cells.value(c, Decimal.parse(text, begin, end));
        if (Float.isNaN(value) && Decimal.isMissing(text, begin, end)) {
            return;
        }
        if (!Float.isFinite(value)) {
            throw new BadLine(
                    "column " + schema.columns().get(c).name() + " has the value " + BadLine.quote(text, begin, end)
                            + "; it is a column of finite numbers. Leave the field empty where the value is unknown,"
                            + " or declare the column as category");
        }
        if (value != 0) {
            into.add(cells.number(c), value);
        }
    }

    private static float weight(byte[] text, int begin, int end) throws BadLine {
        float weight = (float) Decimal.parse(text, begin, end);
        if (!(weight >= 0 && weight < Float.POSITIVE_INFINITY)) {
            throw new BadLine("the weight is " + BadLine.quote(text, begin, end)
                    + "; a weight must be a finite number ≥ 0. Use 1 for a row that counts like any other");
        }
        return weight;
    }

    /// How the columns of a file stand whose first line has the fields `first`; an [IllegalArgumentException] says what
    /// is missing.
    static Layout layout(Schema schema, LabelRule rule, List<String> first) {
        List<Column> columns = schema.columns();
        boolean ignored = rule instanceof LabelRule.Ignore;
        if (schema.header()) {
            int[] order = new int[first.size()];
            boolean[] found = new boolean[columns.size()];
            Map<String, Integer> indices = new HashMap<>();
            for (int c = 0; c < found.length; c++) {
                indices.put(columns.get(c).name(), c);
            }
            for (int f = 0; f < order.length; f++) {
                order[f] = indices.getOrDefault(first.get(f), -1);
                if (order[f] >= 0) {
                    if (found[order[f]]) {
                        throw new IllegalArgumentException(
                                "the header has two columns " + first.get(f) + "; rename one of them");
                    }
                    found[order[f]] = true;
                }
            }
            for (int c = 0; c < found.length; c++) {
                Column column = columns.get(c);
                boolean optional = switch (column.kind()) {
                    case LABEL, WEIGHT -> ignored;
                    case IGNORE -> true;
                    case CATEGORY, NUMBER -> false;
                };
                if (!found[c] && !optional) {
                    throw new IllegalArgumentException("the header has no column " + column.name()
                            + "; name the columns as in the data that the schema or model comes from");
                }
            }
            return new Layout(order);
        }
        boolean unlabelled = ignored && first.size() == columns.size() - 1;
        int[] order = new int[first.size()];
        for (int f = 0, c = 0; f < order.length; f++, c++) {
            if (unlabelled && c < columns.size() && columns.get(c).kind() == Column.Kind.LABEL) {
                c++;
            }
            order[f] = c;
        }
        if (!unlabelled && first.size() != columns.size()) {
            throw new IllegalArgumentException("the first line has " + first.size() + " fields, but there are "
                    + columns.size() + " columns; give files with the same columns");
        }
        return new Layout(order);
    }
}
