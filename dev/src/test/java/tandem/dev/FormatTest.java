package tandem.dev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Whether the sources look as the formatter writes them. `dev/format` runs this with `-Dformat=apply`, and
/// then they are made so. The formatter reads Java with the JDK it runs on, and tests run on the right one.
class FormatTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final int WIDTH = 120;

    /// A line of a Markdown comment, perhaps with the mark of a list.
    private static final Pattern COMMENT =
            Pattern.compile("(?<slashes>(?<indent> *)///)(?<mark> *(?:[-*] +|\\d+\\. +)?).*");

    private static final boolean APPLY = "apply".equals(System.getProperty("format"));

    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    @Test
    void every_source_is_formatted() throws IOException {
        var wrong = sources().parallelStream().map(FormatTest::check).filter(line -> !line.isEmpty());
        assertEquals("", wrong.collect(Collectors.joining("\n")), "run dev/format");
    }

    @Test
    void markdown_comments_and_unnamed_variables_are_kept() throws FormatterException {
        var text = """
            /// Says `one`:
            /// - two
            sealed interface Shape {
                /// A round one.
                record Circle(double radius, String name) implements Shape {}

                default double size() {
                    return switch (this) {
                        case Circle(double radius, var _) -> radius;
                    };
                }
            }
            """;
        assertEquals(text, FORMATTER.formatSourceAndFixImports(text));
    }

    @Test
    void markdown_comments_that_are_too_long_go_on_in_comments() throws FormatterException {
        var text = """
            /// %s
            class Long {
                /// - %s
                /// and so on
                int size;
            }
            """.formatted(words(30), words(50));
        var wrapped = """
            /// %s
            /// %s
            class Long {
                /// - %s
                ///   %s
                ///   %s
                /// and so on
                int size;
            }
            """.formatted(words(23), words(7), words(22), words(21), words(7));
        assertEquals(wrapped, format(text));
        assertEquals(wrapped, format(wrapped));
    }

    private static String words(int count) {
        return "word ".repeat(count).strip();
    }

    /// The formatter breaks a line of a Markdown comment that is too long and writes no slashes before the rest; and it
    /// counts the indentation of every line but the first twice.
    private static String format(String text) throws FormatterException {
        var wrapped = new ArrayList<String>();
        int width = WIDTH;
        for (var line : text.lines().toList()) {
            var comment = COMMENT.matcher(line);
            if (!comment.matches()) {
                width = WIDTH;
                wrapped.add(line);
                continue;
            }
            var below =
                    comment.group("slashes") + " ".repeat(comment.group("mark").length());
            var rest = line;
            while (rest.length() > width && rest.lastIndexOf(' ', width) > below.length()) {
                int end = rest.lastIndexOf(' ', width);
                wrapped.add(rest.substring(0, end));
                rest = below + rest.substring(end + 1);
                width = WIDTH - comment.group("indent").length();
            }
            wrapped.add(rest);
            width = WIDTH - comment.group("indent").length();
        }
        return FORMATTER.formatSourceAndFixImports(String.join("\n", wrapped) + "\n");
    }

    /// What is wrong with a file; empty if nothing is, or nothing is any more.
    private static String check(Path file) {
        try {
            var text = Files.readString(file);
            var formatted = format(text);
            if (formatted.equals(text)) {
                return "";
            }
            if (APPLY) {
                Files.writeString(file, formatted);
                return "";
            }
            return file + ": not formatted";
        } catch (FormatterException e) {
            return file + ":" + e.getMessage() + "; if that is a bare _ in a record pattern, write var _";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources() throws IOException {
        var sources = new ArrayList<Path>();
        for (var module : List.of("core", "app", "bench", "spark", "spark-ml", "bench-spark", "dev")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
            }
        }
        return sources;
    }
}
