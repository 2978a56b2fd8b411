package tandem.bench.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// Spark's own: L-BFGS, or OWL-QN where there is an L1 penalty, and gradient descent for factorisation machines.
record Mllib(Play play) implements Contender {

    @Override
    public Fitted fit(Dataset<Row> training, Order order) {
        return switch (play.model()) {
            case LOGISTIC -> logistic(training, order);
            case FACTORS -> factors(training, order);
        };
    }

    private Fitted logistic(Dataset<Row> training, Order order) {
        LogisticRegressionModel model = new LogisticRegression()
                .setRegParam(play.regParam())
                .setElasticNetParam(play.l1Share())
                .setStandardization(false)
                .setMaxIter(order.maxIter())
                .setTol(order.tol())
                .fit(training);
        return new Own() {

            @Override
            public JavaRDD<double[]> scores(Dataset<Row> rows) {
                return Scores.of(model.transform(rows));
            }

            @Override
            public double penalty() {
                return Scores.penalty(model.coefficients(), play.regParam(), play.l1Share());
            }

            @Override
            public long nonZeros() {
                return model.coefficients().numNonzeros();
            }

            @Override
            public double[] history() {
                return model.summary().objectiveHistory();
            }
        };
    }

    private Fitted factors(Dataset<Row> training, Order order) {
        FMClassificationModel model = new FMClassifier()
                .setFactorSize(play.factors())
                .setRegParam(play.regParam())
                .setStepSize(play.stepSize())
                .setMaxIter(order.maxIter())
                .setTol(order.tol())
                .setSeed(1)
                .fit(training);
        return new Own() {

            @Override
            public JavaRDD<double[]> scores(Dataset<Row> rows) {
                return Scores.of(model.transform(rows));
            }

            @Override
            public double penalty() {
                return Double.NaN;
            }

            @Override
            public long nonZeros() {
                return model.linear().numNonzeros();
            }

            @Override
            public double[] history() {
                return new double[0];
            }
        };
    }

    /// Everything happens in short tasks; between them the driver works.
    private interface Own extends Fitted {

        @Override
        default Answer.Split split(TaskTimes.Sums tasks, double slotSeconds) {
            return new Answer.Split(
                    tasks.compute(), tasks.move(), Math.max(0, slotSeconds - tasks.compute() - tasks.move()));
        }
    }
}
