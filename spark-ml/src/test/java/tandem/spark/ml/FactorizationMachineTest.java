package tandem.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Prediction;
import tandem.Solver;
import tandem.data.Data;
import tandem.problem.Loss;

/// Factorisation machines on data whose features mean something only in pairs.
@Timeout(300)
class FactorizationMachineTest {

    private static final int ROWS = 800;
    private static final int SIDES = 6;

    @TempDir
    static Path directory;

    /// A user and an item of each row; what the label is depends on both, and on neither alone.
    private static Dataset<Row> rows;

    @BeforeAll
    static void make() {
        Random random = new Random(3);
        List<Row> all = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int user = random.nextInt(SIDES);
            int item = random.nextInt(SIDES);
            double match = user % 2 == item % 2 ? 1 : 0;
            double label = random.nextInt(20) == 0 ? 1 - match : match;
            all.add(RowFactory.create(
                    label, 2 + 3 * label, Vectors.sparse(2 * SIDES, new int[] {user, SIDES + item}, new double[] {1, 1
                    })));
        }
        rows = Frames.session()
                .createDataFrame(
                        all,
                        new StructType()
                                .add("label", DataTypes.DoubleType)
                                .add("number", DataTypes.DoubleType)
                                .add("features", SQLDataTypes.VectorType()))
                .repartition(3)
                .cache();
    }

    private static TandemFactorizationMachine classifier() {
        return new TandemFactorizationMachine()
                .setSolver("fm")
                .setFactorSize(4)
                .setMaxIter(8)
                .setInitStd(0.1)
                .setRegParam(1e-4)
                .setUpdateRows(16);
    }

    @Test
    void pairs_are_learned_that_a_linear_model_cannot_tell() {
        TandemFactorizationMachineModel model = classifier().fit(rows);
        Dataset<Row> scored = model.transform(rows);
        assertTrue(new BinaryClassificationEvaluator().evaluate(scored) > 0.9, "auc");
        double linear = new BinaryClassificationEvaluator()
                .evaluate(new TandemLogisticRegression().fit(rows).transform(rows));
        assertTrue(linear < 0.65, "auc of a linear model: " + linear);
        assertEquals(8, model.summary().totalIterations());
        double[] history = model.summary().objectiveHistory();
        assertEquals(8, history.length);
        assertTrue(history[7] < 0.75 * history[0], "the loss falls");
        for (Row row : scored.limit(50).collectAsList()) {
            double score = score(model.intercept(), model.linear(), model.factors(), row.getAs("features"));
            assertEquals(score, row.<Vector>getAs("rawPrediction").apply(1), 1e-5);
            assertEquals(
                    1 / (1 + Math.exp(-score)), row.<Vector>getAs("probability").apply(1), 1e-5);
        }
    }

    /// Every pair by itself.
    private static double score(double intercept, Vector weights, Matrix factors, Vector x) {
        double sum = intercept;
        for (int i = 0; i < x.size(); i++) {
            sum += weights.apply(i) * x.apply(i);
            for (int j = 0; j < i; j++) {
                for (int f = 0; f < factors.numCols(); f++) {
                    sum += factors.apply(i, f) * factors.apply(j, f) * x.apply(i) * x.apply(j);
                }
            }
        }
        return sum;
    }

    @Test
    void numbers_stay_within_those_learned_from() throws IOException {
        TandemFactorizationMachineRegressionModel model = new TandemFactorizationMachineRegressor()
                .setLabelCol("number")
                .setSolver("difacto")
                .setSparseFactors(false)
                .setFactorSize(4)
                .setMaxIter(8)
                .setInitStd(0.1)
                .setFactorRegParam(0)
                .setRegParam(1e-4)
                .setUpdateRows(16)
                .fit(rows);
        Dataset<Row> scored = model.transform(rows);
        double error = new RegressionEvaluator().setLabelCol("number").evaluate(scored);
        assertTrue(error < 1, "root mean squared error " + error + "; the deviation of labels is 1.5");
        double large = model.predict(Vectors.dense(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10));
        assertTrue(large == 2 || large == 5, "clipped: " + large);
        Path saved = directory.resolve("regression");
        model.save(saved.toString());
        Path file = directory.resolve("numbers.svm");
        Frames.writeLibSvm(rows, "number", file);
        double[] plain = Frames.predicted(saved.resolve("tandem"), file, Prediction.Kind.LABELS);
        assertArrayEquals(plain, predictions(scored), 1e-5);
        TandemFactorizationMachineRegressionModel loaded =
                TandemFactorizationMachineRegressionModel.load(saved.toString());
        assertFalse(loaded.hasSummary());
        assertArrayEquals(plain, predictions(loaded.transform(rows)), 1e-5);
    }

    private static double[] predictions(Dataset<Row> scored) {
        return scored.collectAsList().stream()
                .mapToDouble(row -> row.<Double>getAs("prediction"))
                .toArray();
    }

    private static double[] probabilities(Dataset<Row> scored) {
        return scored.collectAsList().stream()
                .mapToDouble(row -> row.<Vector>getAs("probability").apply(1))
                .toArray();
    }

    @Test
    void a_machine_of_the_command_line_scores_the_same_here() throws IOException {
        Path file = directory.resolve("pairs.svm");
        Frames.writeLibSvm(rows, "label", file);
        Path trained = directory.resolve("trained");
        LinearTraining.of(
                        Linear.DEFAULT
                                .withLoss(Loss.named("logistic"))
                                .withSolver(Solver.Factors.PLAIN
                                        .withDimension(3)
                                        .withWeights(
                                                Solver.Factors.PLAIN.weights().withPasses(3))),
                        Data.of(file.toString()))
                .withModel(trained, false)
                .run();
        double[] plain = Frames.predicted(trained, file, Prediction.Kind.PROBABILITIES);
        TandemFactorizationMachineModel theirs = TandemFactorizationMachineModel.fromDirectory(trained.toString());
        assertEquals(3, theirs.factors().numCols());
        assertArrayEquals(plain, probabilities(theirs.transform(rows)), 1e-6);
        String why = assertThrows(
                        IllegalArgumentException.class,
                        () -> TandemLogisticRegressionModel.fromDirectory(trained.toString()))
                .getMessage();
        assertTrue(why.contains("is a factorisation machine"), why);
    }

    @Test
    void a_pipeline_is_cross_validated_saved_and_loaded() throws IOException {
        Dataset<Row> frame = rows.withColumn("one", org.apache.spark.sql.functions.lit(1.0));
        TandemFactorizationMachine estimator = classifier().setFeaturesCol("all");
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new VectorAssembler().setInputCols(new String[] {"features", "one"}).setOutputCol("all"), estimator
        });
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(estimator.factorSize(), scala.jdk.javaapi.CollectionConverters.asScala(List.<Object>of(0, 4)))
                .build();
        CrossValidatorModel found = new CrossValidator()
                .setEstimator(pipeline)
                .setEstimatorParamMaps(grid)
                .setEvaluator(new BinaryClassificationEvaluator())
                .setNumFolds(2)
                .setSeed(3)
                .fit(frame);
        PipelineModel best = (PipelineModel) found.bestModel();
        TandemFactorizationMachineModel model = (TandemFactorizationMachineModel) best.stages()[1];
        assertEquals(4, model.getFactorSize(), "pairs need factors");
        String path = directory.resolve("pipeline").toString();
        best.write().overwrite().save(path);
        PipelineModel loaded = PipelineModel.load(path);
        assertEquals(model.uid(), loaded.stages()[1].uid());
        assertEquals(model.explainParams(), loaded.stages()[1].explainParams());
        assertArrayEquals(probabilities(best.transform(frame)), probabilities(loaded.transform(frame)));
    }
}
