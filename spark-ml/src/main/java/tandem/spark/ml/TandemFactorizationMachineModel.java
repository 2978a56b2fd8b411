package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.model.FactorModel;

/// A factorisation machine that tells two classes on executors, without servers and workers.
public final class TandemFactorizationMachineModel
        extends TandemClassificationModel<TandemFactorizationMachineModel, FactorKnobs> implements FactorParams {

    private static final long serialVersionUID = 1;

    TandemFactorizationMachineModel(String uid, SharedModel model) {
        super(uid, FactorKnobs::new, model);
    }

    /// A model that `train factor` has trained on a LIBSVM file or a table. Class 1 is its positive class.
    public static TandemFactorizationMachineModel fromDirectory(String directory) throws IOException {
        SharedModel model = Saved.trained(directory);
        Saved.checkProbabilities(directory, model.model());
        return Saved.named(new TandemFactorizationMachineModel(Identifiable.randomUID("tandemFM"), model), model);
    }

    public static MLReader<TandemFactorizationMachineModel> read() {
        return new Saved.Reader<>(TandemFactorizationMachineModel.class, TandemFactorizationMachineModel::new);
    }

    public static TandemFactorizationMachineModel load(String path) {
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
    TandemFactorizationMachineModel again() {
        return new TandemFactorizationMachineModel(uid(), shared());
    }
}
