package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;

/// Nodes that join a running job by `node --join`, over the loopback interface and from another network.
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoinTest {

    private static final int ROWS = 4_000;
    private static final int PASSES = 24;
    private static final long PID = ProcessHandle.current().pid();
    private static final String NAME = "joined-" + PID;

    @TempDir
    private Path at;

    private Path data;
    private Path secret;
    private final Queue<Process> started = new ArrayDeque<>();

    @BeforeEach
    void files() throws IOException {
        data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(data, 1, _ -> {});
        secret = at.resolve("secret");
        Secret.given(null, Map.of(Secret.VARIABLE, "a secret of a test, which is long enough"))
                .write(secret);
    }

    @AfterEach
    void noneIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void a_worker_and_a_server_join_and_one_leaves_at_ctrl_c_and_the_other_with_the_job() throws Exception {
        List<String> anywhere = List.of();
        Trained trained = train(new Place.Tcp("127.0.0.2", 0), List.of(there -> join(there, anywhere), _ -> leave()));
        checkAll(trained);
    }

    /// The other network has interfaces of its own, and one cable to this one. It needs a system that lets this user
    /// make such things: Linux, as root, with iproute2.
    @Test
    void they_do_the_same_from_another_network() throws Exception {
        String network = "tandem-" + PID % 100_000;
        String here = "tdm" + PID % 100_000;
        // Its own two addresses of the range for such tests, whatever an earlier one that was killed has left behind.
        int first = (int) (PID % (1 << 14)) * 4;
        String near = "198.18.%d.%d".formatted(first >> 8, (first & 255) + 1);
        String far = "198.18.%d.%d".formatted(first >> 8, (first & 255) + 2);
        assumeTrue(
                run("ip", "netns", "add", network) == 0,
                "no network namespace can be made here: that takes Linux, root and iproute2");
        try {
            assumeTrue(
                    run("ip", "link", "add", here, "type", "veth", "peer", "name", "eth0", "netns", network) == 0,
                    "no pair of interfaces can be made here");
            assertEquals(0, run("ip", "addr", "add", near + "/30", "dev", here));
            assertEquals(0, run("ip", "link", "set", here, "up"));
            assertEquals(0, run("ip", "-n", network, "addr", "add", far + "/30", "dev", "eth0"));
            assertEquals(0, run("ip", "-n", network, "link", "set", "eth0", "up"));
            assertEquals(0, run("ip", "-n", network, "link", "set", "lo", "up"));
            List<String> elsewhere = List.of("ip", "netns", "exec", network);
            Trained trained = train(new Place.Tcp(near, 0), List.of(there -> join(there, elsewhere), _ -> leave()));
            checkAll(trained);
            assertTrue(said("worker").contains("reached at tcp:" + far + ":"), said("worker"));
        } finally {
            run("ip", "netns", "del", network);
        }
    }

    @Test
    void who_cannot_join_is_told_why() throws Exception {
        Path other = at.resolve("other");
        Secret.given(null, Map.of(Secret.VARIABLE, "another secret of a test, long enough too"))
                .write(other);
        List<String> said = new ArrayList<>();
        train(
                new Place.Tcp("127.0.0.2", 0),
                List.of(
                        there -> said.add(refused("worker", there, other)),
                        there -> said.add(refused("worker", there, secret, "--data", at.resolve("nowhere"))),
                        there -> said.add(refused("worker", there, secret, "--data", data)),
                        there -> said.add(refused("worker", there, secret, "--data", otherCache()))));
        assertTrue(said.get(0).contains("it refuses the secret of this node"), said::toString);
        assertTrue(said.get(1).contains("copy that file and name the copy with --data"), said::toString);
        assertTrue(said.get(2).contains("cannot be read as the data of a job"), said::toString);
        assertTrue(said.get(3).contains("holds other data than the job learns from"), said::toString);
        String nobody = Call.bad(
                1, "node", "--role", "worker", "--join", "127.0.0.1:1", "--secret-file", secret, "--timeout", "1s");
        assertTrue(nobody.contains("no job has answered at tcp:127.0.0.1:1 for 1 s"), nobody);
    }

    /// The cache of a run on other data with the same options.
    private Path otherCache() throws IOException {
        Path text = at.resolve("other.svm");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).withSeed(9).write(text, 1, _ -> {});
        Path cache = at.resolve("other-cache");
        Call.good("train", "linear", "--data", text, "--cache", cache, "--model", at.resolve("other-model"));
        try (Stream<Path> files = Files.list(cache)) {
            return files.findFirst().orElseThrow();
        }
    }

    private static String refused(String role, String there, Path secret, Object... more) {
        List<Object> words = new ArrayList<>(List.of("node", "--role", role, "--join", there, "--secret-file", secret));
        words.addAll(List.of(more));
        return Call.bad(1, words.toArray());
    }

    private boolean join(String there, List<String> from) throws Exception {
        start("worker", there, from);
        start("server", there, from);
        while (node("worker") == null || node("server") == null) {
            assertTrue(started.stream().allMatch(Process::isAlive), said("worker") + said("server"));
        }
        return true;
    }

    /// Once both have something to do, the worker is told to end. SIGTERM goes the way of Ctrl-C, and cannot be ignored
    /// by accident as SIGINT is in a background job.
    private boolean leave() throws Exception {
        if (node("worker").get("streams").isEmpty()
                || node("server").get("seats").isEmpty()) {
            return false;
        }
        Process worker = started.element();
        worker.destroy();
        assertTrue(worker.waitFor(60, TimeUnit.SECONDS), said("worker"));
        assertEquals(128 + 15, worker.exitValue(), said("worker"));
        assertTrue(said("worker").contains("worker 1 goes: the job"), said("worker"));
        assertNull(node("worker"), "it is still there");
        return true;
    }

    private void checkAll(Trained trained) throws Exception {
        assertEquals(
                (long) PASSES * ROWS, trained.report().tree().get("examples").asLong());
        Process server = started.stream().skip(1).findFirst().orElseThrow();
        assertTrue(server.waitFor(30, TimeUnit.SECONDS), said("server"));
        assertEquals(0, server.exitValue(), said("server"));
        assertTrue(said("server").contains("server 1 goes: the job"), said("server"));
    }

    /// The server or worker that has joined, which is number 1; null if there is none.
    private static JsonNode node(String role) throws IOException {
        JsonNode status = new ObjectMapper()
                .readTree(
                        Call.good("cluster", "status", "--job", NAME, "--json").out());
        for (JsonNode node : status.get("nodes")) {
            if (node.get("role").asText().equals(role) && node.get("id").asInt() == 1) {
                return node;
            }
        }
        return null;
    }

    private Process start(String role, String there, List<String> from) throws IOException {
        List<String> command = new ArrayList<>(from);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "tandem.app.Tandem",
                "node"));
        command.addAll(List.of("--role", role, "--join", there, "--secret-file", secret.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve(role).toFile())
                .start();
        started.add(process);
        return process;
    }

    private String said(String role) {
        try {
            return Files.readString(at.resolve(role));
        } catch (IOException e) {
            return "";
        }
    }

    private static int run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    @FunctionalInterface
    private interface Act {
        /// Whether it is done; else it is tried again a little later.
        boolean on(String there) throws Exception;
    }

    /// Does one thing after the other in the middle of passes, from the second on.
    private static final class Visitor implements Watch {

        private static final Pattern PLACE = Pattern.compile("node --join (\\S+)");

        private final Queue<Act> acts;
        private final List<Throwable> failures = new ArrayList<>();
        private String place;

        Visitor(List<Act> acts) {
            this.acts = new ArrayDeque<>(acts);
        }

        @Override
        public void progress(String stage, double part, long examples, double loss) {
            if (stage.startsWith("pass") && !stage.startsWith("pass 1/") && !acts.isEmpty()) {
                try {
                    if (acts.element().on(place)) {
                        acts.remove();
                    }
                } catch (Exception | AssertionError e) {
                    failures.add(e);
                    acts.clear();
                }
            }
        }

        @Override
        public void note(String line) {
            Matcher said = PLACE.matcher(line);
            if (said.find()) {
                place = said.group(1);
            }
        }
    }

    private Trained train(Place.Tcp listen, List<Act> acts) throws IOException {
        Visitor visitor = new Visitor(acts);
        Trained trained = LinearTraining.of(
                        Linear.DEFAULT
                                .withThreads(1)
                                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(PASSES)),
                        Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withWatch(visitor)
                .withCluster(ClusterPlan.DEFAULT
                        .withWhere(new Where.Processes(
                                Where.Transport.TCP, NAME, listen, Trust.given(secret, null, Map.of())))
                        .withNodes(1, 1)
                        .withStreams(3)
                        .withConsistency("ssp:1")
                        .withBatchRows(40))
                .withModel(at.resolve("model"), false)
                .run();
        assertEquals(List.of(), visitor.failures);
        assertTrue(visitor.acts.isEmpty(), "not all was done");
        return trained;
    }
}
