package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import tandem.model.LinearModel;

/// Linear regression that scores vectors on executors, without servers and workers.
public final class TandemLinearRegressionModel extends RegressionModel<Vector, TandemLinearRegressionModel>
        implements LinearParams, MLWritable {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final Knobs knobs;
    private final SharedModel shared;
    private final int numFeatures;

    /// @param numFeatures how long vectors are; -1 if that is not known
    TandemLinearRegressionModel(String uid, LinearModel model, int numFeatures) {
        this(uid, new SharedModel(model), numFeatures);
    }

    private TandemLinearRegressionModel(String uid, SharedModel shared, int numFeatures) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        knobs = new Knobs(this);
        this.shared = shared;
        this.numFeatures = numFeatures;
    }

    /// A model that the command line has trained on a LIBSVM file.
    public static TandemLinearRegressionModel fromDirectory(String directory) throws IOException {
        LinearModel model = Saved.trained(directory);
        if (!model.classes().isEmpty()) {
            throw new IllegalArgumentException(directory + " was trained for " + model.loss()
                    + " loss, which tells classes; use a model of squared loss, or another for numbers");
        }
        return new TandemLinearRegressionModel(Identifiable.randomUID("tandemLinReg"), model, Saved.features(model));
    }

    public static MLReader<TandemLinearRegressionModel> read() {
        return new Saved.Reader<>(TandemLinearRegressionModel.class, TandemLinearRegressionModel::new);
    }

    public static TandemLinearRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public MLWriter write() {
        return new Saved.Writer(this, shared.model(), numFeatures);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public Knobs knobs() {
        return knobs;
    }

    /// The model as Tandem has it, with where it comes from.
    public LinearModel linear() {
        return shared.model();
    }

    public Vector coefficients() {
        return shared.coefficients(numFeatures);
    }

    public double intercept() {
        return shared.intercept();
    }

    @Override
    public int numFeatures() {
        return numFeatures;
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        shared.send(dataset.sparkSession().sparkContext());
        return super.transform(dataset);
    }

    @Override
    public double predict(Vector features) {
        return shared.predict(features);
    }

    @Override
    public TandemLinearRegressionModel copy(ParamMap extra) {
        return copyValues(new TandemLinearRegressionModel(uid, shared, numFeatures), extra)
                .setParent(parent());
    }
}
