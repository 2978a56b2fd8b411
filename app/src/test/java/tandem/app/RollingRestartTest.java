package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Rhythm;
import tandem.Solver;
import tandem.Trained;
import tandem.Watch;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;

/// Every server and every worker of a run is exchanged for another, one after the other, while it trains.
@Timeout(300)
class RollingRestartTest {

    private static final int ROWS = 4_000;
    private static final int PASSES = 60;
    private static final String NAME = "rolling-" + ProcessHandle.current().pid();

    @TempDir
    private Path at;

    private Path data;

    @BeforeEach
    void data() throws IOException {
        data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(data, 1, _ -> {});
    }

    @Test
    void exchanged_by_command_to_the_same_bits() throws IOException {
        List<Runnable> steps = new ArrayList<>();
        for (int server = 0; server < 3; server++) {
            int old = server;
            steps.add(() -> Call.good("cluster", "add-server", "--job", NAME));
            steps.add(() -> Call.good("cluster", "remove-server", old, "--job", NAME));
        }
        for (int worker = 0; worker < 2; worker++) {
            int old = worker;
            steps.add(() -> Call.good("cluster", "add-worker", "--job", NAME));
            steps.add(() -> Call.good("cluster", "remove-worker", old, "--job", NAME));
        }
        assertSame(steps);
    }

    @Test
    void killed_one_after_the_other_to_the_same_bits() throws IOException {
        List<Runnable> steps = new ArrayList<>();
        for (int server = 0; server < 3; server++) {
            int old = server;
            steps.add(() -> kill("server", old));
        }
        for (int worker = 0; worker < 2; worker++) {
            int old = worker;
            steps.add(() -> kill("worker", old));
        }
        assertSame(steps);
    }

    private void assertSame(List<Runnable> steps) throws IOException {
        JsonNode undisturbed =
                train(new Where.Embedded(), Watch.SILENT, "alone").report().tree();
        Roller roller = new Roller(steps);
        JsonNode rolled = train(new Where.Processes(Where.Transport.UNIX, NAME), roller, "rolled")
                .report()
                .tree();
        assertEquals(List.of(), roller.failures);
        // Who is known to have ended is not missed as well.
        assertTrue(roller.notes.stream().noneMatch(note -> note.contains("silent")), roller.notes::toString);
        assertEquals(0, roller.steps.size(), "training was over before all nodes were exchanged");
        assertEquals((long) PASSES * ROWS, rolled.get("examples").asLong());
        assertEquals(
                undisturbed.get("objective").asDouble(), rolled.get("objective").asDouble());
    }

    /// Kills a node once every weight has all its copies, and waits until another is there.
    private static void kill(String role, int id) {
        await(RollingRestartTest::isWhole);
        JsonNode victim = nodes().stream()
                .filter(node ->
                        node.get("role").asText().equals(role) && node.get("id").asInt() == id)
                .findFirst()
                .orElseThrow();
        long pid = victim.get("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await(() -> nodes().stream().noneMatch(node -> node.get("pid").asLong() == pid) && isWhole());
    }

    /// Whether there are three servers with two copies of each of six seats between them, and two workers.
    private static boolean isWhole() {
        List<JsonNode> nodes = nodes();
        int copies = nodes.stream().mapToInt(node -> node.get("seats").size()).sum();
        return nodes.stream()
                                .filter(node -> node.get("role").asText().equals("server"))
                                .count()
                        == 3
                && nodes.stream()
                                .filter(node -> node.get("role").asText().equals("worker"))
                                .count()
                        == 2
                && copies == 2 * 6
                && nodes.stream().allMatch(node -> node.get("heardMillis").asLong() < 1_000);
    }

    private static List<JsonNode> nodes() {
        try {
            JsonNode status = new ObjectMapper()
                    .readTree(Call.good("cluster", "status", "--job", NAME, "--json")
                            .out());
            return StreamSupport.stream(status.get("nodes").spliterator(), false)
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier due) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!due.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, () -> "not within 30 s: " + nodes());
            Thread.onSpinWait();
        }
    }

    /// Takes one step after the other, on the thread that trains, from the second pass on.
    private static final class Roller implements Watch {

        private final Queue<Runnable> steps;
        private final List<Throwable> failures = new ArrayList<>();
        private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

        Roller(List<Runnable> steps) {
            this.steps = new ArrayDeque<>(steps);
        }

        @Override
        public void note(String line) {
            notes.add(line);
        }

        @Override
        public void progress(String stage, double part, long examples, double loss) {
            if (stage.startsWith("pass") && !stage.startsWith("pass 1/") && !steps.isEmpty()) {
                try {
                    steps.remove().run();
                } catch (AssertionError | RuntimeException e) {
                    failures.add(e);
                }
            }
        }
    }

    private Trained train(Where where, Watch watch, String name) throws IOException {
        return LinearTraining.of(
                        Linear.DEFAULT
                                .withThreads(1)
                                .withSolver(Solver.Online.of(Solver.Rule.FTRL)
                                        .withPasses(PASSES)
                                        .withPatience(0)),
                        Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withWatch(watch)
                .withCluster(ClusterPlan.DEFAULT
                        .withWhere(where)
                        .withNodes(2, 3)
                        .withReplicas(1)
                        .withStreams(4)
                        .withRhythm(Rhythm.DEFAULT.withConsistency("bsp").withDeterminism())
                        .withBatchRows(500))
                .withModel(at.resolve(name), false)
                .run();
    }
}
