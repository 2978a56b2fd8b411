package tandem.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// How the loss fell while examples went by. One thread adds points; drawing is [Chart]'s.
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

    /// The picture of the curve: a line for each kind of loss that it has; `lossName` labels the upright axis.
    public Chart picture(String title, String lossName) {
        List<Chart.Line> lines = new ArrayList<>();
        keep(lines, "progressive, before each update", Point::progressiveLoss);
        keep(lines, "training", Point::trainLoss);
        keep(lines, "validation", Point::validationLoss);
        return Chart.around(title, "examples", lossName, lines);
    }

    private void keep(List<Chart.Line> lines, String name, ToDoubleFunction<Point> loss) {
        List<Point> known = points.stream()
                .filter(point -> Double.isFinite(loss.applyAsDouble(point)))
                .toList();
        if (!known.isEmpty()) {
            lines.add(new Chart.Line(
                    name,
                    known.stream().mapToDouble(Point::examples).toArray(),
                    known.stream().mapToDouble(loss).toArray()));
        }
    }
}
