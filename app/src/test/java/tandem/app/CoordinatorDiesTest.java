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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.runtime.Processes;

/// The command itself, as a user starts it, whose coordinator is killed in the middle of training.
@Timeout(120)
class CoordinatorDiesTest {

    private static final int ROWS = 2_000;
    private static final String NAME =
            "coordinator-dies-" + ProcessHandle.current().pid();

    @TempDir
    private Path at;

    private Process command;

    @BeforeEach
    void data() throws IOException {
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(at.resolve("clicks.svm"), 1, _ -> {});
    }

    @AfterEach
    void end() {
        if (command != null) {
            command.destroyForcibly();
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

    private void start(String model, int passes, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(Processes.java(), "-cp", System.getProperty("java.class.path")));
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", Tandem.class.getName(), "train", "linear"));
        words.addAll(List.of("--data", at.resolve("clicks.svm").toString(), "--runtime", "processes"));
        words.addAll(List.of("--workers", "2", "--solver", "ftrl", "--passes", Integer.toString(passes)));
        words.addAll(List.of(
                "--update-rows",
                "10",
                "--job",
                NAME,
                "--cache",
                at.resolve("cache").toString()));
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
