package tandem.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.function.FlatMapFunction;
import tandem.data.BadData;
import tandem.data.RowBuffer;

/// An example to learn from, wherever it comes from.
///
/// @param label  the class, as a number, or the number to predict
/// @param weight how much it counts; 0 or more
/// @param ids    of its features, each once
/// @param values of these features
public record Example(double label, double weight, long[] ids, float[] values) implements Serializable {

    public Example {
        if (ids.length != values.length) {
            throw new IllegalArgumentException(
                    "an example has " + ids.length + " ids and " + values.length + " values; each id has one");
        }
    }

    private void add(RowBuffer into) throws BadData {
        if (!Double.isFinite(label) || !(weight >= 0 && Float.isFinite((float) weight))) {
            throw new BadData("an example has the label " + label + " and the weight " + weight
                    + "; labels are finite numbers, and weights finite ones of 0 or more");
        }
        for (int i = 0; i < ids.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new BadData("feature " + Long.toUnsignedString(ids[i]) + " of an example is " + values[i]
                        + "; mend or leave out the example");
            }
            if (values[i] != 0) {
                into.add(ids[i], values[i]);
            }
        }
        into.end(label, (float) weight);
    }

    /// Packs examples into blocks.
    static final class Packing implements FlatMapFunction<Iterator<Example>, byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public Iterator<byte[]> call(Iterator<Example> examples) {
            RowBuffer buffer = new RowBuffer();
            return new Blocks<>(examples, buffer, example -> example.add(buffer));
        }
    }
}
