package tandem.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.link.Secret;
import tandem.runtime.Processes;

/// The command itself, as a user starts it, whose coordinator is killed in the middle of training.
@Timeout(240)
class CoordinatorDiesTest {

    private static final int ROWS = 2_000;
    private static final String NAME =
            "coordinator-dies-" + ProcessHandle.current().pid();

    @TempDir
    private Path at;

    private Process command;

    /// A node that was started beside it.
    private Process joined;

    @BeforeEach
    void data() throws IOException {
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(at.resolve("clicks.svm"), 1, _ -> {});
    }

    @AfterEach
    void end() {
        if (command != null) {
            command.destroyForcibly();
        }
        if (joined != null) {
            joined.destroyForcibly();
        }
    }

    @Test
    void one_of_each_role_is_killed_and_the_model_has_the_same_bits() throws Exception {
        start("kept", 8, "--deterministic", "--servers", "3", "--replicas", "1");
        assertEquals(0, command.waitFor(), this::said);
        start("killed", 8, "--deterministic", "--servers", "3", "--replicas", "1");
        List<Long> coordinators = new ArrayList<>();
        for (String role : List.of("coordinator", "server", "worker", "coordinator")) {
            long pid = awaitNode(role, ROWS);
            kill(pid);
            if (role.equals("coordinator")) {
                assertFalse(coordinators.contains(pid), "the coordinator was not replaced");
                coordinators.add(pid);
            }
        }
        assertEquals(0, command.waitFor(), this::said);
        assertEquals(2, said().split("the coordinator was ended by signal 9; another", -1).length - 1, this::said);
        assertEquals(8L * ROWS, report("killed").get("examples").asLong());
        assertArrayEquals(weights("kept"), weights("killed"));
        double objective = report("kept").get("objective").asDouble();
        assertEquals(objective, report("killed").get("objective").asDouble(), 1e-9 * objective);
        assertEquals(
                report("kept").get("curve").size(),
                report("killed").get("curve").size());
    }

    /// The cache is gone meanwhile, so that nothing can be cut again.
    @Test
    void examples_and_features_stay_where_the_first_has_placed_them() throws Exception {
        String[] placed = {"--deterministic", "--servers", "3", "--replicas", "1", "--placement", "parsa"};
        start("kept", 8, placed);
        assertEquals(0, command.waitFor(), this::said);
        start("killed", 8, placed);
        long coordinator = awaitNode("coordinator", ROWS);
        try (Stream<Path> cached = Files.list(at.resolve("cache"))) {
            for (Path file : cached.toList()) {
                Files.delete(file);
            }
        }
        kill(coordinator);
        assertEquals(0, command.waitFor(), this::said);
        assertTrue(said().contains("the coordinator was ended by signal 9; another"), this::said);
        assertEquals(1, said().split("examples cut into", -1).length - 1, this::said);
        assertEquals(8L * ROWS, report("killed").get("examples").asLong());
        assertArrayEquals(weights("kept"), weights("killed"));
        assertEquals(report("kept").get("placement"), report("killed").get("placement"));
        try (Stream<Path> cached = Files.list(at.resolve("cache"))) {
            assertEquals(List.of(), cached.toList());
        }
    }

    @Test
    void one_that_hangs_is_replaced_too_and_a_run_that_nobody_can_go_on_with_says_so() throws Exception {
        start("hung", 8);
        assertEquals(
                0,
                new ProcessBuilder("kill", "-STOP", Long.toString(awaitNode("coordinator", 1)))
                        .start()
                        .waitFor());
        assertEquals(0, command.waitFor(), this::said);
        assertTrue(said().contains("the coordinator has been silent for 5 s and is ended"), this::said);
        assertEquals(8L * ROWS, report("hung").get("examples").asLong());
        start("stolen", 50, "--consistency", "fraction:0.5");
        kill(awaitNode("coordinator", 1));
        assertEquals(1, command.waitFor(), this::said);
        assertTrue(said().contains("in the middle of a run that nobody else can go on with"), this::said);
        assertFalse(Files.exists(at.resolve("stolen")));
    }

    @Test
    void a_worker_that_has_joined_goes_on_under_the_next_coordinator() throws Exception {
        Path secret = at.resolve("secret");
        Secret.given(null, Map.of(Secret.VARIABLE, "a secret of a test, which is long enough"))
                .write(secret);
        String[] reachable = {"--transport", "tcp", "--listen", "127.0.0.2:0", "--secret-file", secret.toString()};
        start(
                "joined",
                1_000_000,
                Stream.concat(Stream.of("--streams", "3"), Stream.of(reachable)).toArray(String[]::new));
        long first = awaitNode("coordinator", 1);
        Matcher place = Pattern.compile("node --join (\\S+)").matcher(said());
        assertTrue(place.find(), this::said);
        List<String> words = tandem("node", "--role", "worker", "--join", place.group(1));
        words.addAll(List.of("--secret-file", secret.toString()));
        joined = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve("joined-said").toFile())
                .start();
        JsonNode before = awaitJoined(_ -> true);
        kill(first);
        JsonNode after = awaitJoined(nodes -> coordinator(nodes) != first && coordinator(nodes) != 0);
        assertEquals(joined.pid(), after.get("pid").asLong(), this::said);
        long learned = after.get("examples").asLong();
        awaitJoined(nodes -> joined(nodes).get("examples").asLong() > learned);
        assertEquals(before.get("streams"), after.get("streams"));
        assertTrue(said().contains("the coordinator was ended by signal 9; another"), this::said);
    }

    /// The worker that has joined, once it has streams and all nodes are as they should be.
    private JsonNode awaitJoined(Predicate<JsonNode> condition) throws Exception {
        while (command.isAlive() && joined.isAlive()) {
            Call call = Call.of("cluster", "status", "--job", NAME, "--json");
            if (call.code() == 0) {
                JsonNode nodes = new ObjectMapper().readTree(call.out()).get("nodes");
                JsonNode node = joined(nodes);
                if (node != null && !node.get("streams").isEmpty() && condition.test(nodes)) {
                    return node;
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("one of them ended:\n" + said() + Files.readString(at.resolve("joined-said")));
    }

    private static JsonNode joined(JsonNode nodes) {
        for (JsonNode node : nodes) {
            if (node.get("role").asText().equals("worker") && node.get("id").asInt() == 2) {
                return node;
            }
        }
        return null;
    }

    /// Its process, or 0.
    private static long coordinator(JsonNode nodes) {
        for (JsonNode node : nodes) {
            if (node.get("role").asText().equals("coordinator")) {
                return node.get("pid").asLong();
            }
        }
        return 0;
    }

    private static List<String> tandem(String... words) {
        List<String> command = new ArrayList<>(List.of(Processes.java(), "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", Tandem.class.getName()));
        command.addAll(List.of(words));
        return command;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dbpg --blocks 8 --columns-in disk --l1 1 --filters keycache,kkt", "lbfgs --l1 0.5 --l2 0.5"})
    void a_solver_of_the_optimum_ends_at_the_same_weights_whoever_is_killed(String solver) throws Exception {
        String[] options = ("--solver " + solver
                        + " --max-iterations 12 --tolerance 1e-9 --consistency bsp --servers 3 --replicas 1")
                .split(" ");
        Stream<Object> threads = Stream.of("train", "linear", "--data", at.resolve("clicks.svm"), "--workers", "2");
        Stream<Object> kept = Stream.of("--model", at.resolve("kept"), "--report", at.resolve("kept.json"));
        Call.good(Stream.of(threads, kept, Stream.<Object>of(options))
                .flatMap(s -> s)
                .toArray());
        start("killed", options);
        for (String role : List.of("worker", "coordinator", "server")) {
            kill(awaitNode(role, ROWS));
        }
        assertEquals(0, command.waitFor(), this::said);
        assertEquals(12, report("killed").get("iterations").asLong());
        double objective = report("kept").get("objective").asDouble();
        assertEquals(objective, report("killed").get("objective").asDouble(), 1e-9 * objective);
    }

    private void start(String model, int passes, String... more) throws IOException {
        start(
                model,
                Stream.concat(
                                Stream.of(
                                        "--solver",
                                        "ftrl",
                                        "--passes",
                                        Integer.toString(passes),
                                        "--update-rows",
                                        "10"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private void start(String model, String... more) throws IOException {
        List<String> words = tandem("train", "linear");
        words.addAll(List.of("--data", at.resolve("clicks.svm").toString(), "--runtime", "processes"));
        words.addAll(List.of(
                "--workers", "2", "--job", NAME, "--cache", at.resolve("cache").toString()));
        words.addAll(List.of(
                "--model",
                at.resolve(model).toString(),
                "--report",
                at.resolve(model + ".json").toString()));
        words.addAll(List.of(more));
        command = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve("said").toFile())
                .start();
    }

    private String said() {
        try {
            return Files.readString(at.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// The process of the first node of a role, once workers have learned from so many examples.
    private long awaitNode(String role, long examples) throws Exception {
        while (command.isAlive()) {
            Call call = Call.of("cluster", "status", "--job", NAME, "--json");
            if (call.code() == 0) {
                JsonNode nodes = new ObjectMapper().readTree(call.out()).get("nodes");
                long learned = 0;
                long found = 0;
                for (JsonNode node : nodes) {
                    learned += node.get("examples").asLong();
                    if (found == 0 && node.get("role").asText().equals(role)) {
                        found = node.get("pid").asLong();
                    }
                }
                if (learned >= examples && found != 0) {
                    return found;
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("it ended before there was a " + role + ":\n" + said());
    }

    private static void kill(long pid) {
        assertNotEquals(0, pid);
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    private JsonNode report(String model) throws IOException {
        return new ObjectMapper().readTree(at.resolve(model + ".json").toFile());
    }

    private byte[] weights(String model) throws IOException {
        try (Stream<Path> files = Files.list(at.resolve(model))) {
            List<Path> ranges = files.filter(file -> file.toString().endsWith(".safetensors"))
                    .sorted()
                    .toList();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (Path range : ranges) {
                bytes.write(Files.readAllBytes(range));
            }
            assertNotEquals(0, bytes.size());
            return bytes.toByteArray();
        }
    }
}
