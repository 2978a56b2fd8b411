package tandem.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Penalty;
import tandem.Solver;
import tandem.data.Data;
import tandem.model.ModelDirectory;
import tandem.problem.Separable;
import tandem.spark.Example;
import tandem.spark.SparkTraining;

/// What somebody expects who knows Spark's own estimators.
@Timeout(300)
class ConventionsTest {

    /// What Spark's own do not have, or Tandem's leave out because they mean nothing there.
    private static final List<String> OTHERS = List.of(
            "standardization",
            "family",
            "aggregationDepth",
            "maxBlockSizeInMB",
            "lowerBoundsOnCoefficients",
            "upperBoundsOnCoefficients",
            "lowerBoundsOnIntercepts",
            "upperBoundsOnIntercepts",
            "loss",
            "epsilon",
            "fitLinear",
            "miniBatchFraction");

    @TempDir
    static Path directory;

    private static final Dataset<Row> rows = Frames.vectors();

    /// An estimator, and that of Spark's which it stands for.
    record Pair(Estimator<?> ours, Params theirs) {

        @Override
        public String toString() {
            return ours.getClass().getSimpleName();
        }
    }

    static List<Pair> all() {
        return List.of(
                new Pair(new TandemLogisticRegression().setSolver("ftrl").setMaxIter(1), new LogisticRegression()),
                new Pair(new TandemLinearRegression().setSolver("ftrl").setMaxIter(1), new LinearRegression()),
                new Pair(new TandemFactorizationMachine().setMaxIter(1), new FMClassifier()),
                new Pair(new TandemFactorizationMachineRegressor().setMaxIter(1), new FMRegressor()));
    }

    @ParameterizedTest
    @MethodSource("all")
    void parameters_have_the_names_of_spark(Pair pair) {
        for (Param<?> param : pair.theirs().params()) {
            if (!OTHERS.contains(param.name())
                    && !(pair.ours() instanceof FactorParams && param.name().equals("tol"))) {
                assertTrue(pair.ours().hasParam(param.name()), param.name());
            }
        }
        for (String name : List.of("featuresCol", "labelCol", "predictionCol", "fitIntercept")) {
            assertEquals(
                    pair.theirs().getOrDefault(pair.theirs().getParam(name)),
                    pair.ours().getOrDefault(pair.ours().getParam(name)),
                    name);
        }
        assertTrue(pair.ours().explainParams().contains("numWorkers: workers; each takes a slot"), "explained");
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_name_is_kept_by_copies_fits_and_files(Pair pair) throws Exception {
        Estimator<?> estimator = pair.ours();
        TandemParams params = (TandemParams) estimator;
        Estimator<?> copy = estimator.copy(new ParamMap().put(params.regParam().w(0.5)));
        assertEquals(estimator.uid(), copy.uid());
        assertEquals(0.5, ((TandemParams) copy).getRegParam());
        assertFalse(params.isSet(params.regParam()));
        String path = directory.resolve(estimator.uid()).toString();
        ((MLWritable) copy).save(path);
        Params loaded = new DefaultParamsReader<Params>().load(path);
        assertEquals(copy.getClass(), loaded.getClass());
        assertEquals(copy.uid(), loaded.uid());
        assertEquals(copy.explainParams(), loaded.explainParams());

        Model<?> model = (Model<?>)
                estimator.fit(rows, new ParamMap().put(params.regParam().w(0.25)));
        assertEquals(estimator.uid(), model.uid());
        assertEquals(estimator.uid(), model.parent().uid());
        assertEquals(0.25, ((TandemParams) model).getRegParam());
        Model<?> second = (Model<?>)
                model.copy(new ParamMap().put(model.getParam("predictionCol").w(cast("said"))));
        assertEquals(model.uid(), second.uid());
        assertSame(model.parent(), second.parent());
        assertEquals(
                model.transform(rows).select("prediction").collectAsList(),
                second.transform(rows).select("said").collectAsList());
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }

    @ParameterizedTest
    @MethodSource("all")
    void schemas_that_do_not_fit_are_refused_before_anything_runs(Pair pair) {
        Estimator<?> estimator = pair.ours();
        String missing = assertThrows(
                        IllegalArgumentException.class,
                        () -> estimator.transformSchema(rows.drop("features").schema()))
                .getMessage();
        assertTrue(missing.contains("features"), missing);
        for (String column : List.of("label", "features")) {
            Dataset<Row> texts = rows.withColumn(column, functions.lit("a"));
            assertThrows(IllegalArgumentException.class, () -> estimator.transformSchema(texts.schema()), column);
        }
        assertTrue(
                Arrays.asList(estimator.transformSchema(rows.schema()).fieldNames())
                        .contains("prediction"),
                "what will be there is known");
    }

    @Test
    void thresholds_decide_as_spark_does() {
        TandemLogisticRegressionModel model = new TandemLogisticRegression()
                .setThresholds(new double[] {0.2, 0.8})
                .fit(rows);
        for (Row row : model.transform(rows).collectAsList()) {
            double p = row.<Vector>getAs("probability").apply(1);
            assertEquals(p / 0.8 > (1 - p) / 0.2 ? 1.0 : 0.0, row.<Double>getAs("prediction"));
        }
        double sure = model.copy(new ParamMap())
                .setThresholds(new double[] {0.5, 0.5})
                .transform(rows)
                .agg(functions.sum("prediction"))
                .head()
                .getDouble(0);
        assertTrue(
                sure
                        > model.transform(rows)
                                .agg(functions.sum("prediction"))
                                .head()
                                .getDouble(0),
                "a model's own");
    }

    @Test
    void the_objective_of_each_iteration_is_known_and_is_that_of_spark() {
        TandemLogisticRegressionModel model = new TandemLogisticRegression()
                .setRegParam(0.05)
                .setWeightCol("weight")
                .setTol(1e-7)
                .setMaxIter(1_000)
                .fit(rows);
        double[] expected = new LogisticRegression()
                .setStandardization(false)
                .setRegParam(0.05)
                .setWeightCol("weight")
                .setTol(1e-10)
                .fit(rows)
                .summary()
                .objectiveHistory();
        double[] found = model.summary().objectiveHistory();
        assertEquals("converged", model.summary().stopped());
        assertEquals(model.summary().totalIterations() + 1, found.length, "that of zero weights is the first");
        assertEquals(expected[expected.length - 1], found[found.length - 1], 1e-5);
        assertTrue(model.hasSummary(), "of a model that was trained here");
    }

    @Test
    void penalties_of_a_machine_are_those_of_the_command_line_until_one_is_set() {
        TandemFactorizationMachine machine = new TandemFactorizationMachine();
        assertEquals(
                Linear.DEFAULT
                        .withSolver(Solver.Factors.ADAPTIVE)
                        .withPenalty(new Penalty.Usual(Separable.l2(1).withL1(0.1))),
                machine.settings(200));
        machine.setSolver("fm");
        assertEquals(
                Linear.DEFAULT.withSolver(Solver.Factors.PLAIN).withPenalty(new Penalty.Usual(Separable.l2(1))),
                machine.settings(200));
        machine.setNumWorkers(8);
        assertEquals(Solver.Factors.PLAIN.among(8), machine.settings(200).solver());
        assertEquals(
                16, ((Solver.Factors) machine.settings(200).solver()).weights().rows());
        machine.setNumWorkers(2);
        machine.setRegParam(0.1).setElasticNetParam(0.25).setFactorSize(3).setMaxIter(7);
        Solver.Factors solver = Solver.Factors.PLAIN
                .withDimension(3)
                .withWeights(Solver.Factors.PLAIN.weights().withPasses(7));
        Linear expected =
                Linear.DEFAULT.withPenalty(Separable.NONE.withL1(5).withL2(15)).withSolver(solver.withL2(20));
        assertEquals(expected, machine.settings(200));
        assertEquals(
                expected.withSolver(solver.withL2(2)),
                machine.setFactorRegParam(0.01).settings(200));
    }

    @Test
    void empty_partitions_and_rows_of_no_weight_make_no_difference() {
        TandemLogisticRegression estimator =
                new TandemLogisticRegression().setRegParam(0.1).setTol(1e-7).setMaxIter(1_000);
        Dataset<Row> few = rows.filter(rows.col("number").gt(-1));
        Vector expected = estimator.fit(few).coefficients();
        Dataset<Row> odd = few.withColumn("counts", functions.lit(1.0))
                .union(rows.withColumn("label", functions.lit(7.0)).withColumn("counts", functions.lit(0.0)))
                .repartition(1)
                .repartition(functions.lit(1)) // one partition of two has all of them
                .cache();
        Vector found = estimator.setWeightCol("counts").fit(odd).coefficients();
        assertArrayEquals(expected.toArray(), found.toArray(), 1e-4);
    }

    @Test
    void nothing_to_learn_from_is_said() {
        Exception none = assertThrows(Exception.class, () -> new TandemLogisticRegression().fit(rows.limit(0)));
        assertTrue(none.getMessage().contains("there are no examples"), none.getMessage());
        Exception unknown = assertThrows(
                Exception.class,
                () -> new TandemLinearRegression()
                        .fit(rows.withColumn("label", functions.lit(null).cast("double"))));
        assertTrue(unknown.getMessage().contains("an example has the label null"), unknown.getMessage());
    }

    @Test
    void any_examples_in_spark_can_be_learned_from() throws Exception {
        Linear settings = Linear.DEFAULT
                .withPenalty(Separable.l2(0.02 * Frames.ROWS))
                .withSolver(Solver.Blocks.DEFAULT.withTolerance(1e-7));
        var examples = rows.javaRDD().map(row -> {
            Entries x = Entries.of(row.getAs("features"), null);
            return new Example(row.getAs("label"), 1, x.ids(), x.values());
        });
        Path place = directory.resolve("any");
        LinearTraining job = LinearTraining.of(settings, Data.of("examples")).withModel(place, false);
        new SparkTraining(Frames.session()).run(job, examples, "rows of a test");
        TandemLogisticRegressionModel same = new TandemLogisticRegression()
                .setRegParam(0.02)
                .setTol(1e-7)
                .setMaxIter(1_000)
                .fit(rows);
        assertArrayEquals(same.linear().weights()[0], ModelDirectory.load(place).weights()[0], 1e-4);
    }
}
