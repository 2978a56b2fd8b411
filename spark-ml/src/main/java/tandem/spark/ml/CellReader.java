package tandem.spark.ml;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.Row;
import tandem.data.BadData;
import tandem.data.Cells;
import tandem.data.Column;
import tandem.data.Format;
import tandem.data.Schema;
import tandem.report.Json;

/// Reads the cells of rows in executors: numbers as 64-bit ones, categories as strings or arrays of strings. What is
/// null, NaN or an empty string is no feature, as in the fields of a file.
final class CellReader implements Serializable {

    private static final long serialVersionUID = 1;

    private final byte[] table;

    /// By cell, which column of the schema it is.
    private final int[] columns;

    private final boolean[] numbers;
    private transient Schema schema;
    private transient Cells cells;

    /// Takes a feature of a row; one may come twice.
    @FunctionalInterface
    interface Sink {
        void add(long id, float value);
    }

    CellReader(Schema schema, int[] columns) {
        table = Json.bytes(new Format.Table(schema));
        this.columns = columns;
        numbers = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            numbers[i] = schema.columns().get(columns[i]).kind() == Column.Kind.NUMBER;
        }
    }

    private synchronized Cells cells() {
        if (cells == null) {
            schema = ((Format.Table) Json.read(table, Format.class)).schema();
            cells = new Cells(schema);
        }
        return cells;
    }

    /// Reads the cells of a row from the place `first` on.
    void read(Row row, int first, Sink into) throws BadData {
        Cells how = cells();
        for (int i = 0; i < columns.length; i++) {
            if (row.isNullAt(first + i)) {
                continue;
            }
            if (numbers[i]) {
                number(how, columns[i], row.getDouble(first + i), into);
            } else if (row.get(first + i) instanceof String text) {
                category(how, columns[i], text, into);
            } else {
                List<String> several = row.getList(first + i);
                for (String text : several) {
                    category(how, columns[i], text, into);
                }
            }
        }
    }

    private void number(Cells how, int column, double number, Sink into) throws BadData {
        if (Double.isNaN(number)) {
            return;
        }
        float value = how.value(column, number);
        if (!Float.isFinite(value)) {
            throw new BadData("column " + schema.columns().get(column).name() + " has the value " + number
                    + "; it is a column of finite numbers. Use null where the value is unknown");
        }
        if (value != 0) {
            into.add(how.number(column), value);
        }
    }

    private static void category(Cells how, int column, String text, Sink into) {
        if (text != null && !text.isEmpty()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            into.add(how.category(column, bytes, 0, bytes.length), 1);
        }
    }
}
