package tandem.spark.ml;

import com.fasterxml.jackson.databind.JsonNode;
import tandem.Trained;
import tandem.data.RowSummary;
import tandem.report.Json;
import tandem.report.LearningCurve;
import tandem.report.Report;

/// How training went. A model that was loaded has none.
///
/// @param totalIterations  iterations, or passes over the data
/// @param objectiveHistory before the first of them and after each, as Spark has it: the objective with its penalty,
///                         over the weight of all examples. Of an online solver or a factorisation machine the mean
///                         loss in each pass, every example taken before it was learned
/// @param stopped          why it ended, such as `converged`
/// @param report           all that is known, as JSON
public record TandemTrainingSummary(long totalIterations, double[] objectiveHistory, String stopped, String report) {

    static TandemTrainingSummary of(Trained trained, RowSummary examples) {
        // On the curve an objective is that of the mean row.
        double scale = examples.rows() / examples.weight();
        double[] history = trained.curve().points().stream()
                .mapToDouble(point -> loss(point, scale))
                .toArray();
        return of(trained.report(), history);
    }

    static TandemTrainingSummary of(Report report, double[] history) {
        JsonNode all = report.tree();
        return new TandemTrainingSummary(
                all.path("iterations").asLong(), history, all.path("stopped").asText(), Json.text(all));
    }

    private static double loss(LearningCurve.Point point, double scale) {
        return Double.isNaN(point.trainLoss()) ? point.progressiveLoss() : point.trainLoss() * scale;
    }
}
