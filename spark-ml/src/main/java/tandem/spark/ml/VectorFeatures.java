package tandem.spark.ml;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import tandem.data.BadData;
import tandem.data.Format;
import tandem.data.RowBuffer;

/// A column of vectors. Feature j of a vector is id j + 1, as in a LIBSVM file that Spark reads; numbers become 32-bit
/// ones, and zeros are left out.
record VectorFeatures(String column) implements Features {

    @Override
    public Format format() {
        return new Format.LibSvm();
    }

    @Override
    public int hashBits() {
        return Long.SIZE;
    }

    @Override
    public String describe() {
        return column;
    }

    @Override
    public JavaRDD<byte[]> blocks(Dataset<?> dataset, String labelCol, String weightCol) {
        return dataset.select(
                        Features.numbers(dataset, labelCol), Features.numbers(dataset, weightCol), dataset.col(column))
                .javaRDD()
                .mapPartitions(new ExampleRows((row, into) -> {
                    if (row.isNullAt(ExampleRows.CELLS)) {
                        throw new BadData("an example has no features (null); leave it out");
                    }
                    add(row.getAs(ExampleRows.CELLS), into);
                }));
    }

    private static void add(Vector features, RowBuffer into) throws BadData {
        Entries entries = Entries.of(features, null);
        for (int e = 0; e < entries.count(); e++) {
            if (!Float.isFinite(entries.values()[e])) {
                throw new BadData("feature " + (entries.ids()[e] - 1) + " of an example is "
                        + features.apply((int) entries.ids()[e] - 1)
                        + ", which is no 32-bit floating-point number; mend or leave out the example");
            }
            into.add(entries.ids()[e], entries.values()[e]);
        }
    }

    @Override
    public int length(Dataset<?> dataset) {
        int known =
                AttributeGroup.fromStructField(dataset.schema().apply(column)).size();
        return known >= 0
                ? known
                : dataset.select(dataset.col(column)).head().<Vector>getAs(0).size();
    }
}
