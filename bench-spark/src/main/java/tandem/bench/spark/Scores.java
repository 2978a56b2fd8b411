package tandem.bench.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// Judges models, whoever has trained them.
final class Scores {

    private Scores() {}

    /// Label and score of rows that a classifier of Spark ML has scored.
    static JavaRDD<double[]> of(Dataset<Row> scored) {
        return scored.select("label", "rawPrediction").javaRDD().map(row ->
                new double[] {row.getDouble(0), ((Vector) row.get(1)).apply(1)});
    }

    /// The mean logistic loss.
    static double meanLoss(JavaRDD<double[]> scores) {
        double[] sums = scores.aggregate(
                new double[2], (sum, one) -> new double[] {sum[0] + loss(one[0], one[1]), sum[1] + 1}, (a, b) ->
                        new double[] {a[0] + b[0], a[1] + b[1]});
        return sums[0] / sums[1];
    }

    /// log(1 + exp(−margin)), for margins of any size.
    static double loss(double label, double score) {
        double margin = label > 0 ? score : -score;
        return Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
    }

    /// Strength · (share · ‖w‖₁ + (1 − share)/2 · ‖w‖²).
    static double penalty(Vector weights, double strength, double share) {
        double squares = Math.pow(Vectors.norm(weights, 2), 2);
        return strength * (share * Vectors.norm(weights, 1) + (1 - share) / 2 * squares);
    }
}
