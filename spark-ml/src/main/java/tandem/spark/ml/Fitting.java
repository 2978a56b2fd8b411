package tandem.spark.ml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.data.Data;
import tandem.data.Format;
import tandem.data.RowSummary;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.runtime.RunDirectory;
import tandem.spark.SparkTraining;
import tandem.worker.Local;

/// Trains a linear model on a data frame, as parameters say.
final class Fitting {

    /// Spark takes its time to start an executor in the place of another.
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final String SOURCE = "a data frame";

    private final LinearParams params;
    private final String labelCol;
    private final String featuresCol;
    private final Dataset<?> dataset;

    Fitting(LinearParams params, String labelCol, String featuresCol, Dataset<?> dataset) {
        this.params = params;
        this.labelCol = labelCol;
        this.featuresCol = featuresCol;
        this.dataset = dataset;
    }

    LinearModel train(Loss loss) throws IOException {
        Linear settings = Linear.DEFAULT
                .withLoss(loss)
                .withIntercept(params.getFitIntercept())
                .withSeed(params.getSeed())
                .withPenalty(penalty(1))
                .withSolver(solver());
        Data data = Data.of(SOURCE).withFormat(new Format.LibSvm()).withSeed(params.getSeed());
        Path place = place();
        try {
            LinearTraining job = LinearTraining.of(settings, data)
                    .withCluster(plan(settings, data))
                    .withMeasured(false)
                    .withModel(place.resolve("model"), false);
            Map<String, String> sources = Map.of(SOURCE, labelCol + " by " + featuresCol);
            new SparkTraining(dataset.sparkSession()).run(job, blocks(), sources, all -> {
                checkLabels(loss, all);
                return settings.withPenalty(penalty(all.weight()));
            });
            return ModelDirectory.load(place.resolve("model"));
        } finally {
            RunDirectory.remove(place);
        }
    }

    /// Spark's penalty stands beside the mean loss, Tandem's beside the sum: it is `weight` times as large.
    private Separable penalty(double weight) {
        double strength = weight * params.getRegParam();
        double share = params.getElasticNetParam();
        return Separable.NONE.withL1(strength * share).withL2(strength * (1 - share));
    }

    private static void checkLabels(Loss loss, RowSummary all) {
        if (!loss.binary()) {
            return;
        }
        List<String> names;
        try {
            names = all.labels().labels().names();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (!names.equals(List.of("0", "1"))) {
            throw new IllegalArgumentException("the labels are "
                    + (names.isEmpty() || names.size() > 5 ? "many different numbers" : String.join(", ", names))
                    + "; use 0 and 1, and examples of both. A StringIndexer makes such labels of others");
        }
    }

    private JavaRDD<byte[]> blocks() {
        Column weight = params.isDefined(params.weightCol())
                ? dataset.col(params.getWeightCol()).cast(DataTypes.DoubleType)
                : functions.lit(1.0);
        Dataset<Row> rows =
                dataset.select(dataset.col(labelCol).cast(DataTypes.DoubleType), weight, dataset.col(featuresCol));
        return rows.javaRDD().mapPartitions(new VectorRows());
    }

    /// Refuses weights that are no numbers.
    static void checkWeights(LinearParams params, StructType schema) {
        if (params.isDefined(params.weightCol())
                && !(schema.apply(params.getWeightCol()).dataType() instanceof NumericType)) {
            throw new IllegalArgumentException("the weights in column " + params.getWeightCol() + " are of type "
                    + schema.apply(params.getWeightCol()).dataType().simpleString() + "; use numbers");
        }
    }

    /// How long the vectors are.
    int features() {
        int known = AttributeGroup.fromStructField(dataset.schema().apply(featuresCol))
                .size();
        if (known >= 0) {
            return known;
        }
        Vector first = dataset.select(dataset.col(featuresCol)).head().getAs(0);
        return first.size();
    }

    private ClusterPlan plan(Linear settings, Data data) {
        ClusterPlan suiting = LinearTraining.of(settings, data).placed().cluster();
        ClusterPlan plan = (suiting == null ? ClusterPlan.DEFAULT : suiting)
                .withNodes(params.getNumWorkers(), params.getNumServers())
                .withReplicas(params.getReplicas())
                .withSilence(SILENCE);
        if (params.isDefined(params.consistency())) {
            plan = plan.withConsistency(params.getConsistency());
        }
        return params.isDefined(params.filters()) ? plan.withFilters(params.getFilters()) : plan;
    }

    private Solver solver() {
        double tolerance = params.getTol();
        int most = params.getMaxIter();
        return switch (params.getSolver()) {
            case "dbpg" -> Solver.Blocks.DEFAULT.withTolerance(tolerance).withMaxPasses(most);
            case "sdca" -> Solver.Sdca.DEFAULT.withTolerance(tolerance).withMaxPasses(most);
            case "ssp-prox" ->
                Solver.Proximal.by(Solver.Proximal.Split.EXAMPLES)
                        .withTolerance(tolerance)
                        .withMaxClocks(most);
            default -> online().withPasses(params.isSet(params.maxIter()) ? most : Solver.Online.AUTOMATIC);
        };
    }

    private Solver.Online online() {
        return switch (params.getSolver()) {
            case "downpour" -> Solver.Online.downpour();
            case "emso-cd" -> Solver.Online.emso(Local.Emso.By.COORDINATE);
            case "emso-gd" -> Solver.Online.emso(Local.Emso.By.GRADIENT);
            case "adagrad" -> Solver.Online.of(Solver.Rule.ADAGRAD);
            case "adadelay" -> Solver.Online.of(Solver.Rule.ADADELAY);
            case "sgd" -> Solver.Online.of(Solver.Rule.SGD);
            default -> Solver.Online.of(Solver.Rule.FTRL);
        };
    }

    /// A new directory that servers can write to.
    private Path place() throws IOException {
        if (params.isDefined(params.modelDir())) {
            // Others may run executors, so it is not as private as a temporary directory.
            return Files.createDirectories(Path.of(params.getModelDir()).resolve("tandem-" + UUID.randomUUID()));
        }
        if (!dataset.sparkSession().sparkContext().isLocal()) {
            throw new IllegalArgumentException("servers in executors leave their parts of the model in a directory, and"
                    + " none is named; set modelDir to one that driver and executors see under the same name");
        }
        return Files.createTempDirectory("tandem-");
    }
}
