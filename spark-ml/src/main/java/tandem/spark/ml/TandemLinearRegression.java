package tandem.spark.ml;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import tandem.problem.Loss;

/// Linear regression on servers and workers in Spark's executors.
///
/// Minimises half the mean of the squared errors, by `weightCol` if that is set, plus
/// regParam · (elasticNetParam · ‖w‖₁ + (1 − elasticNetParam)/2 · ‖w‖²). Neither features nor labels are standardised.
public final class TandemLinearRegression extends Regressor<Vector, TandemLinearRegression, TandemLinearRegressionModel>
        implements LinearEstimator<TandemLinearRegression>, DefaultParamsWritable {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final Knobs knobs;

    public TandemLinearRegression() {
        this(Identifiable.randomUID("tandemLinReg"));
    }

    public TandemLinearRegression(String uid) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        knobs = new Knobs(this);
    }

    public static MLReader<TandemLinearRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemLinearRegression load(String path) {
        return read().load(path);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public Knobs knobs() {
        return knobs;
    }

    @Override
    public TandemLinearRegression self() {
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        Fitting.checkWeights(this, schema);
        return super.transformSchema(schema);
    }

    @Override
    public TandemLinearRegressionModel train(Dataset<?> dataset) {
        Fitting fitting = new Fitting(this, getLabelCol(), getFeaturesCol(), dataset);
        try {
            return new TandemLinearRegressionModel(uid, fitting.train(Loss.named("squared")), fitting.features());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public TandemLinearRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
