package tandem.spark.ml;

import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.Linear;
import tandem.problem.Loss;

/// Logistic regression on servers and workers in Spark's executors, for labels 0 and 1.
///
/// Minimises the mean of the logistic loss, by `weightCol` if that is set, plus
/// regParam · (elasticNetParam · ‖w‖₁ + (1 − elasticNetParam)/2 · ‖w‖²), as Spark's own does without standardization.
public final class TandemLogisticRegression
        extends TandemClassifier<TandemLogisticRegression, TandemLogisticRegressionModel, LinearKnobs>
        implements LinearEstimator<TandemLogisticRegression> {

    private static final long serialVersionUID = 1;

    public TandemLogisticRegression() {
        this(Identifiable.randomUID("tandemLogReg"));
    }

    public TandemLogisticRegression(String uid) {
        super(uid, LinearKnobs::new);
    }

    public static MLReader<TandemLogisticRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemLogisticRegression load(String path) {
        return read().load(path);
    }

    @Override
    Linear settings(double weight) {
        return LinearSettings.of(this, Loss.named("logistic"), weight);
    }

    @Override
    TandemLogisticRegressionModel trained(SharedModel model) {
        return new TandemLogisticRegressionModel(uid(), model);
    }
}
