package tandem.spark.ml;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import tandem.model.FactorModel;

/// A model that executors get once each, however many tasks score with it.
///
/// Feature j of a vector is id j + 1; in a model of columns it is the j-th id that the model has.
final class SharedModel implements Serializable {

    private static final long serialVersionUID = 1;

    /// The length of vectors of which nothing is known, or which have ids that are too large for a feature.
    static final int UNKNOWN = -1;

    /// Null in executors.
    private final transient FactorModel model;

    private final transient ExecutorModel scores;
    private final transient ColumnFeatures columns;
    private final transient TandemTrainingSummary summary;
    private final int length;

    /// Null until executors need it.
    private Broadcast<ExecutorModel> sent;

    /// The application whose executors have it.
    private transient String sentIn;

    /// @param length  of vectors; a model of columns has one for each of its ids
    /// @param summary null if nothing is known of its training
    SharedModel(FactorModel model, int length, TandemTrainingSummary summary) {
        if (model.weights().outputs() != 1) {
            throw new IllegalArgumentException(
                    "the model tells " + model.weights().classes().size() + " classes; here it can tell two");
        }
        this.model = model;
        this.summary = summary;
        columns = columns(model.weights().schema());
        this.length = columns == null ? length : model.weights().ids().length;
        scores = new ExecutorModel(model, columns == null ? 0 : columns.hashBits());
    }

    private static ColumnFeatures columns(JsonNode schema) {
        try {
            return ColumnFeatures.of(schema);
        } catch (IOException e) {
            throw new UncheckedIOException("what the model says of its columns cannot be read: " + e.getMessage(), e);
        }
    }

    FactorModel model() {
        return model;
    }

    /// The columns that it is for; null if it is for vectors.
    ColumnFeatures columns() {
        return columns;
    }

    int length() {
        return length;
    }

    boolean hasSummary() {
        return summary != null;
    }

    TandemTrainingSummary summary() {
        if (summary == null) {
            throw new IllegalStateException("the model was loaded, and what was seen in training is not kept with it");
        }
        return summary;
    }

    /// Sends it to executors, if they have not got it.
    synchronized void send(SparkContext context) {
        if (!context.applicationId().equals(sentIn)) {
            sent = JavaSparkContext.fromSparkContext(context).broadcast(scores);
            sentIn = context.applicationId();
        }
    }

    double score(Vector features) {
        Entries entries = here().entries(features);
        return here().scorer().score(entries.ids(), entries.values());
    }

    /// What a regression predicts.
    double predict(Vector features) {
        Entries entries = here().entries(features);
        return here().scorer().predict(entries.ids(), entries.values());
    }

    private ExecutorModel here() {
        return scores == null ? sent.value() : scores;
    }

    /// The data frame with a column of vectors made of its columns.
    Dataset<Row> withVectors(Dataset<?> dataset, String name) {
        CellReader reader = columns.reader();
        UDF1<Row, Vector> make = row -> here().vector(row, reader);
        return dataset.withColumn(
                name, functions.udf(make, SQLDataTypes.VectorType()).apply(functions.struct(columns.cells(dataset))));
    }

    double intercept() {
        return model.weights().intercepts()[0];
    }

    /// The weights by feature.
    Vector coefficients() {
        return Vectors.sparse(length, places(), model.weights().weights()[0]);
    }

    /// The factors by feature, a row each.
    Matrix factors() {
        int dimension = model.dimension();
        int[] places = places();
        double[] values = new double[Math.multiplyExact(length, dimension)];
        for (int i = 0; i < places.length; i++) {
            for (int f = 0; f < dimension; f++) {
                values[f * length + places[i]] = model.factors()[0][i * dimension + f];
            }
        }
        return new DenseMatrix(length, dimension, values);
    }

    /// By id, which feature of a vector it is.
    private int[] places() {
        if (length < 0) {
            throw new IllegalStateException("the model has ids that are too large for the features of a vector; see"
                    + " what Tandem has of it for its weights");
        }
        long[] ids = model.weights().ids();
        int[] places = new int[ids.length];
        Arrays.setAll(places, i -> columns == null ? (int) ids[i] - 1 : i);
        return places;
    }
}
