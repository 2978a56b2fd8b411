package tandem.report;

import java.util.ArrayList;
import java.util.List;

/// How the loss fell while examples went by. One thread adds points; drawing is [Picture]'s.
public final class LearningCurve {

    /// @param examples worked on so far, each as often as it was read
    /// @param seconds since training began
    /// @param progressiveLoss the mean loss of the examples since the point before, each taken before its
    ///     update; NaN for a batch solver
    /// @param trainLoss the mean loss over the whole training data at this moment; NaN for an online solver
    /// @param validationLoss the mean loss over the validation data at this moment; NaN without them
    /// @param validationAuc the AUC over the validation data; NaN without them
    public record Point(
            long examples,
            double seconds,
            double progressiveLoss,
            double trainLoss,
            double validationLoss,
            double validationAuc) {}

    private final List<Point> points = new ArrayList<>();

    public void add(Point point) {
        points.add(point);
    }

    public List<Point> points() {
        return List.copyOf(points);
    }

    /// The picture of the curve; `lossName` labels the upright axis.
    public Picture picture(String title, String lossName) {
        return new Picture(title, lossName, points());
    }
}
