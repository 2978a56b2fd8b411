package tandem.spark.ml;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import tandem.data.Format;

/// Where the features of examples are in a data frame.
sealed interface Features permits VectorFeatures, ColumnFeatures {

    /// How the command line would read the same data.
    Format format();

    int hashBits();

    /// Where they come from, for people.
    String describe();

    /// The examples as blocks of rows.
    ///
    /// @param weightCol null if each example counts once
    JavaRDD<byte[]> blocks(Dataset<?> dataset, String labelCol, String weightCol);

    /// How long vectors are; [SharedModel#UNKNOWN] if the model decides.
    int length(Dataset<?> dataset);

    /// The column of this name, whatever characters are in it.
    static Column column(Dataset<?> dataset, String name) {
        return dataset.col("`" + name.replace("`", "``") + "`");
    }

    /// The column as 64-bit numbers; 1 in all rows if there is none.
    static Column numbers(Dataset<?> dataset, String name) {
        return name == null ? functions.lit(1.0) : dataset.col(name).cast(DataTypes.DoubleType);
    }
}
