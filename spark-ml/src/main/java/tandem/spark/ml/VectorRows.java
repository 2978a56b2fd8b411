package tandem.spark.ml;

import java.util.Iterator;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import tandem.data.BadData;
import tandem.data.RowBuffer;
import tandem.spark.Blocks;

/// Turns rows of label, weight and vector into blocks of examples. Feature j of a vector is id j + 1, as in a LIBSVM
/// file
/// that Spark reads; numbers become 32-bit ones, and zeros are left out.
final class VectorRows implements FlatMapFunction<Iterator<Row>, byte[]> {

    private static final long serialVersionUID = 1;

    @Override
    public Iterator<byte[]> call(Iterator<Row> rows) {
        RowBuffer buffer = new RowBuffer();
        return new Blocks<>(rows, buffer, row -> add(row, buffer));
    }

    private static void add(Row row, RowBuffer into) throws BadData {
        double label = number(row, 0, "label");
        double weight = number(row, 1, "weight");
        if (weight < 0 || Float.isInfinite((float) weight)) {
            throw new BadData("an example has the weight " + weight + "; use numbers of 0 or more");
        }
        if (row.isNullAt(2)) {
            throw new BadData("an example has no features (null); leave it out");
        }
        Vector features = row.getAs(2);
        Entries entries = Entries.of(features);
        for (int e = 0; e < entries.count(); e++) {
            if (!Float.isFinite(entries.values()[e])) {
                throw new BadData("feature " + (entries.ids()[e] - 1) + " of an example is "
                        + features.apply((int) entries.ids()[e] - 1)
                        + ", which is no 32-bit floating-point number; mend or leave out the example");
            }
            into.add(entries.ids()[e], entries.values()[e]);
        }
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
