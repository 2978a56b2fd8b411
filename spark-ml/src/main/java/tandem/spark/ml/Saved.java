package tandem.spark.ml;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.json4s.JInt;
import org.json4s.JObject;
import org.json4s.JValue;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.List$;
import scala.math.BigInt;
import tandem.data.Column;
import tandem.model.FactorModel;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.problem.Link;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// A model of Spark ML on disk: `metadata` as Spark has it, and beside it `tandem`, a directory as the command line
/// reads and writes.
final class Saved {

    private static final String DIRECTORY = "tandem";
    private static final String LIBSVM = "libsvm";
    private static final String TABLE = "table";
    private static final String FEATURES = "numFeatures";

    private Saved() {}

    /// Writes a stage and its model.
    static final class Writer extends MLWriter {

        private final Model<?> stage;
        private final SharedModel model;

        Writer(Model<?> stage, SharedModel model) {
            this.stage = stage;
            this.model = model;
        }

        @Override
        public void saveImpl(String path) {
            Tuple2<String, JValue> known = new Tuple2<>(FEATURES, new JInt(BigInt.apply(model.length())));
            DefaultParamsWriter$.MODULE$.saveMetadata(
                    stage,
                    path,
                    sparkSession(),
                    Option.apply(new JObject(
                            List$.MODULE$.<Tuple2<String, JValue>>empty().$colon$colon(known))));
            Path place = new Path(path, DIRECTORY);
            try {
                Saved.save(model.model(), place, place.getFileSystem(sc().hadoopConfiguration()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Makes a stage.
    @FunctionalInterface
    interface Maker<M> {
        M of(String uid, SharedModel model);
    }

    /// Reads a stage.
    static final class Reader<M extends Model<M>> extends MLReader<M> {

        private final Class<M> type;
        private final Maker<M> maker;

        Reader(Class<M> type, Maker<M> maker) {
            this.type = type;
            this.maker = maker;
        }

        @Override
        public M load(String path) {
            DefaultParamsReader.Metadata metadata =
                    DefaultParamsReader$.MODULE$.loadMetadata(path, sparkSession(), type.getName());
            Path place = new Path(path, DIRECTORY);
            try {
                FactorModel model = Saved.load(place, place.getFileSystem(sc().hadoopConfiguration()));
                int features = Json.read(metadata.metadataJson().getBytes(StandardCharsets.UTF_8), JsonNode.class)
                        .path(FEATURES)
                        .asInt(Saved.features(model));
                M stage = maker.of(metadata.uid(), new SharedModel(model, features, null));
                metadata.getAndSetParams(stage, metadata.getAndSetParams$default$2());
                return stage;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void save(FactorModel model, Path place, FileSystem system) throws IOException {
        if (system instanceof LocalFileSystem local) {
            ModelDirectory.save(model, local.pathToFile(place).toPath(), false);
            return;
        }
        java.nio.file.Path aside = Files.createTempDirectory("tandem-");
        try {
            ModelDirectory.save(model, aside.resolve(DIRECTORY), false);
            system.copyFromLocalFile(new Path(aside.resolve(DIRECTORY).toUri()), place);
        } finally {
            RunDirectory.remove(aside);
        }
    }

    static FactorModel load(Path place, FileSystem system) throws IOException {
        if (system instanceof LocalFileSystem local) {
            return StoredModel.at(local.pathToFile(place).toPath()).loadFactors();
        }
        java.nio.file.Path aside = Files.createTempDirectory("tandem-");
        try {
            system.copyToLocalFile(
                    false, place, new Path(aside.resolve(DIRECTORY).toUri()), true);
            return StoredModel.at(aside.resolve(DIRECTORY)).loadFactors();
        } finally {
            RunDirectory.remove(aside);
        }
    }

    /// A model that the command line has trained on vectors or on the columns of a table.
    static SharedModel trained(String directory) throws IOException {
        FactorModel model = StoredModel.at(java.nio.file.Path.of(directory)).loadFactors();
        JsonNode kind = model.weights().schema().path("format").path("kind");
        if (!List.of(LIBSVM, TABLE).contains(kind.asText(LIBSVM))) {
            throw new IllegalArgumentException(directory + " was trained on " + kind.asText()
                    + " data, which has no names of columns; models of libsvm files score vectors, and those of tables"
                    + " columns of the same names");
        }
        return new SharedModel(model, features(model), null);
    }

    static void checkLinear(String directory, FactorModel model) {
        if (model.dimension() > 0) {
            throw new IllegalArgumentException(directory + " is a factorisation machine, whose scores are not those of"
                    + " its weights alone; load it as one");
        }
    }

    static void checkProbabilities(String directory, FactorModel model) {
        if (model.weights().link() != Link.LOGISTIC) {
            throw new IllegalArgumentException(directory + " was trained for "
                    + model.weights().loss() + " loss, which gives no probabilities; use a model of logistic loss");
        }
    }

    static void checkNumbers(String directory, FactorModel model) {
        if (!model.weights().classes().isEmpty()) {
            throw new IllegalArgumentException(directory + " was trained for "
                    + model.weights().loss()
                    + " loss, which tells classes; use a model of squared loss, or another for numbers");
        }
    }

    /// A stage with the columns that its model is for, if it is for columns.
    static <M extends TandemParams> M named(M stage, SharedModel model) {
        if (model.columns() != null) {
            stage.set(stage.inputCols(), model.columns().names(null));
            stage.set(stage.categoricalCols(), model.columns().names(Column.Kind.CATEGORY));
            stage.set(stage.hashBits(), model.columns().hashBits());
        }
        return stage;
    }

    /// How long vectors must be to have a feature for every weight.
    private static int features(FactorModel model) {
        long[] ids = model.weights().ids();
        long last = ids.length == 0 ? 0 : ids[ids.length - 1];
        return last >= 0 && last <= Integer.MAX_VALUE ? (int) last : SharedModel.UNKNOWN;
    }
}
