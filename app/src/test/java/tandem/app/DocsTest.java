package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.runtime.Processes;

/// What is printed for users is true: commands and programs of the documents run in the order they are
/// printed, programs print what the text block after them says, examples end well, links lead somewhere.
class DocsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

    private record Block(String language, String text) {}

    @TempDir
    private Path at;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/start.md", "docs/running.md", "docs/consistency.md"})
    void commands_and_programs_run_as_printed(String document) throws Exception {
        List<Block> blocks = blocks(Files.readString(ROOT.resolve(document)));
        for (int b = 0; b < blocks.size(); b++) {
            Block block = blocks.get(b);
            if (block.language.equals("sh")) {
                for (String line : block.text.lines().toList()) {
                    command(line);
                }
            } else if (block.language.equals("java")) {
                Path program = Files.writeString(at.resolve("Program.java"), block.text);
                assertEquals(blocks.get(b + 1).text, java(library(), program.toString()));
            }
        }
    }

    @Test
    void every_example_ends_well_on_a_plain_class_path() throws Exception {
        try (Stream<Path> examples = Files.list(ROOT.resolve("examples"))) {
            List<Path> all = examples.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
            assertFalse(all.isEmpty());
            for (Path example : all) {
                java(library(), example.toString());
            }
        }
    }

    @Test
    void links_between_documents_lead_somewhere() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            for (Path document : Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList()) {
                Matcher link = LINK.matcher(Files.readString(document));
                while (link.find()) {
                    assertTrue(
                            Files.exists(document.resolveSibling(link.group(1))),
                            document + " links to " + link.group(1));
                }
            }
        }
    }

    private static List<Block> blocks(String markdown) {
        List<Block> blocks = new ArrayList<>();
        Matcher match = BLOCK.matcher(markdown);
        while (match.find()) {
            blocks.add(new Block(match.group(1), match.group(2)));
        }
        return blocks;
    }

    /// Runs a printed command, but for the demo, which [DemoTest] runs smaller.
    private void command(String line) throws Exception {
        assertTrue(line.startsWith(Tandem.PROGRAM + " "), line);
        List<String> words = Arrays.asList(line.split(" +"));
        if (!words.get(1).equals("demo")) {
            List<String> args = new ArrayList<>(List.of("tandem.app.Tandem"));
            args.addAll(words.subList(1, words.size()));
            java(System.getProperty("java.class.path"), args.toArray(String[]::new));
        }
    }

    /// The library and what it needs, without the command line and the tests.
    private static String library() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*(core/target/.*|/(tandem|jackson-|zstd-jni|fastcsv)[^/]*\\.jar)"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// What a JVM in a directory of its own prints.
    private String java(String classPath, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(Processes.java(), "-XX:TieredStopAtLevel=1", "-cp", classPath));
        command.addAll(List.of(args));
        Path out = at.resolve("out");
        Path err = at.resolve("err");
        Process process = new ProcessBuilder(command)
                .directory(at.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), command + " takes too long");
        assertEquals(0, process.exitValue(), command + "\n" + Files.readString(err));
        return Files.readString(out);
    }
}
