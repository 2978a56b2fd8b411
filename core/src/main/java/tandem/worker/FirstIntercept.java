package tandem.worker;

import java.io.IOException;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.problem.Loss;

/// The intercept that a fresh run starts from: the constant that fits the labels of its first batch best.
///
/// From 0 every feature that most rows have would learn its share of what belongs to the intercept, and give it
/// back only slowly; data without those features would then be predicted far off.
public final class FirstIntercept {

    /// A quadratic around 0 that keeps the constant finite where it is a logarithm and all labels are alike. What
    /// fits numbers themselves is among them, and would only be pulled off.
    private static final double PULL = 0.1;

    private static final double LARGEST = Float.MAX_VALUE;
    private static final int HALVINGS = 100;

    private final Loss loss;
    private final Target target;
    private final double positiveWeight;
    private final double pull;
    private final int rows;
    private final double[] labels;
    private final float[] weights;

    /// For a batch of `rows` rows.
    FirstIntercept(OnlineTask task, int rows, double[] labels, float[] weights) {
        this(task.loss(), task.target(), task.positiveWeight(), rows, labels, weights);
    }

    private FirstIntercept(
            Loss loss, Target target, double positiveWeight, int rows, double[] labels, float[] weights) {
        this.loss = loss;
        this.target = target;
        this.positiveWeight = positiveWeight;
        pull = loss.scoresLikeLabels() ? 0 : PULL;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
    }

    /// The intercept for workers that learn together: that of the first batch of the first pass.
    public static float of(MinibatchTask task, Batches data) throws IOException {
        Batch batch = new Batch();
        if (!data.pass(0, 0).next(batch)) {
            return 0;
        }
        return new FirstIntercept(
                        task.loss(),
                        task.target(),
                        task.positiveWeight(),
                        batch.rows(),
                        batch.labels(),
                        batch.weights())
                .value();
    }

    /// Where the slope of the summed loss crosses 0; 0 if the loss is not convex.
    float value() {
        if (!loss.convex()) {
            return 0;
        }
        double sign = slope(0) > 0 ? -1 : 1;
        double far = sign;
        while (sign * slope(far) < 0 && Math.abs(far) < LARGEST) {
            far *= 2;
        }
        double near = 0;
        for (int h = 0; h < HALVINGS; h++) {
            double middle = near + (far - near) / 2;
            if (sign * slope(middle) < 0) {
                near = middle;
            } else {
                far = middle;
            }
        }
        return (float) near;
    }

    private double slope(double constant) {
        double sum = pull * constant;
        for (int row = 0; row < rows; row++) {
            double label = target.of(labels[row]);
            sum += weights[row] * (label > 0 ? positiveWeight : 1) * loss.derivative(constant, label);
        }
        return sum;
    }
}
