package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import tandem.model.LinearModel;

/// Logistic regression that scores on executors, without servers and workers.
public final class TandemLogisticRegressionModel
        extends TandemClassificationModel<TandemLogisticRegressionModel, LinearKnobs> implements LinearParams {

    private static final long serialVersionUID = 1;

    TandemLogisticRegressionModel(String uid, SharedModel model) {
        super(uid, LinearKnobs::new, model);
    }

    /// A model that `train linear` has trained on a LIBSVM file or a table. Class 1 is its positive class.
    public static TandemLogisticRegressionModel fromDirectory(String directory) throws IOException {
        SharedModel model = Saved.trained(directory);
        Saved.checkLinear(directory, model.model());
        Saved.checkProbabilities(directory, model.model());
        return Saved.named(new TandemLogisticRegressionModel(Identifiable.randomUID("tandemLogReg"), model), model);
    }

    public static MLReader<TandemLogisticRegressionModel> read() {
        return new Saved.Reader<>(TandemLogisticRegressionModel.class, TandemLogisticRegressionModel::new);
    }

    public static TandemLogisticRegressionModel load(String path) {
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
    TandemLogisticRegressionModel again() {
        return new TandemLogisticRegressionModel(uid(), shared());
    }
}
