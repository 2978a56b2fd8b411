package tandem.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The script `./tandem`, with a Maven that only counts how often it is called and puts ready jars in place,
/// and a JDK that cannot make a cache of its own, which would take a second a build.
@EnabledOnOs(OS.LINUX)
class LauncherTest {

    private static final Path REAL_JDK = Path.of(System.getProperty("java.home"));

    private static final String MAVEN = """
        #!/usr/bin/env bash
        echo "$*" >>"$COUNT"
        grep -rq broken "$HOME_OF_TANDEM"/*/src/main && { echo '[ERROR] Broken.java: does not compile'; exit 1; }
        for module in core app bench; do
            mkdir -p "$HOME_OF_TANDEM/$module/target/quick"
            cp "$JARS/$module.jar" "$HOME_OF_TANDEM/$module/target/quick/"
        done
        mkdir -p "$HOME_OF_TANDEM/bench-spark/target/quick"
        cp "$JARS/bench.jar" "$HOME_OF_TANDEM/bench-spark/target/quick/bench-spark.jar"
        """;

    private static final String JAVA = """
        #!/usr/bin/env bash
        [[ $* != *AOTMode* ]] || exit 1
        exec "$REAL_JDK/bin/java" "$@"
        """;

    private record Ran(int exit, String out, String err) {}

    @TempDir
    static Path jars;

    @TempDir
    Path temp;

    private Path home;
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void layOut() throws IOException {
        home = Files.createDirectories(temp.resolve("a place with spaces"));
        Files.copy(Path.of("../tandem"), home.resolve("tandem"));
        assertTrue(home.resolve("tandem").toFile().setExecutable(true));
        Files.createFile(home.resolve("pom.xml"));
        for (var module : new String[] {"core", "app", "bench", "spark", "spark-ml", "bench-spark"}) {
            Files.createDirectories(home.resolve(module).resolve("src/main"));
            Files.createFile(home.resolve(module).resolve("pom.xml"));
        }
        var jdk = Files.createDirectories(temp.resolve("jdk"));
        script(temp.resolve("bin/mvn"), MAVEN);
        script(jdk.resolve("bin/java"), JAVA);
        script(jdk.resolve("bin/javac"), "");
        script(jdk.resolve("bin/jar"), "#!/bin/sh\nexec \"$REAL_JDK/bin/jar\" \"$@\"\n");
        Files.copy(REAL_JDK.resolve("release"), jdk.resolve("release"));
        environment.put("PATH", temp.resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("COUNT", temp.resolve("count").toString());
        environment.put("JARS", jars.toString());
        environment.put("HOME_OF_TANDEM", home.toString());
        environment.put("REAL_JDK", REAL_JDK.toString());
        environment.put("TANDEM_JAVA_HOME", jdk.toString());
    }

    @Test
    void it_builds_once_and_again_only_when_sources_change() throws Exception {
        var first = run("one", "two words");
        assertEquals("app [one, two words]\n", first.out(), first.err());
        assertTrue(first.err().contains("first use"), first.err());
        assertEquals(new Ran(0, "app [three]\n", ""), run("three"));
        assertEquals(1, builds());

        Files.writeString(home.resolve("core/src/main/New.java"), "new");
        assertTrue(run().err().contains("sources changed"));
        assertEquals(2, builds());

        Files.delete(home.resolve("core/src/main/New.java"));
        run();
        assertEquals(3, builds());
        assertEquals(1, kept("app-"), "builds that nobody runs are removed");
    }

    @Test
    void the_first_build_leaves_a_cache_to_start_from() throws Exception {
        environment.put("TANDEM_JAVA_HOME", REAL_JDK.toString());
        run();
        assertEquals(new Ran(0, "app []\n", ""), run());
        try (var files = Files.walk(home.resolve("target/launcher"))) {
            assertTrue(files.anyMatch(file -> file.endsWith("aot")));
        }
    }

    @Test
    void two_first_uses_at_once_build_once() throws Exception {
        var one = start("one");
        var two = start("two");
        assertEquals("app [one]\n", finish(one).out());
        assertEquals("app [two]\n", finish(two).out());
        assertEquals(1, builds());
    }

    @Test
    void a_failed_build_says_why_and_leaves_the_earlier_one() throws Exception {
        run();
        var source = home.resolve("app/src/main/Broken.java");
        Files.writeString(source, "broken");
        var failed = run();
        assertEquals(1, failed.exit());
        assertTrue(failed.err().contains("Broken.java: does not compile"), failed.err());
        assertTrue(failed.err().contains("Whole log: " + home), failed.err());
        assertEquals(1, kept("app-"));
        Files.delete(source);
        assertEquals(new Ran(0, "app []\n", ""), run());
    }

    @Test
    void bench_is_built_when_first_used() throws Exception {
        run();
        assertEquals("bench [parse, --json]\n", run("bench", "parse", "--json").out());
        var calls = Files.readAllLines(temp.resolve("count"));
        assertTrue(calls.get(0).contains("-pl core,app -am"), calls.get(0));
        assertTrue(calls.get(1).contains("-pl core,app,bench -am"), calls.get(1));
    }

    @Test
    void only_the_benchmark_beside_spark_is_built_with_spark() throws Exception {
        assertEquals("bench [spark, --json]\n", run("bench", "spark", "--json").out());
        assertEquals("bench [parse]\n", run("bench", "parse").out());
        var calls = Files.readAllLines(temp.resolve("count"));
        assertTrue(calls.get(0).contains("-pl core,app,bench,spark,spark-ml,bench-spark -am"), calls.get(0));
        assertTrue(calls.get(1).contains("-pl core,app,bench -am"), calls.get(1));
        assertEquals(1, kept("benchspark-"));
        assertEquals(1, kept("bench-"));
    }

    @Test
    void it_runs_through_a_link_and_passes_on_its_input_and_exit_code() throws Exception {
        var link = Files.createSymbolicLink(temp.resolve("link"), home.resolve("tandem"));
        var process = start(link, "exit");
        try (var in = process.getOutputStream()) {
            in.write("7".getBytes(UTF_8));
        }
        assertEquals(7, finish(process).exit());
    }

    @Test
    void options_of_the_user_reach_the_jvm() throws Exception {
        environment.put("TANDEM_OPTS", "-Xmx64m -XX:+UseSerialGC -Dname=value");
        assertEquals("value true\n", run("options").out());
    }

    @Test
    void without_a_new_enough_jdk_it_says_what_to_do() throws Exception {
        Files.writeString(
                home.resolve("tandem"), Files.readString(home.resolve("tandem")).replace("need=25 ", "need=99 "));
        var named = run();
        assertEquals(2, named.exit());
        assertTrue(named.err().contains("TANDEM_JAVA_HOME is " + temp.resolve("jdk")), named.err());
        environment.put("TANDEM_JAVA_HOME", "");
        var searched = run();
        assertEquals(1, searched.exit());
        assertTrue(searched.err().contains("no JDK 99 or newer found"), searched.err());
        assertTrue(searched.err().contains("set TANDEM_JAVA_HOME"), searched.err());
    }

    /// Jars of a core and two programs that print their arguments, named in manifests as Maven does.
    @BeforeAll
    static void pack() throws IOException {
        var rehearsal = jars.resolve("Rehearsal.java");
        Files.writeString(
                rehearsal, "package tandem.app; class Rehearsal { public static void main(String[] args) {} }");
        tool("javac", "-d", jars.resolve("classes").toString(), rehearsal.toString());
        for (var program : Map.of("app", "app.Tandem", "bench", "bench.Bench").entrySet()) {
            var type = program.getValue();
            var name = type.substring(type.indexOf('.') + 1);
            Files.writeString(jars.resolve(name + ".java"), """
                package tandem.%s;
                public class %s {
                    public static void main(String[] args) throws Exception {
                        switch (String.join(" ", args)) {
                            case "exit" -> System.exit(System.in.read() - '0');
                            case "options" -> System.out.println(
                                    System.getProperty("name") + " " + (Runtime.getRuntime().maxMemory() <= 64 << 20));
                            default -> System.out.println("%s " + java.util.List.of(args));
                        }
                    }
                }
                """.formatted(program.getKey(), name, program.getKey()));
            tool(
                    "javac",
                    "-d",
                    jars.resolve("classes").toString(),
                    jars.resolve(name + ".java").toString());
            var manifest = jars.resolve(name + ".manifest");
            Files.writeString(
                    manifest,
                    "Class-Path: tandem/core/core.jar some/library/library.jar\nLocal-Repository: " + jars + "\n");
            tool(
                    "jar",
                    "-cfm",
                    jars.resolve(program.getKey() + ".jar").toString(),
                    manifest.toString(),
                    "-C",
                    jars.resolve("classes").toString(),
                    ".");
        }
        Files.createDirectories(jars.resolve("some/library"));
        tool("jar", "-cf", jars.resolve("core.jar").toString(), "-C", jars.toString(), "Tandem.java");
        Files.copy(jars.resolve("core.jar"), jars.resolve("some/library/library.jar"));
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertTrue(file.toFile().setExecutable(true));
    }

    private static void tool(String name, String... args) {
        assertEquals(0, ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, args));
    }

    private Ran run(String... args) throws IOException, InterruptedException {
        return finish(start(args));
    }

    private Process start(String... args) throws IOException {
        return start(home.resolve("tandem"), args);
    }

    private Process start(Path script, String... args) throws IOException {
        var command = new ArrayList<String>();
        command.add(script.toString());
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).directory(temp.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// Waits for the end; what a run prints is little and fits the pipes.
    private static Ran finish(Process process) throws IOException, InterruptedException {
        var out = new String(process.getInputStream().readAllBytes(), UTF_8);
        var err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        return new Ran(process.waitFor(), out, err);
    }

    private long builds() throws IOException {
        return Files.readAllLines(temp.resolve("count")).size();
    }

    private long kept(String kind) throws IOException {
        try (var builds = Files.list(home.resolve("target/launcher"))) {
            return builds.filter(build -> build.getFileName().toString().startsWith(kind))
                    .count();
        }
    }
}
