package tandem.spark.ml;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// A model of Spark ML on disk: `metadata` as Spark has it, and beside it `tandem`, a directory as the command line
/// reads and writes.
final class Saved {

    private static final String DIRECTORY = "tandem";
    private static final String LIBSVM = "libsvm";
    private static final String FEATURES = "numFeatures";

    private Saved() {}

    /// Writes a stage and its model.
    static final class Writer extends MLWriter {

        private final Model<?> stage;
        private final LinearModel model;
        private final int features;

        Writer(Model<?> stage, LinearModel model, int features) {
            this.stage = stage;
            this.model = model;
            this.features = features;
        }

        @Override
        public void saveImpl(String path) {
            Tuple2<String, JValue> known = new Tuple2<>(FEATURES, new JInt(BigInt.apply(features)));
            DefaultParamsWriter$.MODULE$.saveMetadata(
                    stage,
                    path,
                    sparkSession(),
                    Option.apply(new JObject(
                            List$.MODULE$.<Tuple2<String, JValue>>empty().$colon$colon(known))));
            Path place = new Path(path, DIRECTORY);
            try {
                Saved.save(model, place, place.getFileSystem(sc().hadoopConfiguration()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Makes a stage.
    @FunctionalInterface
    interface Maker<M> {
        M of(String uid, LinearModel model, int features);
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
                LinearModel model = Saved.load(place, place.getFileSystem(sc().hadoopConfiguration()));
                int features = Json.read(metadata.metadataJson().getBytes(StandardCharsets.UTF_8), JsonNode.class)
                        .path(FEATURES)
                        .asInt(Saved.features(model));
                M stage = maker.of(metadata.uid(), model, features);
                metadata.getAndSetParams(stage, metadata.getAndSetParams$default$2());
                return stage;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void save(LinearModel model, Path place, FileSystem system) throws IOException {
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

    static LinearModel load(Path place, FileSystem system) throws IOException {
        if (system instanceof LocalFileSystem local) {
            return ModelDirectory.load(local.pathToFile(place).toPath());
        }
        java.nio.file.Path aside = Files.createTempDirectory("tandem-");
        try {
            system.copyToLocalFile(
                    false, place, new Path(aside.resolve(DIRECTORY).toUri()), true);
            return ModelDirectory.load(aside.resolve(DIRECTORY));
        } finally {
            RunDirectory.remove(aside);
        }
    }

    /// A model that the command line has trained on numbered features.
    static LinearModel trained(String directory) throws IOException {
        LinearModel model = ModelDirectory.load(java.nio.file.Path.of(directory));
        JsonNode kind = model.schema().path("format").path("kind");
        if (!kind.asText(LIBSVM).equals(LIBSVM)) {
            throw new IllegalArgumentException(directory + " was trained on a " + kind.asText()
                    + ", whose columns have hashes for features; vectors can be scored by models of libsvm files");
        }
        return model;
    }

    /// How long vectors must be to have a feature for every weight; -1 if they cannot.
    static int features(LinearModel model) {
        long last = model.ids().length == 0 ? 0 : model.ids()[model.ids().length - 1];
        return last >= 0 && last <= Integer.MAX_VALUE ? (int) last : -1;
    }
}
