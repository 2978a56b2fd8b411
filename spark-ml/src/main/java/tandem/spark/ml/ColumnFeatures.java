package tandem.spark.ml;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import tandem.data.Column;
import tandem.data.Format;
import tandem.data.NumberSums;
import tandem.data.Schema;
import tandem.report.Json;

/// Columns as they are, which become features as those of a file do: numbers are scaled by the mean and deviation of
/// the first rows, and categories are hashed with the name of their column.
record ColumnFeatures(Schema schema, int hashBits) implements Features {

    /// What an estimator learns from, with means and deviations of the data frame.
    static ColumnFeatures of(TandemParams params, String labelCol, Dataset<?> dataset) {
        List<Column.Kind> kinds = check(params, labelCol, dataset.schema());
        String[] names = params.getInputCols();
        List<String> numbers = IntStream.range(0, names.length)
                .filter(c -> kinds.get(c) == Column.Kind.NUMBER)
                .mapToObj(c -> names[c])
                .toList();
        List<Column> scaled = new ArrayList<>(scaled(dataset, numbers));
        List<Column> columns = new ArrayList<>();
        columns.add(Column.of(labelCol, Column.Kind.LABEL));
        if (params.isDefined(params.weightCol())) {
            columns.add(Column.of(params.getWeightCol(), Column.Kind.WEIGHT));
        }
        for (int c = 0; c < names.length; c++) {
            columns.add(kinds.get(c) == Column.Kind.NUMBER ? scaled.removeFirst() : Column.of(names[c], kinds.get(c)));
        }
        return new ColumnFeatures(new Schema(',', true, columns, 0), params.getHashBits());
    }

    /// What the features of a model were made of; null if they were entries of vectors.
    static ColumnFeatures of(JsonNode schema) throws IOException {
        return schema.isNull()
                        || !(Json.value(schema.path("format"), Format.class) instanceof Format.Table(Schema table))
                ? null
                : new ColumnFeatures(table, schema.path("hashBits").asInt(Long.SIZE));
    }

    /// The means and deviations that the command line would take: those of the first rows, in the order they have.
    private static List<Column> scaled(Dataset<?> dataset, List<String> names) {
        NumberSums[] sums = names.stream().map(_ -> new NumberSums()).toArray(NumberSums[]::new);
        if (sums.length > 0) {
            Dataset<Row> first = dataset.select(names.stream()
                    .map(name -> Features.column(dataset, name).cast(DataTypes.DoubleType))
                    .toArray(org.apache.spark.sql.Column[]::new));
            for (Row row : first.takeAsList(Schema.SAMPLED_ROWS)) {
                for (int c = 0; c < sums.length; c++) {
                    sums[c].add(row.isNullAt(c) ? Double.NaN : row.getDouble(c));
                }
            }
        }
        return IntStream.range(0, sums.length)
                .mapToObj(c -> sums[c].column(names.get(c)))
                .toList();
    }

    /// Refuses columns that cannot be learned from; else says what each of `inputCols` is.
    static List<Column.Kind> check(TandemParams params, String labelCol, StructType frame) {
        String[] names = params.getInputCols();
        Set<String> declared = new HashSet<>();
        if (params.isDefined(params.categoricalCols())) {
            declared.addAll(Arrays.asList(params.getCategoricalCols()));
        }
        Set<String> rest = new HashSet<>(declared);
        Set<String> taken = new HashSet<>(Set.of(labelCol));
        if (params.isDefined(params.weightCol())) {
            taken.add(params.getWeightCol());
        }
        List<Column.Kind> kinds = new ArrayList<>();
        for (String name : names) {
            rest.remove(name);
            if (!taken.add(name)) {
                throw new IllegalArgumentException("inputCols has " + name
                        + ", which is the label or the weight, or is there twice; leave it out");
            }
            kinds.add(Cell.kind(frame.apply(name), declared.contains(name)));
        }
        if (names.length == 0 || !rest.isEmpty()) {
            throw new IllegalArgumentException(
                    names.length == 0
                            ? "inputCols is empty; name the columns to learn from"
                            : "categoricalCols has " + rest.iterator().next()
                                    + ", which is not among inputCols; name it there too");
        }
        return kinds;
    }

    /// Refuses a data frame whose columns are not those of the model.
    void check(StructType frame) {
        for (int column : features()) {
            Column known = schema.columns().get(column);
            Column.Kind found = Cell.kind(frame.apply(known.name()), known.kind() == Column.Kind.CATEGORY);
            if (found != known.kind()) {
                throw new IllegalArgumentException("column " + known.name() + " is of type "
                        + frame.apply(known.name()).dataType().simpleString() + ", and the model has it as a "
                        + (known.kind() == Column.Kind.NUMBER ? "number" : "category") + "; cast it");
            }
        }
    }

    /// Which columns of the schema are features.
    private int[] features() {
        return IntStream.range(0, schema.columns().size())
                .filter(c -> isFeature(schema.columns().get(c)))
                .toArray();
    }

    private static boolean isFeature(Column column) {
        return column.kind() == Column.Kind.NUMBER || column.kind() == Column.Kind.CATEGORY;
    }

    /// The names of the columns, of all or of one kind.
    String[] names(Column.Kind kind) {
        return Arrays.stream(features())
                .mapToObj(c -> schema.columns().get(c))
                .filter(column -> kind == null || column.kind() == kind)
                .map(Column::name)
                .toArray(String[]::new);
    }

    /// The cells of a data frame, as a [CellReader] reads them.
    org.apache.spark.sql.Column[] cells(Dataset<?> dataset) {
        return Arrays.stream(features())
                .mapToObj(c -> schema.columns().get(c))
                .map(column -> Cell.read(dataset, column))
                .toArray(org.apache.spark.sql.Column[]::new);
    }

    CellReader reader() {
        return new CellReader(schema, features());
    }

    @Override
    public Format format() {
        return new Format.Table(schema);
    }

    @Override
    public String describe() {
        return String.join(", ", names(null));
    }

    @Override
    public JavaRDD<byte[]> blocks(Dataset<?> dataset, String labelCol, String weightCol) {
        List<org.apache.spark.sql.Column> all = new ArrayList<>();
        all.add(Features.numbers(dataset, labelCol));
        all.add(Features.numbers(dataset, weightCol));
        all.addAll(List.of(cells(dataset)));
        CellReader reader = reader();
        return dataset.select(all.toArray(org.apache.spark.sql.Column[]::new))
                .javaRDD()
                .mapPartitions(new ExampleRows((row, into) -> reader.read(row, ExampleRows.CELLS, into::add)));
    }

    @Override
    public int length(Dataset<?> dataset) {
        return SharedModel.UNKNOWN;
    }
}
