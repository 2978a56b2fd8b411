package tandem.spark.ml;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import tandem.data.BadData;

/// Some rows of a partition of a data frame (label, weight, vector) as arrays: numbers are copied from where Spark has
/// them, without a vector in between. Zeros are left out. A task fills one after the other, so that none is large and
/// what has been read is never copied again.
final class FrameRows {

    private static final int SPARSE = 0;

    private static final int FIRST = 1 << 10;

    private static final int ENOUGH = 1 << 22;

    private int rows;
    private int entries;
    private int[] starts = new int[FIRST];
    private int[] features = new int[FIRST];
    private float[] values = new float[FIRST];
    private double[] labels = new double[FIRST];
    private float[] weights = new float[FIRST];

    int rows() {
        return rows;
    }

    int entries() {
        return entries;
    }

    boolean isFull() {
        return entries + rows >= ENOUGH;
    }

    int[] starts() {
        return starts;
    }

    /// Of each entry; whoever counts them otherwise writes that here.
    int[] features() {
        return features;
    }

    float[] values() {
        return values;
    }

    double[] labels() {
        return labels;
    }

    float[] weights() {
        return weights;
    }

    void add(InternalRow row) throws BadData {
        double label = number(row, 0, "label");
        double weight = number(row, 1, "weight");
        if (weight < 0 || Float.isInfinite((float) weight)) {
            throw new BadData("an example has the weight " + weight + "; use numbers of 0 or more");
        }
        if (row.isNullAt(2)) {
            throw new BadData("an example has no features (null); leave it out");
        }
        if (weight == 0) {
            return; // as if it were not there, whatever its label
        }
        addVector(row.getStruct(2, 4));
        if (rows + 1 == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
            labels = Arrays.copyOf(labels, 2 * labels.length);
            weights = Arrays.copyOf(weights, 2 * weights.length);
        }
        labels[rows] = label;
        weights[rows] = (float) weight;
        starts[++rows] = entries;
    }

    /// A vector as Spark keeps it in a column: its kind, its length, indices and values.
    private void addVector(InternalRow vector) throws BadData {
        ArrayData numbers = vector.getArray(3);
        int count = numbers.numElements();
        if (entries + count > features.length) {
            int room = Math.max(2 * features.length, entries + count);
            features = Arrays.copyOf(features, room);
            values = Arrays.copyOf(values, room);
        }
        int[] indices = vector.getByte(0) == SPARSE ? vector.getArray(2).toIntArray() : null;
        double[] given = numbers.toDoubleArray();
        for (int e = 0; e < count; e++) {
            float value = (float) given[e];
            int feature = indices == null ? e : indices[e];
            if (!Float.isFinite(value)) {
                throw new BadData("feature " + feature + " of an example is " + given[e]
                        + ", which is no 32-bit floating-point number; mend or leave out the example");
            }
            if (value != 0) {
                features[entries] = feature;
                values[entries++] = value;
            }
        }
    }

    private static double number(InternalRow row, int column, String what) throws BadData {
        if (row.isNullAt(column) || !Double.isFinite(row.getDouble(column))) {
            throw new BadData("an example has the " + what + " "
                    + (row.isNullAt(column) ? "null" : row.getDouble(column)) + "; leave it out");
        }
        return row.getDouble(column);
    }
}
