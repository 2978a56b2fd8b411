package tandem.bench.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import tandem.spark.ml.TandemLogisticRegression;
import tandem.spark.ml.TandemLogisticRegressionModel;
import tandem.spark.ml.TandemTrainingSummary;

/// Ours, on a worker in each slot and one server.
record Tandem(Play play) implements Contender {

    static final int WORKERS = 2;

    @Override
    public Fitted fit(Dataset<Row> training, Order order) throws Exception {
        return switch (play.model()) {
            case LOGISTIC -> logistic(training, order);
            case FACTORS -> FactorFit.of(play, training, order);
        };
    }

    private Fitted logistic(Dataset<Row> training, Order order) {
        TandemLogisticRegression estimator = new TandemLogisticRegression();
        if (play.solver() != null) {
            estimator.setSolver(play.solver());
        }
        TandemLogisticRegressionModel model = estimator
                .setRegParam(play.regParam())
                .setElasticNetParam(play.l1Share())
                .setNumWorkers(WORKERS)
                .setMaxIter(order.maxIter())
                .setTol(order.tol())
                .fit(training);
        return new Fitted() {

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
                return new double[0];
            }

            @Override
            public Answer.Split split(TaskTimes.Sums tasks, double slotSeconds) {
                return Tandem.split(tree(model.summary()), tasks, slotSeconds);
            }
        };
    }

    static JsonNode tree(TandemTrainingSummary summary) {
        try {
            return new ObjectMapper().readTree(summary.report());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Long tasks pack their rows, and then are workers, which know what they do.
    static Answer.Split split(JsonNode report, TaskTimes.Sums tasks, double slotSeconds) {
        double compute = tasks.compute();
        double move = tasks.move();
        double packing = tasks.longSeconds() - WORKERS * report.path("seconds").asDouble();
        for (JsonNode worker : report.path("workers")) {
            compute += worker.path("computeSeconds").asDouble();
            move += worker.path("communicationSeconds").asDouble();
        }
        compute += Math.max(0, packing);
        return new Answer.Split(compute, move, Math.max(0, slotSeconds - compute - move));
    }
}
