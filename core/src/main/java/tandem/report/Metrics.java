package tandem.report;

import java.util.List;

/// How good predictions were. A number that the task does not have, or that the data leaves undefined
/// (an AUC of one class), is NaN here and `null` in JSON. Everything is weighted by instance weights.
///
/// @param examples how many were scored
/// @param weight the sum of their instance weights
/// @param loss the mean of the loss the model was trained for, without the regulariser
/// @param labelMean the share of the positive class, or the mean of the labels
/// @param labelDeviation the standard deviation of labels that are numbers: the RMSE of always predicting their mean
/// @param auc the chance that a positive example scores above a negative one, a tie counting half; exact
/// @param logloss the mean −log probability of the true class, natural logarithm, clipped at 1e-15
/// @param accuracy the share of examples whose class was predicted
/// @param f1 of the positive class; with more than two, the mean over the classes that occur (macro)
/// @param rmse the root of the mean squared error
/// @param mae the mean absolute error
/// @param calibration tenths of the examples by predicted probability, lowest first; empty without them
public record Metrics(
        long examples,
        double weight,
        double loss,
        double labelMean,
        double labelDeviation,
        double auc,
        double logloss,
        double accuracy,
        double f1,
        double rmse,
        double mae,
        List<Decile> calibration) {

    /// A tenth of the examples: the mean predicted probability, the share that was positive, and the
    /// weight of the examples. Equal predictions stay together, so tenths may differ in weight.
    public record Decile(double predicted, double observed, double weight) {}

    public Metrics {
        calibration = List.copyOf(calibration);
    }

    /// With the mean of the trained loss, which a tally does not know.
    public Metrics withLoss(double loss) {
        return new Metrics(
                examples, weight, loss, labelMean, labelDeviation, auc, logloss, accuracy, f1, rmse, mae, calibration);
    }

    /// The logloss of always predicting the share of positives: what a model has to beat.
    public double baselineLogloss() {
        double p = labelMean;
        return p > 0 && p < 1 ? -(p * Math.log(p) + (1 - p) * Math.log(1 - p)) : 0;
    }
}
