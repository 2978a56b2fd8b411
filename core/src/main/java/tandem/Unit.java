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
        List<Label> labels = firsts(data);
        double mean = meanSpread(labels, settings.intercept());
        double spread = loss.maxSlope() < Double.POSITIVE_INFINITY
                ? Math.min(mean, medianSpread(labels, settings.intercept()))
                : mean;
        return spread > 0 && spread < Double.POSITIVE_INFINITY
                ? new Unit(spread, Math.min(spread, loss.maxSlope()))
                : ONE;
    }

    /// A penalty that is as strong beside the loss, with no more digits than anyone reads.
    double penalty(double strength) {
        return new BigDecimal(strength * slopes).round(DIGITS).doubleValue();
    }

    private record Label(double value, double weight) {}

    /// From their mean, or from 0 if nothing but weights is to predict them.
    private static double meanSpread(List<Label> labels, boolean intercept) {
        double weight = 0;
        double mean = 0;
        double squares = 0;
        for (Label label : labels) {
            weight += label.weight;
            double by = label.value - mean;
            mean += by * (label.weight / weight);
            squares += label.weight * by * (label.value - mean);
        }
        return Math.sqrt(squares / weight + (intercept ? 0 : mean * mean));
    }

    /// The same by medians, which some labels that are far off do not move; of those that differ if most are alike.
    private static double medianSpread(List<Label> labels, boolean intercept) {
        double center = intercept ? median(labels) : 0;
        List<Label> far = labels.stream()
                .map(label -> new Label(Math.abs(label.value - center), label.weight))
                .toList();
        double spread = median(far);
        return NORMAL
                * (spread > 0
                        ? spread
                        : median(far.stream().filter(one -> one.value > 0).toList()));
    }

    /// The value that has half of the weight below it; 0 if there are none.
    private static double median(List<Label> labels) {
        double all = labels.stream().mapToDouble(Label::weight).sum();
        double below = 0;
        for (Label one :
                labels.stream().sorted(Comparator.comparingDouble(Label::value)).toList()) {
            below += one.weight;
            if (below >= all / 2) {
                return one.value;
            }
        }
        return 0;
    }

    /// The labels of the first rows that count. Looked at once: some data cannot be read again.
    private static List<Label> firsts(Batches data) throws IOException {
        List<Label> labels = new ArrayList<>();
        long rows = 0;
        Batch batch = new Batch();
        Batches.Pass pass = data.look();
        while (rows < ENOUGH && pass.next(batch)) {
            rows += batch.rows();
            for (int row = 0; row < batch.rows(); row++) {
                if (batch.weights()[row] > 0) {
                    labels.add(new Label(batch.labels()[row], batch.weights()[row]));
                }
            }
        }
        return labels;
    }
}
