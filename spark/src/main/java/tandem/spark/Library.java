package tandem.spark;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import tandem.LinearTraining;
import tandem.app.Engine;

/// Tandem itself, which executors need. Spark brings all else.
final class Library {

    private static final List<Class<?>> PARTS = List.of(LinearTraining.class, Engine.class, Library.class);

    private Library() {}

    /// Has executors get the library from where this program has it, unless somebody has seen to that.
    static void handTo(SparkConf conf) {
        List<Path> places =
                PARTS.stream().map(Library::place).filter(Objects::nonNull).distinct().toList();
        String jars = joined(places, Files::isRegularFile, ",");
        if (!jars.isEmpty()) {
            String others = conf.get("spark.jars", "");
            conf.set("spark.jars", others.isEmpty() ? jars : others + "," + jars);
        }
        String directories = joined(places, Files::isDirectory, ":");
        if (!directories.isEmpty()) {
            conf.set("spark.executor.extraClassPath", directories);
        }
    }

    private static String joined(List<Path> places, Predicate<Path> which, String separator) {
        return places.stream().filter(which).map(Path::toString).collect(Collectors.joining(separator));
    }

    private static Path place(Class<?> part) {
        try {
            return Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // not in the file system: whoever has put it there has seen to it
        }
    }
}
