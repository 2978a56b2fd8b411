package tandem.worker;

/// The intercept that a fresh run starts from: the constant that fits the labels of its first batch best.
///
/// From 0 every feature that most rows have would learn its share of what belongs to the intercept, and give it
/// back only slowly; data without those features would then be predicted far off.
final class FirstIntercept {

    /// A quadratic around 0 that keeps the constant finite where all labels are alike.
    private static final double PULL = 0.1;

    private static final double LARGEST = 1e12;
    private static final int HALVINGS = 100;

    private final OnlineTask task;
    private final int rows;
    private final double[] labels;
    private final float[] weights;

    /// For a batch of `rows` rows.
    FirstIntercept(OnlineTask task, int rows, double[] labels, float[] weights) {
        this.task = task;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
    }

    /// Where the slope of the summed loss crosses 0; 0 if the loss is not convex.
    float value() {
        if (!task.loss().convex()) {
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
        double sum = PULL * constant;
        for (int row = 0; row < rows; row++) {
            double label = task.target().of(labels[row]);
            sum += task.importance(weights[row], label) * task.loss().derivative(constant, label);
        }
        return sum;
    }
}
