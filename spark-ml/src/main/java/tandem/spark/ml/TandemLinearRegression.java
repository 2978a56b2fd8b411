package tandem.spark.ml;

import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.Linear;
import tandem.problem.Loss;

/// Linear regression on servers and workers in Spark's executors.
///
/// Minimises half the mean of the squared errors, by `weightCol` if that is set, plus
/// regParam · (elasticNetParam · ‖w‖₁ + (1 − elasticNetParam)/2 · ‖w‖²). Neither features nor labels are standardised.
public final class TandemLinearRegression
        extends TandemRegressor<TandemLinearRegression, TandemLinearRegressionModel, LinearKnobs>
        implements LinearEstimator<TandemLinearRegression> {

    private static final long serialVersionUID = 1;

    public TandemLinearRegression() {
        this(Identifiable.randomUID("tandemLinReg"));
    }

    public TandemLinearRegression(String uid) {
        super(uid, LinearKnobs::new);
    }

    public static MLReader<TandemLinearRegression> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemLinearRegression load(String path) {
        return read().load(path);
    }

    @Override
    Linear settings(double weight) {
        return LinearSettings.of(this, Loss.named("squared"), weight);
    }

    @Override
    TandemLinearRegressionModel trained(SharedModel model) {
        return new TandemLinearRegressionModel(uid(), model);
    }
}
