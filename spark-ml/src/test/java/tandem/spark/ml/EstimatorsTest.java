package tandem.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.data.RowSummary;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.Precision;
import tandem.model.Scorer;
import tandem.problem.Separable;

/// Estimators on a session of two threads.
@Timeout(300)
class EstimatorsTest {

    @TempDir
    static Path directory;

    private static final Dataset<Row> rows = Frames.vectors();

    private static TandemLogisticRegression classifier() {
        return new TandemLogisticRegression().setRegParam(0.02).setTol(1e-7).setMaxIter(2_000);
    }

    @Test
    void a_penalty_means_what_it_means_in_spark() {
        TandemLogisticRegression tandem =
                classifier().setElasticNetParam(0.5).setWeightCol("weight").setNumServers(2);
        LogisticRegressionModel expected = new LogisticRegression()
                .setStandardization(false)
                .setRegParam(0.02)
                .setElasticNetParam(0.5)
                .setWeightCol("weight")
                .setTol(1e-10)
                .setMaxIter(500)
                .fit(rows);
        TandemLogisticRegressionModel model = tandem.fit(rows);
        assertEquals(Frames.FEATURES, model.numFeatures());
        assertArrayEquals(
                expected.coefficients().toArray(), model.coefficients().toArray(), 1e-3);
        assertEquals(expected.intercept(), model.intercept(), 1e-3);
    }

    private static JsonNode report(TandemLogisticRegressionModel model) {
        return assertDoesNotThrow(
                () -> new ObjectMapper().readTree(model.summary().report()));
    }

    @Test
    void where_all_is_one_process_rows_are_gathered_in_it() {
        LogisticRegressionModel expected = new LogisticRegression()
                .setStandardization(false)
                .setRegParam(0.02)
                .setElasticNetParam(1)
                .setWeightCol("weight")
                .setTol(1e-10)
                .setMaxIter(500)
                .fit(rows);
        TandemLogisticRegressionModel model =
                classifier().setElasticNetParam(1).setWeightCol("weight").fit(rows);
        assertArrayEquals(
                expected.coefficients().toArray(), model.coefficients().toArray(), 1e-3);
        assertEquals(expected.intercept(), model.intercept(), 1e-3);
        double weights = rows.groupBy().sum("weight").head().getDouble(0);
        double[] history = expected.summary().objectiveHistory();
        assertEquals(
                history[history.length - 1] * weights,
                report(model).path("objective").asDouble(),
                1e-5 * weights);
        assertTrue(report(model).path("bytes").isNull(), "no servers");
        assertEquals(2, report(model).path("workers").size());
        double most = 0; // one of them may find all work done
        for (JsonNode worker : report(model).path("workers")) {
            most = Math.max(most, worker.path("computeSeconds").asDouble());
        }
        double all = report(model).path("seconds").asDouble();
        assertTrue(most > 0 && most < all, most + " s of " + all);
        TandemLogisticRegressionModel hosted = classifier()
                .setElasticNetParam(1)
                .setWeightCol("weight")
                .setSolver("dbpg")
                .fit(rows);
        assertTrue(report(hosted).path("bytes").path("sent").asLong() > 0, "servers");
        assertArrayEquals(hosted.coefficients().toArray(), model.coefficients().toArray(), 1e-3);
    }

    /// What it costs follows from its rounds, and a gap of 1 % is proven only after hundreds of them.
    @Test
    void servers_and_workers_end_as_soon_as_rounds_win_little_as_one_process_does() throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(2_000).write(file, 1, _ -> {});
        Dataset<Row> clicks = Frames.session()
                .read()
                .format("libsvm")
                .option("numFeatures", "2000")
                .load(file.toString());
        TandemLogisticRegression lasso = new TandemLogisticRegression()
                .setRegParam(1e-4)
                .setElasticNetParam(1)
                .setMaxIter(1_000);
        double[] least =
                lasso.setSolver("batch").setTol(1e-7).fit(clicks).summary().objectiveHistory();
        TandemTrainingSummary soon =
                lasso.setSolver("dbpg").setTol(0.01).fit(clicks).summary();
        double[] objective = soon.objectiveHistory();
        assertEquals("converged", soon.stopped());
        assertTrue(soon.totalIterations() <= 40, soon.totalIterations() + " rounds");
        assertEquals(least[least.length - 1], objective[objective.length - 1], 0.01 * least[least.length - 1]);
    }

    @Test
    void numbers_are_predicted_as_spark_does() {
        // With L1 alone what Spark does to labels makes no difference.
        Vector expected = new LinearRegression()
                .setLabelCol("number")
                .setStandardization(false)
                .setRegParam(0.1)
                .setElasticNetParam(1)
                .setTol(1e-10)
                .setMaxIter(500)
                .fit(rows)
                .coefficients();
        TandemLinearRegressionModel model = new TandemLinearRegression()
                .setLabelCol("number")
                .setRegParam(0.1)
                .setElasticNetParam(1)
                .setTol(1e-7)
                .setMaxIter(2_000)
                .fit(rows);
        assertArrayEquals(expected.toArray(), model.coefficients().toArray(), 1e-3);
        Scorer scorer = new Scorer(model.linear());
        for (Row row : model.transform(rows).collectAsList()) {
            Entries x = Entries.of(row.getAs("features"), null);
            assertEquals(scorer.predict(x.ids(), x.values()), row.<Double>getAs("prediction"), 1e-6);
        }
    }

    @Test
    void a_pipeline_is_cross_validated_saved_and_loaded() throws IOException {
        TandemLogisticRegression estimator =
                new TandemLogisticRegression().setFeaturesCol("scaled").setMaxIter(50);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new StandardScaler().setInputCol("features").setOutputCol("scaled"), estimator
        });
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(estimator.regParam(), new double[] {0.01, 10})
                .build();
        BinaryClassificationEvaluator auc = new BinaryClassificationEvaluator();
        CrossValidatorModel found = new CrossValidator()
                .setEstimator(pipeline)
                .setEstimatorParamMaps(grid)
                .setEvaluator(auc)
                .setNumFolds(2)
                .setParallelism(2)
                .setSeed(3)
                .fit(rows);
        PipelineModel best = (PipelineModel) found.bestModel();
        TandemLogisticRegressionModel model = (TandemLogisticRegressionModel) best.stages()[1];
        assertEquals(0.01, model.getRegParam());
        assertTrue(auc.evaluate(best.transform(rows)) > 0.85, "auc");

        String path = directory.resolve("pipeline").toString();
        best.write().overwrite().save(path);
        PipelineModel loaded = PipelineModel.load(path);
        assertEquals(model.uid(), loaded.stages()[1].uid());
        assertEquals(Frames.FEATURES, ((TandemLogisticRegressionModel) loaded.stages()[1]).numFeatures());
        List<Row> once = best.transform(rows)
                .select("features", "probability", "prediction")
                .collectAsList();
        assertEquals(
                once,
                loaded.transform(rows)
                        .select("features", "probability", "prediction")
                        .collectAsList());
    }

    @Test
    void a_model_is_one_of_the_command_line_and_the_other_way_round() throws IOException {
        Path file = directory.resolve("examples.svm");
        Frames.writeLibSvm(rows, "label", file);
        Path trained = directory.resolve("trained");
        LinearTraining.of(
                        Linear.DEFAULT
                                .withPenalty(Separable.l2(0.02 * Frames.ROWS))
                                .withSolver(new Solver.Batch(1e-9, 1_000)),
                        Data.of(file.toString()))
                .withModel(trained, false)
                .run();
        Dataset<Row> read = Frames.session()
                .read()
                .format("libsvm")
                .option("numFeatures", Integer.toString(Frames.FEATURES))
                .load(file.toString());
        TandemLogisticRegressionModel theirs = TandemLogisticRegressionModel.fromDirectory(trained.toString());
        TandemLogisticRegressionModel ours = classifier().fit(read);
        assertArrayEquals(theirs.coefficients().toArray(), ours.coefficients().toArray(), 1e-3);

        Path saved = directory.resolve("saved");
        ours.save(saved.toUri().toString());
        LinearModel plain = ModelDirectory.load(saved.resolve("tandem"));
        Scorer scorer = new Scorer(plain);
        assertEquals(List.of("0", "1"), plain.classes());
        for (Row row : TandemLogisticRegressionModel.load(saved.toString())
                .setThreshold(0.7)
                .transform(read)
                .collectAsList()) {
            Entries x = Entries.of(row.getAs("features"), null);
            double p = scorer.probability(x.ids(), x.values());
            assertEquals(p, row.<Vector>getAs("probability").apply(1), 1e-6);
            assertEquals(p > 0.7 ? 1.0 : 0.0, row.<Double>getAs("prediction"));
        }
    }

    @Test
    void one_pass_online_learns_something_and_leaves_nothing_behind() throws IOException {
        Path place = directory.resolve("places");
        Dataset<Row> scored = new TandemLogisticRegression()
                .setSolver("ftrl")
                .setMaxIter(20)
                .setModelDir(place.toString())
                .fit(rows)
                .transform(rows);
        assertTrue(new BinaryClassificationEvaluator().evaluate(scored) > 0.85, "auc");
        try (var left = Files.list(place)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void what_cannot_be_learned_from_is_refused() {
        String labels = assertThrows(
                        IllegalArgumentException.class,
                        () -> classifier()
                                .fit(rows.withColumn("label", rows.col("label").plus(1))))
                .getMessage();
        assertEquals(
                "the labels are 1, 2; use 0 and 1, and examples of both. A StringIndexer makes such labels of others",
                labels);
        Dataset<Row> texts = rows.withColumn("weight", rows.col("weight").cast("string"));
        assertThrows(
                IllegalArgumentException.class,
                () -> classifier().setWeightCol("weight").fit(texts));
        assertThrows(IllegalArgumentException.class, () -> classifier().setSolver("newton"));
        Dataset<Row> bad = rows.withColumn("weight", rows.col("weight").minus(1));
        assertTrue(
                assertThrows(
                                UncheckedIOException.class,
                                () -> classifier().setWeightCol("weight").fit(bad))
                        .getMessage()
                        .contains("an example has the weight -0.5"),
                "weights");
        refusesRow(1, 1, Vectors.dense(1, Double.NaN), "feature 1 of an example is NaN");
        refusesRow(1, -2, Vectors.dense(1, 0), "an example has the weight -2.0");
        refusesRow(null, 1, Vectors.dense(1, 0), "an example has the label null");
    }

    private static void refusesRow(Integer label, int weight, Vector features, String why) {
        Row row = RowFactory.create(label == null ? null : (double) label, (double) weight, features);
        Dataset<Row> one = Frames.session()
                .createDataFrame(
                        List.of(row),
                        new StructType()
                                .add("label", DataTypes.DoubleType)
                                .add("weight", DataTypes.DoubleType)
                                .add("features", SQLDataTypes.VectorType()));
        String complaint = RowSummary.of(new VectorFeatures("features")
                        .blocks(one, "label", "weight")
                        .collect()
                        .iterator())
                .complaint();
        assertTrue(complaint.contains(why), complaint);
    }

    @Test
    void threads_that_are_not_there_are_not_waited_for() {
        String why = assertTimeout(
                        Duration.ofSeconds(30),
                        () -> assertThrows(
                                IllegalArgumentException.class,
                                () -> classifier()
                                        .setSolver("dbpg")
                                        .setNumWorkers(5)
                                        .fit(rows)))
                .getMessage();
        assertTrue(why.endsWith("there are 2 at local[2]; use at most --workers 2, or say --master local[5]"), why);
    }

    @Test
    void a_model_is_copied_to_where_only_spark_can_write() throws IOException {
        RawLocalFileSystem elsewhere = new RawLocalFileSystem();
        elsewhere.initialize(URI.create("file:///"), new Configuration());
        LinearModel model = new LinearModel(
                "squared", List.of(), new long[] {2}, new double[][] {{1.5}}, new double[1], Precision.F64, null, null);
        org.apache.hadoop.fs.Path place =
                new org.apache.hadoop.fs.Path(directory.resolve("elsewhere").toUri());
        Saved.save(FactorModel.linear(model), place, elsewhere);
        assertArrayEquals(
                new double[] {1.5}, Saved.load(place, elsewhere).weights().weights()[0]);
    }
}
