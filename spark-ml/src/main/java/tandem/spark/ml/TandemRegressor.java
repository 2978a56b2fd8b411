package tandem.spark.ml;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import tandem.Linear;

/// Learns to predict numbers, on servers and workers in Spark's executors.
///
/// @param <E> the estimator itself
/// @param <M> its model
/// @param <K> its parameters
public abstract sealed class TandemRegressor<
                E extends TandemRegressor<E, M, K>, M extends TandemRegressionModel<M, K>, K extends Knobs>
        extends Regressor<Vector, E, M> implements TandemEstimator<E>, DefaultParamsWritable
        permits TandemLinearRegression, TandemFactorizationMachineRegressor {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final K knobs;

    TandemRegressor(String uid, KnobMaker<K> knobs) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        this.knobs = knobs.of(this);
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
