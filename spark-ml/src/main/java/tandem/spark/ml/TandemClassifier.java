package tandem.spark.ml;

import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import tandem.Linear;

/// Learns to tell class 1 from class 0, on servers and workers in Spark's executors.
///
/// @param <E> the estimator itself
/// @param <M> its model
/// @param <K> its parameters
public abstract sealed class TandemClassifier<
                E extends TandemClassifier<E, M, K>, M extends TandemClassificationModel<M, K>, K extends Knobs>
        extends ProbabilisticClassifier<Vector, E, M> implements TandemEstimator<E>, DefaultParamsWritable
        permits TandemLogisticRegression, TandemFactorizationMachine {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final K knobs;
    private final DoubleParam threshold;

    TandemClassifier(String uid, KnobMaker<K> knobs) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        this.knobs = knobs.of(this);
        threshold = Thresholds.param(this);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public K knobs() {
        return knobs;
    }

    @Override
    @SuppressWarnings("unchecked")
    public E self() {
        return (E) this;
    }

    public DoubleParam threshold() {
        return threshold;
    }

    public double getThreshold() {
        return (double) getOrDefault(threshold);
    }

    /// Above which probability an example is of class 1; `thresholds` go before it.
    public E setThreshold(double value) {
        set(threshold, value);
        return self();
    }

    @Override
    public StructType transformSchema(StructType schema) {
        Fitting.checkWeights(this, schema);
        if (!isDefined(inputCols())) {
            return super.transformSchema(schema);
        }
        ColumnFeatures.check(this, getLabelCol(), schema);
        E taking = copy(MadeVectors.instead(featuresCol()));
        taking.clear(taking.inputCols());
        return MadeVectors.transformSchema(taking, schema);
    }

    @Override
    public M train(Dataset<?> dataset) {
        return trained(new Fitting(this, dataset).train(getLabelCol(), getFeaturesCol(), this::settings));
    }

    /// What to train, where all examples together weigh so much.
    abstract Linear settings(double weight);

    abstract M trained(SharedModel model);

    @Override
    public E copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
