package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.model.LinearModel;

/// Linear regression that scores on executors, without servers and workers.
public final class TandemLinearRegressionModel extends TandemRegressionModel<TandemLinearRegressionModel, LinearKnobs>
        implements LinearParams {

    private static final long serialVersionUID = 1;

    TandemLinearRegressionModel(String uid, SharedModel model) {
        super(uid, LinearKnobs::new, model);
    }

    /// A model that `train linear` has trained on a LIBSVM file or a table.
    public static TandemLinearRegressionModel fromDirectory(String directory) throws IOException {
        SharedModel model = Saved.trained(directory);
        Saved.checkLinear(directory, model.model());
        Saved.checkNumbers(directory, model.model());
        return Saved.named(new TandemLinearRegressionModel(Identifiable.randomUID("tandemLinReg"), model), model);
    }

    public static MLReader<TandemLinearRegressionModel> read() {
        return new Saved.Reader<>(TandemLinearRegressionModel.class, TandemLinearRegressionModel::new);
    }

    public static TandemLinearRegressionModel load(String path) {
        return read().load(path);
    }

    /// The model as Tandem has it, with where it comes from.
    public LinearModel linear() {
        return shared().model().weights();
    }

    public Vector coefficients() {
        return shared().coefficients();
    }

    @Override
    TandemLinearRegressionModel again() {
        return new TandemLinearRegressionModel(uid(), shared());
    }
}
