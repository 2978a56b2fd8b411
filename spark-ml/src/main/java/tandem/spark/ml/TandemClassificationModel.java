package tandem.spark.ml;

import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import scala.Tuple3;
import tandem.problem.Link;

/// A model that tells class 1 from class 0, on executors, without servers and workers.
///
/// @param <M> the model itself
/// @param <K> its parameters
public abstract sealed class TandemClassificationModel<M extends TandemClassificationModel<M, K>, K extends Knobs>
        extends ProbabilisticClassificationModel<Vector, M> implements TandemParams, MLWritable
        permits TandemLogisticRegressionModel, TandemFactorizationMachineModel {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final K knobs;
    private final DoubleParam threshold;
    private final SharedModel shared;

    TandemClassificationModel(String uid, KnobMaker<K> knobs, SharedModel shared) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        this.knobs = knobs.of(this);
        threshold = Thresholds.param(this);
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
    public int numClasses() {
        return 2;
    }

    public DoubleParam threshold() {
        return threshold;
    }

    public double getThreshold() {
        return (double) getOrDefault(threshold);
    }

    /// Above which probability an example is of class 1; `thresholds` go before it.
    @SuppressWarnings("unchecked")
    public M setThreshold(double value) {
        set(threshold, value);
        return (M) this;
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

    /// Nothing else than above; but what is one method to Scala, whose tuples are covariant, is two to Java.
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public Tuple3 findSummaryModel() {
        return super.findSummaryModel();
    }

    @Override
    public Vector predictRaw(Vector features) {
        double score = shared.score(features);
        return Vectors.dense(-score, score);
    }

    @Override
    public Vector raw2probabilityInPlace(Vector raw) {
        double[] values = ((DenseVector) raw).values();
        for (int k = 0; k < values.length; k++) {
            values[k] = Link.LOGISTIC.mean(values[k]);
        }
        return raw;
    }

    @Override
    public double raw2prediction(Vector raw) {
        return probability2prediction(raw2probability(raw));
    }

    @Override
    public double probability2prediction(Vector probability) {
        return isDefined(thresholds())
                ? super.probability2prediction(probability)
                : probability.apply(1) > getThreshold() ? 1 : 0;
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
