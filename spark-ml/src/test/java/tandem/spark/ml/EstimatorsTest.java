package tandem.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.data.Data;
import tandem.data.RowSummary;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.Precision;
import tandem.model.Scorer;
import tandem.problem.Separable;

/// Estimators on a session of two threads.
@Timeout(300)
class EstimatorsTest {

    private static final int ROWS = 500;
    private static final int FEATURES = 6;

    private static SparkSession session;

    @TempDir
    static Path directory;

    /// Columns `label` (0 or 1), `number`, `weight` and `features`, of which some are 0.
    private static Dataset<Row> rows;

    @BeforeAll
    static void start() {
        session = SparkSession.builder()
                .master("local[2]")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .getOrCreate();
        rows = session.createDataFrame(
                        generated(),
                        new StructType()
                                .add("label", DataTypes.DoubleType)
                                .add("number", DataTypes.DoubleType)
                                .add("weight", DataTypes.DoubleType)
                                .add("features", SQLDataTypes.VectorType()))
                .repartition(3)
                .cache();
    }

    private static List<Row> generated() {
        Random random = new Random(7);
        List<Row> all = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            double[] x = new double[FEATURES];
            double score = 0.3;
            for (int j = 0; j < FEATURES; j++) {
                x[j] = random.nextInt(3) == 0 ? 0 : random.nextGaussian() * (1 + j % 2);
                score += x[j] * (j - 2) / 2;
            }
            double label = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
            Vector features = i % 2 == 0 ? Vectors.dense(x) : Vectors.dense(x).toSparse();
            all.add(RowFactory.create(label, score + random.nextGaussian(), 0.5 + random.nextInt(3), features));
        }
        return all;
    }

    @AfterAll
    static void stop() {
        session.stop();
    }

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
        assertEquals(FEATURES, model.numFeatures());
        assertArrayEquals(
                expected.coefficients().toArray(), model.coefficients().toArray(), 1e-3);
        assertEquals(expected.intercept(), model.intercept(), 1e-3);
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
            Entries x = Entries.of(row.getAs("features"));
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
        assertEquals(FEATURES, ((TandemLogisticRegressionModel) loaded.stages()[1]).numFeatures());
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
        writeLibSvm(file);
        Path trained = directory.resolve("trained");
        LinearTraining.of(
                        Linear.DEFAULT.withPenalty(Separable.l2(0.02 * ROWS)).withSolver(new Solver.Batch(1e-9, 1_000)),
                        Data.of(file.toString()))
                .withModel(trained, false)
                .run();
        Dataset<Row> read = session.read()
                .format("libsvm")
                .option("numFeatures", Integer.toString(FEATURES))
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
            Entries x = Entries.of(row.getAs("features"));
            double p = scorer.probability(x.ids(), x.values());
            assertEquals(p, row.<Vector>getAs("probability").apply(1), 1e-6);
            assertEquals(p > 0.7 ? 1.0 : 0.0, row.<Double>getAs("prediction"));
        }
    }

    private static void writeLibSvm(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Row row : rows.collectAsList()) {
            StringBuilder line =
                    new StringBuilder().append(row.<Double>getAs("label").intValue());
            Entries x = Entries.of(row.getAs("features"));
            for (int e = 0; e < x.count(); e++) {
                line.append(' ').append(x.ids()[e]).append(':').append(x.values()[e]);
            }
            lines.add(line.toString());
        }
        Files.write(file, lines);
    }

    @Test
    void an_estimator_is_copied_saved_and_explained() throws IOException {
        TandemLogisticRegression estimator = classifier()
                .setSolver("ftrl")
                .setNumWorkers(3)
                .setThreshold(0.4)
                .setSeed(5);
        TandemLogisticRegression copy =
                estimator.copy(new ParamMap().put(estimator.regParam().w(0.5)));
        assertEquals(estimator.uid(), copy.uid());
        assertEquals(0.5, copy.getRegParam());
        assertEquals(0.02, estimator.getRegParam());
        String path = directory.resolve("estimator").toString();
        estimator.save(path);
        TandemLogisticRegression loaded = TandemLogisticRegression.load(path);
        assertEquals(estimator.uid(), loaded.uid());
        assertEquals(estimator.explainParams(), loaded.explainParams());
        for (String name : List.of(
                "featuresCol",
                "labelCol",
                "weightCol",
                "predictionCol",
                "rawPredictionCol",
                "probabilityCol",
                "maxIter",
                "regParam",
                "elasticNetParam",
                "tol",
                "fitIntercept",
                "seed",
                "threshold",
                "numWorkers",
                "numServers",
                "replicas",
                "consistency",
                "solver",
                "filters",
                "modelDir")) {
            assertTrue(estimator.hasParam(name), name);
        }
        assertTrue(estimator.explainParams().contains("numWorkers: workers; each takes a slot"), "explained");
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
        refusesRow(1, 1, Vectors.dense(1, Double.NaN), "feature 1 of an example is NaN");
        refusesRow(1, -2, Vectors.dense(1, 0), "an example has the weight -2.0");
        refusesRow(null, 1, Vectors.dense(1, 0), "an example has the label null");
    }

    private static void refusesRow(Integer label, int weight, Vector features, String why) {
        Row row = RowFactory.create(label == null ? null : (double) label, (double) weight, features);
        String complaint =
                RowSummary.of(new VectorRows().call(List.of(row).iterator())).complaint();
        assertTrue(complaint.contains(why), complaint);
    }

    @Test
    void a_model_is_copied_to_where_only_spark_can_write() throws IOException {
        RawLocalFileSystem elsewhere = new RawLocalFileSystem();
        elsewhere.initialize(URI.create("file:///"), new Configuration());
        LinearModel model = new LinearModel(
                "squared", List.of(), new long[] {2}, new double[][] {{1.5}}, new double[1], Precision.F64, null, null);
        org.apache.hadoop.fs.Path place =
                new org.apache.hadoop.fs.Path(directory.resolve("elsewhere").toUri());
        Saved.save(model, place, elsewhere);
        assertArrayEquals(new double[] {1.5}, Saved.load(place, elsewhere).weights()[0]);
    }
}
