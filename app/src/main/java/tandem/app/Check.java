package tandem.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is looked at before long work starts. Every message names the option.
final class Check {

    private static final Pattern RATE =
            Pattern.compile("(\\d+(?:\\.\\d+)?)(k|m|g|)(bit|b|byte)", Pattern.CASE_INSENSITIVE);

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h|)");

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)([KkMGT]|)");

    private Check() {}

    /// An option without which there is nothing to do.
    static <T> T given(String option, T value, String what) {
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing; say " + what);
        }
        return value;
    }

    /// A strength or other number that may be 0 but not below; null stands for not given.
    static Double notNegative(String option, Double value, String what) {
        if (value != null && !(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(option + " is " + plain(value) + "; " + what + " is a number from 0 up");
        }
        return value;
    }

    static Double positive(String option, Double value, String what) {
        if (value != null && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(option + " is " + plain(value) + "; " + what + " is a number above 0");
        }
        return value;
    }

    static <N extends Number> N atLeast(long least, String option, N value) {
        if (value != null && value.longValue() < least) {
            throw new IllegalArgumentException(option + " is " + value + "; use " + least + " or more");
        }
        return value;
    }

    static Integer within(int least, int most, String option, Integer value) {
        if (value != null && (value < least || value > most)) {
            throw new IllegalArgumentException(option + " is " + value + "; use " + least + " to " + most);
        }
        return value;
    }

    /// A number above 0 that is `most` at most.
    static Double share(String option, Double value, double most, String what) {
        if (positive(option, value, what) != null && value > most) {
            throw new IllegalArgumentException(
                    option + " is " + plain(value) + "; " + what + " is a number above 0, at most " + plain(most));
        }
        return value;
    }

    /// A time such as `10s`, `500ms`, `5m` or `1h`; a bare number counts seconds.
    static Duration duration(String option, String text) {
        Matcher parts = DURATION.matcher(text.strip());
        double amount = parts.matches() ? Double.parseDouble(parts.group(1)) : 0;
        if (!(amount > 0)) {
            throw new IllegalArgumentException(
                    option + " is " + text + "; it is a time above 0 with its unit, such as 500ms, 10s, 5m or 1h");
        }
        double millis = amount
                * switch (parts.group(2)) {
                    case "ms" -> 1;
                    case "m" -> 60_000;
                    case "h" -> 3_600_000;
                    default -> 1_000;
                };
        return Duration.ofMillis(Math.max(1, (long) millis));
    }

    /// A size such as `500M` or `8G`; a bare number counts bytes.
    static long bytes(String option, String text) {
        Matcher parts = SIZE.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    option + " is " + text + "; it is a number of bytes, such as 64000000, 500M or 8G");
        }
        double amount = Double.parseDouble(parts.group(1));
        return (long) (amount
                * switch (parts.group(2)) {
                    case "K", "k" -> 1L << 10;
                    case "M" -> 1L << 20;
                    case "G" -> 1L << 30;
                    case "T" -> 1L << 40;
                    default -> 1;
                });
    }

    /// That a file can be written to `file`: its directory is there and lets us.
    static void writable(String option, Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(option + " " + file + " is a directory; name a file");
        }
        Path directory = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException(
                    option + " " + file + ": there is no directory " + directory + "; make it first with mkdir -p");
        }
        boolean made = !Files.exists(file) || Files.isRegularFile(file);
        if (made ? !takesFiles(directory) : !Files.isWritable(file)) {
            throw new IOException(option + " " + file + ": no permission to write there; choose another place");
        }
    }

    /// That writing to `file` destroys none of the files that are read, and no model.
    ///
    /// @param read  files that the command reads
    /// @param model the directory of the model that it reads or writes; null for none
    static void spares(String option, Path file, Collection<String> read, Path model) throws IOException {
        if (model != null && real(file).startsWith(real(model))) {
            throw new IllegalArgumentException(
                    option + " " + file + " is where the model is, or within it; name a file elsewhere");
        }
        for (String one : read) {
            if (Files.exists(file) && Files.isSameFile(file, Path.of(one))) {
                throw new IllegalArgumentException(
                        option + " " + file + " is a file that this command reads; name another one to write to");
            }
        }
    }

    /// Where `path` is, or would be, without symbolic links.
    private static Path real(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        if (Files.exists(absolute)) {
            return absolute.toRealPath();
        }
        Path above = absolute.getParent();
        return above == null ? absolute : real(above).resolve(absolute.getFileName());
    }

    /// That a directory can be made at `directory`, with those above it.
    static void creatable(String option, Path directory) throws IOException {
        Path above = directory.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        if (above == null || !Files.isDirectory(above) || !takesFiles(above)) {
            throw new IOException(
                    option + " " + directory + ": no directory can be made in " + above + "; choose another place");
        }
    }

    /// That a directory that is there can be renamed over, which none can where another file system begins.
    static void replaceable(String option, Path directory) throws IOException {
        Path place = directory.toRealPath();
        if (place.getParent() == null || !device(place).equals(device(place.getParent()))) {
            throw new IllegalArgumentException(option + " " + directory
                    + " is a mount point, which cannot be replaced; name a directory below it, such as "
                    + directory.resolve("parts"));
        }
    }

    private static Object device(Path path) throws IOException {
        return Files.getAttribute(path, "unix:dev");
    }

    /// Whether a file can be made in `directory`. Only trying tells: permissions say nothing of /proc and its like.
    private static boolean takesFiles(Path directory) {
        try {
            Files.delete(Files.createTempFile(directory, ".tandem", ".part"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /// Bytes a second.
    static double rate(String option, String text) {
        Matcher parts = RATE.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(option + " is " + text + "; it is an amount a second with its unit,"
                    + " such as 10Gbit, 100Mbit or 1GB");
        }
        double unit = switch (parts.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1e3;
            case "m" -> 1e6;
            case "g" -> 1e9;
            default -> 1;
        };
        boolean bits = parts.group(3).equalsIgnoreCase("bit") || parts.group(3).equals("b");
        return Double.parseDouble(parts.group(1)) * unit / (bits ? 8 : 1);
    }
}
