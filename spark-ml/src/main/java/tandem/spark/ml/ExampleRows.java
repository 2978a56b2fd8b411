package tandem.spark.ml;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;
import tandem.data.BadData;
import tandem.data.RowBuffer;
import tandem.spark.Blocks;

/// Turns rows of label, weight and what has the features into blocks of examples.
final class ExampleRows implements FlatMapFunction<Iterator<Row>, byte[]> {

    private static final long serialVersionUID = 1;

    /// Where features begin in a row.
    static final int CELLS = 2;

    private final Reader reader;

    /// Adds the features of a row.
    @FunctionalInterface
    interface Reader extends Serializable {
        void add(Row row, RowBuffer into) throws BadData;
    }

    ExampleRows(Reader reader) {
        this.reader = reader;
    }

    @Override
    public Iterator<byte[]> call(Iterator<Row> rows) {
        RowBuffer buffer = new RowBuffer();
        return new Blocks<>(rows, buffer, row -> add(row, buffer));
    }

    private void add(Row row, RowBuffer into) throws BadData {
        double label = number(row, 0, "label");
        double weight = number(row, 1, "weight");
        if (weight < 0 || Float.isInfinite((float) weight)) {
            throw new BadData("an example has the weight " + weight + "; use numbers of 0 or more");
        }
        reader.add(row, into);
        into.end(label, (float) weight);
    }

    private static double number(Row row, int column, String what) throws BadData {
        if (row.isNullAt(column) || !Double.isFinite(row.getDouble(column))) {
            throw new BadData("an example has the " + what + " "
                    + (row.isNullAt(column) ? "null" : row.getDouble(column)) + "; leave it out");
        }
        return row.getDouble(column);
    }
}
