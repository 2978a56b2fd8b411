package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.model.FactorModel;

/// A factorisation machine that predicts numbers on executors, without servers and workers.
public final class TandemFactorizationMachineRegressionModel
        extends TandemRegressionModel<TandemFactorizationMachineRegressionModel, FactorKnobs> implements FactorParams {

    private static final long serialVersionUID = 1;

    TandemFactorizationMachineRegressionModel(String uid, SharedModel model) {
        super(uid, FactorKnobs::new, model);
    }

    /// A model that `train factor` has trained on a LIBSVM file or a table.
    public static TandemFactorizationMachineRegressionModel fromDirectory(String directory) throws IOException {
        SharedModel model = Saved.trained(directory);
        Saved.checkNumbers(directory, model.model());
        return Saved.named(
                new TandemFactorizationMachineRegressionModel(Identifiable.randomUID("tandemFMReg"), model), model);
    }

    public static MLReader<TandemFactorizationMachineRegressionModel> read() {
        return new Saved.Reader<>(
                TandemFactorizationMachineRegressionModel.class, TandemFactorizationMachineRegressionModel::new);
    }

    public static TandemFactorizationMachineRegressionModel load(String path) {
        return read().load(path);
    }

    /// The model as Tandem has it, with where it comes from.
    public FactorModel machine() {
        return shared().model();
    }

    /// The weights by feature.
    public Vector linear() {
        return shared().coefficients();
    }

    /// The factors by feature, a row each; zeros where a feature has none.
    public Matrix factors() {
        return shared().factors();
    }

    @Override
    TandemFactorizationMachineRegressionModel again() {
        return new TandemFactorizationMachineRegressionModel(uid(), shared());
    }
}
