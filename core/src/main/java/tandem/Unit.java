package tandem;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.problem.Loss;

/// The unit of what is learned, as the first labels show it. A step of FTRL and AdaGrad is as long whatever the
/// gradient, so rates that suit labels about 1 from each other would never get to those of another scale.
///
/// @param labels how far labels are from the constant that predicts them, in the root mean square
/// @param slopes how steep the loss is that far from a label
record Unit(double labels, double slopes) {

    /// Where scores are not on the scale of labels, or labels are all alike.
    static final Unit ONE = new Unit(1, 1);

    /// So many rows show how far labels are from each other.
    private static final int ENOUGH = 1000;

    private static final MathContext DIGITS = new MathContext(4);

    static Unit of(Linear settings, Batches data) throws IOException {
        Loss loss = settings.loss();
        if (!loss.scoresLikeLabels()) {
            return ONE;
        }
        double spread = spread(data, settings.intercept());
        return spread > 0 && spread < Double.POSITIVE_INFINITY
                ? new Unit(spread, Math.min(spread, loss.maxSlope()))
                : ONE;
    }

    /// A penalty that is as strong beside the loss, with no more digits than anyone reads.
    double penalty(double strength) {
        return new BigDecimal(strength * slopes).round(DIGITS).doubleValue();
    }

    /// From their mean, or from 0 if nothing but weights is to predict them.
    private static double spread(Batches data, boolean intercept) throws IOException {
        double weight = 0;
        double mean = 0;
        double squares = 0;
        long rows = 0;
        Batch batch = new Batch();
        Batches.Pass pass = data.look();
        while (rows < ENOUGH && pass.next(batch)) {
            rows += batch.rows();
            for (int row = 0; row < batch.rows(); row++) {
                double more = batch.weights()[row];
                if (more > 0) {
                    weight += more;
                    double by = batch.labels()[row] - mean;
                    mean += by * (more / weight);
                    squares += more * by * (batch.labels()[row] - mean);
                }
            }
        }
        return Math.sqrt(squares / weight + (intercept ? 0 : mean * mean));
    }
}
