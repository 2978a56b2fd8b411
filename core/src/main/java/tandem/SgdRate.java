package tandem;

import java.io.IOException;
import tandem.data.Batches;
import tandem.problem.Loss;

/// The learning rate of SGD when none is given. Unlike the other rules it does not adapt to how large values are,
/// so it is taken from the rows of the first batch: the longer they are, the smaller the steps.
final class SgdRate {

    /// For rows of length 0 under a loss whose slope is bounded, such as logistic: too large a step then only
    /// overshoots. Found by trying; on a9a, census and debpkg half and twice of it lose 1 % of the loss at most.
    private static final double BOUNDED = 3;

    /// So many pushes that are made from the same weights are well with that.
    private static final int TOGETHER = 2;

    private SgdRate() {}

    /// For `loss` with a push every `rows` rows, of which `together` may be made from the same weights.
    static double of(Loss loss, int rows, int together, Batches data) throws IOException {
        double square = 1 + FirstRows.meanSquare(data);
        if (Double.isFinite(loss.maxSlope())) {
            return BOUNDED / square * TOGETHER / Math.max(TOGETHER, together);
        }
        // The first step is half the rate.
        return 2 * safe(loss, rows, data);
    }

    /// The length of a step by the summed gradient of `rows` rows that is half of what would make steps grow without
    /// bound, where the curvature of the loss is bounded.
    static double safe(Loss loss, int rows, Batches data) throws IOException {
        double curvature = Double.isFinite(loss.maxCurvature()) ? loss.maxCurvature() : 1;
        return 1 / (rows * curvature * (1 + FirstRows.meanSquare(data)));
    }
}
