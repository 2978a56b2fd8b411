package tandem.spark;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import tandem.LinearTraining;
import tandem.app.Engine;

/// Tandem itself, which executors need. Spark brings all else.
final class Library {

    private static final List<Class<?>> PARTS = List.of(LinearTraining.class, Engine.class, Library.class);

    private Library() {}

    /// What `spark-submit` says in every application that it starts.
    private static final String SUBMITTED = "spark.app.submitTime";

    /// Has executors get the library from where this program has it, unless somebody has seen to that, as
    /// `spark-submit` has.
    static void handTo(SparkConf conf) {
        if (conf.contains(SUBMITTED)) {
            return;
        }
        List<Path> places = PARTS.stream()
                .map(Library::place)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (places.stream().anyMatch(Files::isDirectory)) {
            // As in a build, where all is on this machine. What Spark fetches is not seen from here.
            conf.set("spark.executor.extraClassPath", joined(places, ":"));
        } else if (!places.isEmpty()) {
            String others = conf.get("spark.jars", "");
            conf.set("spark.jars", others.isEmpty() ? joined(places, ",") : others + "," + joined(places, ","));
        }
    }

    private static String joined(List<Path> places, String separator) {
        return places.stream().map(Path::toString).collect(Collectors.joining(separator));
    }

    private static Path place(Class<?> part) {
        try {
            return Path.of(
                    part.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // not in the file system: whoever has put it there has seen to it
        }
    }
}
