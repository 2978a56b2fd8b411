package tandem.spark.ml;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Prediction;
import tandem.Solver;
import tandem.data.Data;
import tandem.data.Declared;
import tandem.data.Format;
import tandem.problem.Separable;

/// Columns of data frames are the features that the command line makes of the same table.
@Timeout(300)
class ColumnsTest {

    private static final int ROWS = 600;
    private static final String[] COLUMNS = {"age", "spent", "city", "device", "member"};

    @TempDir
    static Path directory;

    private static Path file;

    /// The file as Spark reads it.
    private static Dataset<Row> frame;

    @BeforeAll
    static void make() throws IOException {
        Random random = new Random(11);
        List<String> lines = new ArrayList<>();
        lines.add("click,age,spent,city,device,member,note");
        String[] cities = {"Ulm", "\"Köln, am Rhein\"", "Bonn", ""};
        for (int i = 0; i < ROWS; i++) {
            int age = 18 + random.nextInt(60);
            double spent = Math.round(random.nextGaussian() * 2000 + 5000) / 100.0;
            int city = random.nextInt(cities.length);
            int device = random.nextInt(5);
            boolean member = random.nextBoolean();
            double score = (age - 45) / 20.0 + (city - 1.5) + (device == 3 ? 2 : -0.5) + (member ? 0.7 : 0);
            int click = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%s,%s,%s,%d,%s,%d",
                    click,
                    i % 17 == 3 ? "" : Integer.toString(age),
                    i % 13 == 5 ? "" : Double.toString(spent),
                    cities[city],
                    device,
                    member,
                    i));
        }
        file = directory.resolve("visits.csv");
        Files.write(file, lines);
        frame = Frames.session()
                .read()
                .option("header", "true")
                .option("inferSchema", "true")
                .csv(file.toString())
                .cache();
    }

    private static TandemLogisticRegression classifier() {
        return new TandemLogisticRegression()
                .setLabelCol("click")
                .setInputCols(COLUMNS)
                .setCategoricalCols("device")
                .setRegParam(0.01)
                .setTol(1e-7)
                .setMaxIter(2_000);
    }

    private static double[] probabilities(Dataset<Row> scored) {
        return scored.collectAsList().stream()
                .mapToDouble(row -> row.<Vector>getAs("probability").apply(1))
                .toArray();
    }

    @Test
    void a_model_of_a_frame_and_one_of_the_file_are_the_same() throws IOException {
        Path trained = directory.resolve("trained");
        LinearTraining.of(
                        Linear.DEFAULT.withPenalty(Separable.l2(0.01 * ROWS)).withSolver(new Solver.Batch(1e-9, 1_000)),
                        Data.of(file.toString())
                                .withFormat(Format.table(Declared.parse("device=category,note=ignore"))))
                .withModel(trained, false)
                .run();
        double[] theirs = Frames.predicted(trained, file, Prediction.Kind.PROBABILITIES);
        TandemLogisticRegressionModel loaded = TandemLogisticRegressionModel.fromDirectory(trained.toString());
        assertArrayEquals(COLUMNS, loaded.getInputCols());
        assertArrayEquals(theirs, probabilities(loaded.transform(frame)), 1e-6);

        TandemLogisticRegressionModel model = classifier().fit(frame);
        assertArrayEquals(theirs, probabilities(model.transform(frame)), 1e-3);
        // 3 cities, 5 devices, 2 kinds of members, 2 numbers
        assertEquals(12, model.numFeatures());
        assertArrayEquals(loaded.coefficients().toArray(), model.coefficients().toArray(), 1e-3);
        Path saved = directory.resolve("saved");
        model.save(saved.toString());
        assertArrayEquals(
                Frames.predicted(saved.resolve("tandem"), file, Prediction.Kind.PROBABILITIES),
                probabilities(
                        TandemLogisticRegressionModel.load(saved.toString()).transform(frame)),
                1e-6);
    }

    @Test
    void a_machine_learns_from_columns_in_a_pipeline_and_predicts_as_the_command_line_does() throws IOException {
        TandemFactorizationMachine estimator = new TandemFactorizationMachine()
                .setLabelCol("click")
                .setInputCols(COLUMNS)
                .setCategoricalCols("device")
                .setHashBits(3) // so few that features meet
                .setMaxIter(3);
        PipelineModel model =
                new Pipeline().setStages(new PipelineStage[] {estimator}).fit(frame);
        Path saved = directory.resolve("pipeline");
        model.write().overwrite().save(saved.toString());
        Path stage;
        try (var stages = Files.list(saved.resolve("stages"))) {
            stage = stages.findFirst().orElseThrow();
        }
        Dataset<Row> scored = PipelineModel.load(saved.toString()).transform(frame);
        assertArrayEquals(
                Frames.predicted(stage.resolve("tandem"), file, Prediction.Kind.PROBABILITIES),
                probabilities(scored),
                1e-6);
        assertEquals(
                List.of("rawPrediction", "probability", "prediction"),
                Arrays.asList(scored.columns()).subList(7, scored.columns().length));
        assertEquals(
                Set.of(scored.columns()),
                Set.of(model.transformSchema(frame.schema()).fieldNames()));
        Path parquet = directory.resolve("parquet");
        frame.coalesce(1).write().parquet(parquet.toString());
        assertArrayEquals(
                probabilities(scored),
                probabilities(model.transform(Frames.session().read().parquet(parquet.toString()))));
    }

    @Test
    void several_categories_are_in_an_array_and_nan_is_no_value() {
        Dataset<Row> tagged = frame.select(
                col("click"),
                col("spent"),
                array(col("city"), col("member").cast("string")).as("the.tags"));
        TandemLogisticRegressionModel model = new TandemLogisticRegression()
                .setLabelCol("click")
                .setInputCols("spent", "the.tags")
                .fit(tagged);
        assertEquals(1 + 3 + 2, model.numFeatures());
        Dataset<Row> one = tagged.limit(1);
        double[] without =
                probabilities(model.transform(one.withColumn("spent", lit(null).cast("double"))));
        assertArrayEquals(without, probabilities(model.transform(one.withColumn("spent", lit(Double.NaN)))));
        double[] with = probabilities(model.transform(one.withColumn("spent", lit(1e6))));
        assertFalse(Arrays.equals(without, with), "a number matters");
    }

    @Test
    void columns_that_cannot_be_learned_from_are_refused() {
        refused(classifier().setInputCols("age", "click"), "which is the label");
        refused(classifier().setInputCols("age").setCategoricalCols("device"), "which is not among inputCols");
        refused(classifier().setInputCols("spent").setCategoricalCols("spent"), "written in many ways");
        refused(classifier().setInputCols("age", "nobody").setCategoricalCols(), "nobody");
        Exception infinite = assertThrows(
                Exception.class, () -> classifier().fit(frame.withColumn("spent", lit(Double.POSITIVE_INFINITY))));
        assertTrue(infinite.getMessage().contains("column spent has the value Infinity"), infinite.getMessage());
        TandemLogisticRegressionModel model = classifier().setMaxIter(1).fit(frame);
        String why = assertThrows(
                        IllegalArgumentException.class,
                        () -> model.transform(frame.withColumn("age", col("age").cast("string"))))
                .getMessage();
        assertEquals("column age is of type string, and the model has it as a number; cast it", why);
    }

    private static void refused(TandemLogisticRegression estimator, String why) {
        String message = assertThrows(IllegalArgumentException.class, () -> estimator.fit(frame))
                .getMessage();
        assertTrue(message.contains(why), message);
    }
}
