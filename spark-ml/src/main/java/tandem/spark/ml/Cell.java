package tandem.spark.ml;

import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import tandem.data.Column;

/// What the cells of a column are, by its type.
final class Cell {

    private static final Set<DataType> WHOLE =
            Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

    private Cell() {}

    /// @param declared whether somebody has said that they are categories
    static Column.Kind kind(StructField column, boolean declared) {
        return switch (column.dataType()) {
            case StringType _, BooleanType _ -> Column.Kind.CATEGORY;
            case ArrayType several when several.elementType() instanceof StringType -> Column.Kind.CATEGORY;
            case DateType _ when declared -> Column.Kind.CATEGORY;
            case NumericType _ when !declared -> Column.Kind.NUMBER;
            case NumericType whole when WHOLE.contains(whole) -> Column.Kind.CATEGORY;
            case NumericType _ ->
                throw new IllegalArgumentException("column " + column.name() + " of type "
                        + column.dataType().simpleString() + " is to be a category, and one number may be written in"
                        + " many ways; cast it to a string or to whole numbers");
            case DataType other ->
                throw new IllegalArgumentException("column " + column.name() + " is of type " + other.simpleString()
                        + "; inputCols takes numbers, strings, booleans and arrays of strings, and categoricalCols"
                        + " whole numbers and dates. Cast it, or make a vector of it and name that as featuresCol");
        };
    }

    /// The cells as a [CellReader] reads them.
    static org.apache.spark.sql.Column read(Dataset<?> dataset, Column column) {
        org.apache.spark.sql.Column cells = Features.column(dataset, column.name());
        if (column.kind() == Column.Kind.NUMBER) {
            return cells.cast(DataTypes.DoubleType);
        }
        return dataset.schema().apply(column.name()).dataType() instanceof ArrayType
                ? cells
                : cells.cast(DataTypes.StringType);
    }
}
