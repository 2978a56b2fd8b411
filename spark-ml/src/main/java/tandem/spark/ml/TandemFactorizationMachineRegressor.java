package tandem.spark.ml;

import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.Linear;
import tandem.problem.Loss;

/// A factorisation machine that predicts numbers, on servers and workers in Spark's executors: a linear model that also
/// knows what pairs of features mean together. No prediction is below the least label or above the largest.
///
/// Minimises half the mean of the squared errors, by `weightCol` if that is set, plus penalties on weights and factors.
public final class TandemFactorizationMachineRegressor
        extends TandemRegressor<
                TandemFactorizationMachineRegressor, TandemFactorizationMachineRegressionModel, FactorKnobs>
        implements FactorEstimator<TandemFactorizationMachineRegressor> {

    private static final long serialVersionUID = 1;

    public TandemFactorizationMachineRegressor() {
        this(Identifiable.randomUID("tandemFMReg"));
    }

    public TandemFactorizationMachineRegressor(String uid) {
        super(uid, FactorKnobs::new);
    }

    public static MLReader<TandemFactorizationMachineRegressor> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemFactorizationMachineRegressor load(String path) {
        return read().load(path);
    }

    @Override
    Linear settings(double weight) {
        return FactorSettings.of(this, Loss.named("squared"), weight);
    }

    @Override
    TandemFactorizationMachineRegressionModel trained(SharedModel model) {
        return new TandemFactorizationMachineRegressionModel(uid(), model);
    }
}
