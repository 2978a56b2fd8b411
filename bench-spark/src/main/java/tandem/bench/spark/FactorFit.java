package tandem.bench.spark;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import tandem.spark.ml.TandemFactorizationMachine;
import tandem.spark.ml.TandemFactorizationMachineModel;

/// A factorisation machine in which every feature has factors, as MLlib's has, with our own defaults otherwise.
record FactorFit(TandemFactorizationMachineModel model, JsonNode report) implements Contender.Fitted {

    static FactorFit of(Play play, Dataset<Row> training, Order order) {
        TandemFactorizationMachineModel model = new TandemFactorizationMachine()
                .setSolver("fm")
                .setFactorSize(play.factors())
                .setNumWorkers(Tandem.WORKERS)
                .setMaxIter(order.maxIter())
                .fit(training);
        return new FactorFit(model, Tandem.tree(model.summary()));
    }

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

    @Override
    public Answer.Split split(TaskTimes.Sums tasks, double slotSeconds) {
        return Tandem.split(report, tasks, slotSeconds);
    }
}
