package tandem.spark.ml;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/// A model that predicts numbers, on executors, without servers and workers.
///
/// @param <M> the model itself
/// @param <K> its parameters
public abstract sealed class TandemRegressionModel<M extends TandemRegressionModel<M, K>, K extends Knobs>
        extends RegressionModel<Vector, M> implements TandemParams, MLWritable
        permits TandemLinearRegressionModel, TandemFactorizationMachineRegressionModel {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final K knobs;
    private final SharedModel shared;

    TandemRegressionModel(String uid, KnobMaker<K> knobs, SharedModel shared) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        this.knobs = knobs.of(this);
        this.shared = shared;
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public K knobs() {
        return knobs;
    }

    SharedModel shared() {
        return shared;
    }

    @Override
    public MLWriter write() {
        return new Saved.Writer(this, shared);
    }

    /// Whether it was trained here, and not loaded.
    public boolean hasSummary() {
        return shared.hasSummary();
    }

    public TandemTrainingSummary summary() {
        return shared.summary();
    }

    public double intercept() {
        return shared.intercept();
    }

    /// How long vectors are, or how many features of columns have a weight; -1 if ids are too large for vectors.
    @Override
    public int numFeatures() {
        return shared.length();
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        shared.send(dataset.sparkSession().sparkContext());
        return MadeVectors.needed(shared, getFeaturesCol())
                ? MadeVectors.transform(copy(MadeVectors.instead(featuresCol())), shared, dataset)
                : super.transform(dataset);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return MadeVectors.needed(shared, getFeaturesCol())
                ? MadeVectors.transformSchema(copy(MadeVectors.instead(featuresCol())), shared, schema)
                : super.transformSchema(schema);
    }

    @Override
    public double predict(Vector features) {
        return shared.predict(features);
    }

    @Override
    public M copy(ParamMap extra) {
        return copyValues(again(), extra).setParent(parent());
    }

    /// The same without values of parameters.
    abstract M again();

    @Override
    public String toString() {
        return getClass().getSimpleName() + ": uid=" + uid + ", numFeatures=" + numFeatures();
    }
}
