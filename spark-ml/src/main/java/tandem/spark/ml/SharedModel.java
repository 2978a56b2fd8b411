package tandem.spark.ml;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import tandem.model.LinearModel;
import tandem.model.Precision;
import tandem.model.Scorer;

/// A linear model that executors get once each, however many tasks score with it.
final class SharedModel implements Serializable {

    private static final long serialVersionUID = 1;

    /// Null in executors.
    private final transient LinearModel model;

    private final transient Weights weights;

    /// Null until executors need it.
    private Broadcast<Weights> sent;

    /// The application whose executors have it.
    private transient String sentIn;

    SharedModel(LinearModel model) {
        if (model.outputs() != 1) {
            throw new IllegalArgumentException(
                    "the model tells " + model.classes().size() + " classes; here it can tell two");
        }
        this.model = model;
        weights = new Weights(model);
    }

    LinearModel model() {
        return model;
    }

    /// Sends it to executors, if they have not got it.
    synchronized void send(SparkContext context) {
        if (!context.applicationId().equals(sentIn)) {
            sent = JavaSparkContext.fromSparkContext(context).broadcast(weights);
            sentIn = context.applicationId();
        }
    }

    double score(Vector features) {
        Entries entries = Entries.of(features);
        return scorer().score(entries.ids(), entries.values());
    }

    /// What a regression predicts.
    double predict(Vector features) {
        Entries entries = Entries.of(features);
        return scorer().predict(entries.ids(), entries.values());
    }

    private Scorer scorer() {
        return (weights == null ? sent.value() : weights).scorer();
    }

    double intercept() {
        return model.intercepts()[0];
    }

    /// The weights by feature.
    Vector coefficients(int features) {
        if (features < 0) {
            throw new IllegalStateException(
                    "the model has ids that are too large for the features of a vector; see linear() for its weights");
        }
        int[] indices = Arrays.stream(model.ids()).mapToInt(id -> (int) id - 1).toArray();
        return Vectors.sparse(features, indices, model.weights()[0]);
    }

    /// What executors get; they make a scorer of it when they first need one.
    private static final class Weights implements Serializable {

        private static final long serialVersionUID = 1;

        private final String loss;
        private final ArrayList<String> classes;
        private final long[] ids;
        private final double[][] weights;
        private final double[] intercepts;
        private transient Scorer scorer;

        Weights(LinearModel model) {
            loss = model.loss();
            classes = new ArrayList<>(model.classes());
            ids = model.ids();
            weights = model.weights();
            intercepts = model.intercepts();
        }

        synchronized Scorer scorer() {
            if (scorer == null) {
                scorer = new Scorer(new LinearModel(
                        loss, List.copyOf(classes), ids, weights, intercepts, Precision.F64, null, null));
            }
            return scorer;
        }
    }
}
