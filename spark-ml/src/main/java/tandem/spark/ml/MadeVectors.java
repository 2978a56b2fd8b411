package tandem.spark.ml;

import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// The column of vectors that is made of columns, for as long as something is done with it.
final class MadeVectors {

    private static final String NAME = "tandem features";

    private MadeVectors() {}

    /// Whether a model for columns has not got them as vectors yet.
    static boolean needed(SharedModel model, String featuresCol) {
        return model.columns() != null && !featuresCol.equals(NAME);
    }

    /// Has a stage take the vectors.
    static ParamMap instead(Param<String> featuresCol) {
        return new ParamMap().put(featuresCol.w(NAME));
    }

    /// @param taking takes vectors
    static Dataset<Row> transform(Transformer taking, SharedModel model, Dataset<?> dataset) {
        model.columns().check(dataset.schema());
        return taking.transform(model.withVectors(dataset, NAME)).drop(NAME);
    }

    static StructType transformSchema(PipelineStage taking, SharedModel model, StructType schema) {
        model.columns().check(schema);
        return transformSchema(taking, schema);
    }

    /// What becomes of a data frame that has vectors for a while.
    static StructType transformSchema(PipelineStage taking, StructType schema) {
        StructType all = taking.transformSchema(schema.add(NAME, SQLDataTypes.VectorType()));
        StructType rest = new StructType();
        for (StructField field : all.fields()) {
            rest = field.name().equals(NAME) ? rest : rest.add(field);
        }
        return rest;
    }
}
