package tandem.spark.ml;

import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.Linear;
import tandem.problem.Loss;

/// A factorisation machine for labels 0 and 1, on servers and workers in Spark's executors: a linear model that also
/// knows what pairs of features mean together.
///
/// Minimises the mean of the logistic loss, by `weightCol` if that is set, plus penalties on weights and factors. For
/// numbers there is [TandemFactorizationMachineRegressor].
public final class TandemFactorizationMachine
        extends TandemClassifier<TandemFactorizationMachine, TandemFactorizationMachineModel, FactorKnobs>
        implements FactorEstimator<TandemFactorizationMachine> {

    private static final long serialVersionUID = 1;

    public TandemFactorizationMachine() {
        this(Identifiable.randomUID("tandemFM"));
    }

    public TandemFactorizationMachine(String uid) {
        super(uid, FactorKnobs::new);
    }

    public static MLReader<TandemFactorizationMachine> read() {
        return new DefaultParamsReader<>();
    }

    public static TandemFactorizationMachine load(String path) {
        return read().load(path);
    }

    @Override
    Linear settings(double weight) {
        return FactorSettings.of(this, Loss.named("logistic"), weight);
    }

    @Override
    TandemFactorizationMachineModel trained(SharedModel model) {
        return new TandemFactorizationMachineModel(uid(), model);
    }
}
