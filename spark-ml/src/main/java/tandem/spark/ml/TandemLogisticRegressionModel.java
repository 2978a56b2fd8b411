package tandem.spark.ml;

import java.io.IOException;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple3;
import tandem.model.LinearModel;
import tandem.problem.Link;

/// Logistic regression that scores vectors on executors, without servers and workers.
public final class TandemLogisticRegressionModel
        extends ProbabilisticClassificationModel<Vector, TandemLogisticRegressionModel>
        implements LinearParams, MLWritable {

    private static final long serialVersionUID = 1;

    private final String uid;
    private final Knobs knobs;
    private final DoubleParam threshold;
    private final SharedModel shared;
    private final int numFeatures;

    /// @param numFeatures how long vectors are; -1 if that is not known
    TandemLogisticRegressionModel(String uid, LinearModel model, int numFeatures) {
        this(uid, new SharedModel(model), numFeatures);
    }

    private TandemLogisticRegressionModel(String uid, SharedModel shared, int numFeatures) {
        this.uid = uid; // what comes above names its parameters by it
        super();
        knobs = new Knobs(this);
        threshold = Thresholds.param(this);
        this.shared = shared;
        this.numFeatures = numFeatures;
    }

    /// A model that the command line has trained on a LIBSVM file. Class 1 is its positive class.
    public static TandemLogisticRegressionModel fromDirectory(String directory) throws IOException {
        LinearModel model = Saved.trained(directory);
        if (model.link() != Link.LOGISTIC) {
            throw new IllegalArgumentException(directory + " was trained for " + model.loss()
                    + " loss, which gives no probabilities; use a model of logistic loss");
        }
        return new TandemLogisticRegressionModel(Identifiable.randomUID("tandemLogReg"), model, Saved.features(model));
    }

    public static MLReader<TandemLogisticRegressionModel> read() {
        return new Saved.Reader<>(TandemLogisticRegressionModel.class, TandemLogisticRegressionModel::new);
    }

    public static TandemLogisticRegressionModel load(String path) {
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

    public DoubleParam threshold() {
        return threshold;
    }

    public double getThreshold() {
        return (double) getOrDefault(threshold);
    }

    public TandemLogisticRegressionModel setThreshold(double value) {
        set(threshold, value);
        return this;
    }

    /// Nothing else than above; but what is one method to Scala, whose tuples are covariant, is two to Java.
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public Tuple3 findSummaryModel() {
        return super.findSummaryModel();
    }

    @Override
    public int numClasses() {
        return 2;
    }

    @Override
    public Vector predictRaw(Vector features) {
        double score = shared.score(features);
        return Vectors.dense(-score, score);
    }

    @Override
    public Vector raw2probabilityInPlace(Vector raw) {
        double[] values = ((DenseVector) raw).values();
        for (int k = 0; k < values.length; k++) {
            values[k] = Link.LOGISTIC.mean(values[k]);
        }
        return raw;
    }

    @Override
    public double raw2prediction(Vector raw) {
        return probability2prediction(raw2probability(raw));
    }

    @Override
    public double probability2prediction(Vector probability) {
        return isDefined(thresholds())
                ? super.probability2prediction(probability)
                : probability.apply(1) > getThreshold() ? 1 : 0;
    }

    @Override
    public TandemLogisticRegressionModel copy(ParamMap extra) {
        return copyValues(new TandemLogisticRegressionModel(uid, shared, numFeatures), extra)
                .setParent(parent());
    }
}
