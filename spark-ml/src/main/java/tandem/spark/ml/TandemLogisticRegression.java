package tandem.spark.ml;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import tandem.problem.Loss;

/// Logistic regression on servers and workers in Spark's executors, for labels 0 and 1.
///
/// Minimises the mean of the logistic loss, by `weightCol` if that is set, plus
/// regParam · (elasticNetParam · ‖w‖₁ + (1 − elasticNetParam)/2 · ‖w‖²), as Spark's own does without standardization.
public final class TandemLogisticRegression
        extends ProbabilisticClassifier<Vector, TandemLogisticRegression, TandemLogisticRegressionModel>
        implements LinearEstimator<TandemLogisticRegression>, DefaultParamsWritable {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final Knobs knobs;
    private final DoubleParam threshold;

    public TandemLogisticRegression() {
        this(Identifiable.randomUID("tandemLogReg"));
    }

    public TandemLogisticRegression(String uid) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        knobs = new Knobs(this);
        threshold = Thresholds.param(this);
    }

    public static MLReader<TandemLogisticRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemLogisticRegression load(String path) {
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
    public TandemLogisticRegression self() {
        return this;
    }

    public DoubleParam threshold() {
        return threshold;
    }

    public double getThreshold() {
        return (double) getOrDefault(threshold);
    }

    /// Above which probability an example is of class 1; `thresholds` go before it.
    public TandemLogisticRegression setThreshold(double value) {
        set(threshold, value);
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        Fitting.checkWeights(this, schema);
        return super.transformSchema(schema);
    }

    @Override
    public TandemLogisticRegressionModel train(Dataset<?> dataset) {
        Fitting fitting = new Fitting(this, getLabelCol(), getFeaturesCol(), dataset);
        try {
            return new TandemLogisticRegressionModel(uid, fitting.train(Loss.named("logistic")), fitting.features());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public TandemLogisticRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
