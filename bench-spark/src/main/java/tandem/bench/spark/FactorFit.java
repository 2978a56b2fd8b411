package tandem.bench.spark;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.data.Data;
import tandem.data.Format;
import tandem.data.RowBuffer;
import tandem.model.FactorModel;
import tandem.model.StoredModel;
import tandem.problem.Separable;
import tandem.runtime.RunDirectory;
import tandem.spark.Blocks;
import tandem.spark.SparkTraining;

/// A factorisation machine in which every feature has factors, as MLlib's has; with the penalties of `train factor
/// --solver fm`. It scores as MLlib's does, with our weights in it.
record FactorFit(FMClassificationModel model, JsonNode report) implements Contender.Fitted {

    static FactorFit of(Play play, Dataset<Row> training, Order order) throws IOException {
        Solver.Factors solver = Solver.Factors.PLAIN
                .withDimension(play.factors())
                .withWeights(Solver.Factors.PLAIN.weights().withPasses(order.maxIter()));
        Linear settings = Linear.DEFAULT.withPenalty(Separable.NONE.withL2(1)).withSolver(solver);
        Path place = Path.of(play.place()).resolve("model-" + UUID.randomUUID());
        JavaRDD<byte[]> blocks = training.select("label", "features").javaRDD().mapPartitions(FactorFit::blocks);
        try {
            LinearTraining job = LinearTraining.of(
                            settings, Data.of("a data frame").withFormat(new Format.LibSvm()))
                    .withCluster(ClusterPlan.DEFAULT
                            .withNodes(Tandem.WORKERS, 1)
                            .withBatchRows(solver.weights().rows()))
                    .withMeasured(false)
                    .withModel(place, false);
            JsonNode report = new SparkTraining(training.sparkSession())
                    .run(job, blocks, Map.of("a data frame", "rows"), _ -> settings)
                    .report()
                    .tree();
            return new FactorFit(model(StoredModel.at(place).loadFactors(), play), report);
        } finally {
            RunDirectory.remove(place);
        }
    }

    private static Iterator<byte[]> blocks(Iterator<Row> rows) {
        RowBuffer buffer = new RowBuffer();
        return new Blocks<>(rows, buffer, row -> {
            SparseVector features = ((Vector) row.get(1)).toSparse();
            for (int e = 0; e < features.indices().length; e++) {
                buffer.add(features.indices()[e] + 1L, (float) features.values()[e]);
            }
            buffer.end(row.getDouble(0), 1);
        });
    }

    private static FMClassificationModel model(FactorModel machine, Play play) {
        int k = machine.dimension();
        long[] ids = machine.weights().ids();
        double[] weights = new double[play.features()];
        double[] factors = new double[play.features() * k];
        for (int place = 0; place < ids.length; place++) {
            int feature = (int) ids[place] - 1;
            weights[feature] = machine.weights().weights()[0][place];
            for (int f = 0; f < k; f++) {
                factors[f * play.features() + feature] = machine.factors()[0][place * k + f];
            }
        }
        return new FMClassificationModel(
                "tandem",
                machine.weights().intercepts()[0],
                Vectors.dense(weights),
                new DenseMatrix(play.features(), k, factors));
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
