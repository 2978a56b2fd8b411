package tandem.spark.ml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.data.Data;
import tandem.data.RowSummary;
import tandem.model.StoredModel;
import tandem.problem.Loss;
import tandem.runtime.RunDirectory;
import tandem.spark.SparkTraining;

/// Trains a model on a data frame, as parameters say.
final class Fitting {

    /// Spark takes its time to start an executor in the place of another.
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final String SOURCE = "a data frame";

    private final TandemParams params;
    private final Dataset<?> dataset;

    Fitting(TandemParams params, Dataset<?> dataset) {
        this.params = params;
        this.dataset = dataset;
    }

    /// @param byWeight what to train, where all examples together weigh so much
    SharedModel train(String labelCol, String featuresCol, DoubleFunction<Linear> byWeight) {
        try {
            Features features = params.isDefined(params.inputCols())
                    ? ColumnFeatures.of(params, labelCol, dataset)
                    : new VectorFeatures(featuresCol);
            return params instanceof LinearParams linear && isTogether(linear, features)
                    ? new Together(linear, byWeight.apply(1).loss(), () -> features.length(dataset))
                            .train(rows(labelCol, featuresCol))
                    : train(labelCol, features, byWeight);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private SharedModel train(String labelCol, Features features, DoubleFunction<Linear> byWeight) throws IOException {
        Linear settings = byWeight.apply(1);
        Data data = Data.of(SOURCE)
                .withFormat(features.format())
                .withHashBits(features.hashBits())
                .withSeed(params.getSeed());
        AtomicReference<RowSummary> seen = new AtomicReference<>();
        Path place = place();
        try {
            LinearTraining job = LinearTraining.of(settings, data)
                    .withCluster(plan(settings, data))
                    .withMeasured(false)
                    .withModel(place.resolve("model"), false);
            Map<String, String> sources = Map.of(SOURCE, labelCol + " by " + features.describe());
            Trained trained = new SparkTraining(dataset.sparkSession())
                    .run(job, features.blocks(dataset, labelCol, weightCol()), sources, all -> {
                        checkLabels(settings.loss(), all);
                        seen.set(all);
                        return byWeight.apply(all.weight());
                    });
            StoredModel stored = StoredModel.at(place.resolve("model"));
            return new SharedModel(
                    stored.loadFactors(), features.length(dataset), TandemTrainingSummary.of(trained, seen.get()));
        } finally {
            RunDirectory.remove(place);
        }
    }

    /// Whether all rows are to be gathered in this process.
    private boolean isTogether(LinearParams linear, Features features) {
        boolean can = dataset.sparkSession().sparkContext().isLocal() && features instanceof VectorFeatures;
        return switch (linear.getSolver()) {
            case "auto" ->
                can
                        && !linear.isSet(linear.numServers())
                        && !linear.isSet(linear.replicas())
                        && !linear.isSet(linear.consistency())
                        && !linear.isSet(linear.filters());
            case "batch" -> {
                if (!can) {
                    throw new IllegalArgumentException("the solver batch gathers vectors in the driver's process, and"
                            + (features instanceof VectorFeatures
                                    ? " executors are others here; use dbpg, or the master local[n]"
                                    : " inputCols are no vectors; use dbpg, or a column of vectors"));
                }
                yield true;
            }
            default -> false;
        };
    }

    /// Label, weight and vector.
    private Dataset<Row> rows(String labelCol, String featuresCol) {
        return dataset.select(
                Features.numbers(dataset, labelCol), Features.numbers(dataset, weightCol()), dataset.col(featuresCol));
    }

    private String weightCol() {
        return params.isDefined(params.weightCol()) ? params.getWeightCol() : null;
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
        checkClasses(names);
    }

    /// Refuses classes other than 0 and 1.
    static void checkClasses(List<String> names) {
        if (!names.equals(List.of("0", "1"))) {
            throw new IllegalArgumentException("the labels are "
                    + (names.isEmpty() || names.size() > 5 ? "many different numbers" : String.join(", ", names))
                    + "; use 0 and 1, and examples of both. A StringIndexer makes such labels of others");
        }
    }

    /// Refuses weights that are no numbers.
    static void checkWeights(TandemParams params, StructType schema) {
        if (params.isDefined(params.weightCol())
                && !(schema.apply(params.getWeightCol()).dataType() instanceof NumericType)) {
            throw new IllegalArgumentException("the weights in column " + params.getWeightCol() + " are of type "
                    + schema.apply(params.getWeightCol()).dataType().simpleString() + "; use numbers");
        }
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
