package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Trained;
import tandem.Watch;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;

/// Real processes that end, come and go in the middle of training.
@Timeout(120)
class NodesComeAndGoTest {

    private static final int ROWS = 4_000;
    private static final String NAME = "come-and-go-" + ProcessHandle.current().pid();

    @TempDir
    private Path at;

    private Path data;

    @BeforeEach
    void data() throws IOException {
        data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(data, 1, _ -> {});
    }

    @Test
    void a_server_and_a_worker_are_killed_and_every_example_counts_once() throws IOException {
        Trained undisturbed = train(Watch.SILENT, 3, 1, 12, "alone");
        Disturber disturber = new Disturber(List.of(() -> kill("server", 1), () -> kill("worker", 0)));
        Trained trained = train(disturber, 3, 1, 12, "killed");
        disturber.check(2);
        assertEquals(12L * ROWS, trained.report().tree().get("examples").asLong());
        assertEquals(
                undisturbed.report().tree().get("objective").asDouble(),
                trained.report().tree().get("objective").asDouble(),
                0.01 * undisturbed.report().tree().get("objective").asDouble());
    }

    @Test
    void servers_and_workers_come_and_go_by_command() throws IOException {
        Disturber disturber = new Disturber(List.of(
                () -> Call.good("cluster", "add-server", "--job", NAME),
                () -> Call.good("cluster", "remove-server", "0", "--job", NAME),
                () -> Call.good("cluster", "remove-worker", "1", "--job", NAME),
                () -> Call.good("cluster", "add-worker", "--job", NAME)));
        Trained trained = train(disturber, 2, 0, 40, "moved");
        disturber.check(4);
        assertEquals(40L * ROWS, trained.report().tree().get("examples").asLong());
        assertTrue(Call.bad(1, "cluster", "status", "--job", NAME).contains("no job called"));
    }

    @Test
    void what_cannot_be_done_is_said() throws IOException {
        List<String> said = new ArrayList<>();
        Disturber disturber = new Disturber(List.of(
                () -> said.add(Call.bad(2, "cluster", "remove-server", "7", "--job", NAME)),
                () -> said.add(Call.bad(2, "cluster", "remove-server", "0", "--job", NAME)),
                () -> said.add(Call.bad(2, "cluster", "remove-server", "--job", NAME))));
        train(disturber, 2, 1, 12, "stayed");
        disturber.check(3);
        assertTrue(said.get(0).contains("there is no server 7"), said::toString);
        assertTrue(said.get(1).contains("cannot leave: 1 would be left"), said::toString);
        assertTrue(said.get(2).contains("needs the number"), said::toString);
    }

    private static void kill(String role, int id) {
        for (JsonNode node : status().get("nodes")) {
            if (node.get("role").asText().equals(role) && node.get("id").asInt() == id) {
                ProcessHandle.of(node.get("pid").asLong()).orElseThrow().destroyForcibly();
            }
        }
    }

    private static JsonNode status() {
        try {
            return new ObjectMapper()
                    .readTree(Call.good("cluster", "status", "--job", NAME, "--json")
                            .out());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Does one thing after the other, in the middle of passes or at their end, from the second on.
    private static final class Disturber implements Watch {

        private final Queue<Runnable> actions;
        private final List<Throwable> failures = new ArrayList<>();
        private int done;

        Disturber(List<Runnable> actions) {
            this.actions = new ArrayDeque<>(actions);
        }

        @Override
        public void progress(String stage, double part, long examples, double loss) {
            boolean inside = stage.startsWith("pass") && !stage.startsWith("pass 1/");
            if (inside && !actions.isEmpty()) {
                try {
                    actions.remove().run();
                    done++;
                } catch (AssertionError | RuntimeException e) {
                    failures.add(e);
                }
            }
        }

        void check(int all) {
            assertEquals(List.of(), failures);
            assertEquals(all, done, "not all was done");
        }
    }

    private Trained train(Watch watch, int servers, int replicas, int passes, String name) throws IOException {
        return LinearTraining.of(
                        Linear.DEFAULT
                                .withThreads(1)
                                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(passes)),
                        Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withWatch(watch)
                .withCluster(ClusterPlan.DEFAULT
                        .withWhere(new Where.Processes(Where.Transport.UNIX, NAME))
                        .withNodes(2, servers)
                        .withReplicas(replicas)
                        .withConsistency("ssp:1")
                        .withBatchRows(10))
                .withModel(at.resolve(name), false)
                .run();
    }
}
