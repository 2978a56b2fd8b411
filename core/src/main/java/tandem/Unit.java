package tandem;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.problem.Loss;

/// The unit of what is learned, as the first labels show it. A step of FTRL and AdaGrad is as long whatever the
/// gradient, so rates that suit labels about 1 from each other would never get to those of another scale.
///
/// @param labels how far labels are from the constant that predicts them: in the root mean square, or for a loss that
///               bounds what a single label can do, in the median, times what makes that the same for normal numbers
/// @param slopes how steep the loss is that far from a label
record Unit(double labels, double slopes) {

    /// Where scores are not on the scale of labels, or labels are all alike.
    static final Unit ONE = new Unit(1, 1);

    /// So many rows show how far labels are from each other.
    private static final int ENOUGH = 1000;

    /// The standard deviation of normal numbers by the median of how far they are from theirs.
    private static final double NORMAL = 1.4826;

    private static final MathContext DIGITS = new MathContext(4);

    static Unit of(Linear settings, Batches data) throws IOException {
        Loss loss = settings.loss();
        if (!loss.scoresLikeLabels()) {
            return ONE;
        }
        double spread = loss.maxSlope() < Double.POSITIVE_INFINITY
                ? Math.min(medianSpread(data, settings.intercept()), meanSpread(data, settings.intercept()))
                : meanSpread(data, settings.intercept());
        return spread > 0 && spread < Double.POSITIVE_INFINITY
                ? new Unit(spread, Math.min(spread, loss.maxSlope()))
                : ONE;
    }

    /// A penalty that is as strong beside the loss, with no more digits than anyone reads.
    double penalty(double strength) {
        return new BigDecimal(strength * slopes).round(DIGITS).doubleValue();
    }

    /// From their mean, or from 0 if nothing but weights is to predict them.
    private static double meanSpread(Batches data, boolean intercept) throws IOException {
        double[] sums = new double[3];
        firsts(data, (label, more) -> {
            sums[0] += more;
            double by = label - sums[1];
            sums[1] += by * (more / sums[0]);
            sums[2] += more * by * (label - sums[1]);
        });
        double mean = sums[1];
        return Math.sqrt(sums[2] / sums[0] + (intercept ? 0 : mean * mean));
    }

    /// The same by medians, which some labels that are far off do not move; of those that differ if most are alike.
    private static double medianSpread(Batches data, boolean intercept) throws IOException {
        List<double[]> labels = new ArrayList<>();
        firsts(data, (label, weight) -> labels.add(new double[] {label, weight}));
        double center = intercept ? median(labels) : 0;
        labels.forEach(one -> one[0] = Math.abs(one[0] - center));
        double far = median(labels);
        if (far == 0) {
            labels.removeIf(one -> one[0] == 0);
            far = median(labels);
        }
        return NORMAL * far;
    }

    /// The number that has half of the weight below it, of pairs of both; 0 if there are none.
    private static double median(List<double[]> numbers) {
        numbers.sort(Comparator.comparingDouble(one -> one[0]));
        double all = numbers.stream().mapToDouble(one -> one[1]).sum();
        double below = 0;
        for (double[] one : numbers) {
            below += one[1];
            if (below >= all / 2) {
                return one[0];
            }
        }
        return 0;
    }

    private interface Example {
        void add(double label, double weight);
    }

    /// Says the labels of the first rows that count.
    private static void firsts(Batches data, Example to) throws IOException {
        long rows = 0;
        Batch batch = new Batch();
        Batches.Pass pass = data.look();
        while (rows < ENOUGH && pass.next(batch)) {
            rows += batch.rows();
            for (int row = 0; row < batch.rows(); row++) {
                if (batch.weights()[row] > 0) {
                    to.add(batch.labels()[row], batch.weights()[row]);
                }
            }
        }
    }
}
