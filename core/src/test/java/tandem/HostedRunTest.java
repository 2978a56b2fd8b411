package tandem;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.data.Elsewhere;
import tandem.data.Format;
import tandem.data.LineRows;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.data.RowBuffer;
import tandem.data.RowSummary;
import tandem.link.Place;
import tandem.link.Trust;
import tandem.model.StoredModel;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.problem.Span;
import tandem.report.Report;

/// Runs on machines that somebody else provides, here threads that can be killed.
@Timeout(60)
class HostedRunTest {

    private static final int ROWS = 2_000;

    /// Where each worker has the same examples in all passes, sdca needs many of them if the penalty is weak.
    private static final Separable PENALTY = Separable.l2(30);

    @TempDir
    Path directory;

    private final List<String> notes = new ArrayList<>();

    /// What others find the run by, and what is done when a host would else be killed; then the run is over.
    private String job;

    private Executable meanwhile;

    @Test
    void it_learns_what_a_run_in_one_process_learns() throws IOException {
        Report hosted = train(Solver.Online.of(Solver.Rule.FTRL).withPasses(4), 2, 0, -1);
        Report embedded = LinearTraining.of(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(4)),
                        data())
                .withCluster(
                        ClusterPlan.DEFAULT.withNodes(2, 2).withBatchRows(64).withConsistency("bsp"))
                .run()
                .report();
        assertEquals(4 * ROWS, hosted.tree().get("examples").asLong());
        double objective = embedded.tree().get("objective").asDouble();
        assertEquals(objective, hosted.tree().get("objective").asDouble(), 0.03 * objective);
        double auc = embedded.tree().at("/metrics/auc").asDouble();
        assertEquals(auc, hosted.tree().at("/metrics/auc").asDouble(), 0.01);
    }

    @Test
    void a_host_that_dies_is_made_up_for_and_every_example_counts_once() throws IOException {
        Report report = train(Solver.Online.of(Solver.Rule.FTRL).withPasses(40).withPatience(0), 2, 1, 3);
        assertEquals(40 * ROWS, report.tree().get("examples").asLong());
        assertTrue(notes.stream().anyMatch(note -> note.contains("worker 0 was lost with its host")), notes.toString());
        assertTrue(notes.stream().anyMatch(note -> note.contains("takes its place")), notes.toString());
    }

    static List<Solver> exactSolvers() {
        return List.of(
                Solver.Blocks.DEFAULT.withTolerance(1e-5),
                Solver.Lbfgs.DEFAULT,
                Solver.Sdca.DEFAULT,
                Solver.Proximal.by(Solver.Proximal.Split.EXAMPLES),
                Solver.Proximal.by(Solver.Proximal.Split.FEATURES));
    }

    @ParameterizedTest
    @MethodSource("exactSolvers")
    void an_exact_solver_ends_at_the_same_optimum_although_a_host_dies(Solver solver) throws IOException {
        double least = LinearTraining.of(
                        Linear.DEFAULT.withSolver(Solver.Batch.DEFAULT).withPenalty(PENALTY), data())
                .run()
                .report()
                .tree()
                .get("objective")
                .asDouble();
        Report report = train(solver, 2, 1, 3);
        assertEquals(
                least,
                report.tree().get("objective").asDouble(),
                2e-4 * least,
                report.tree().get("certificate").toString());
        assertTrue(notes.stream().anyMatch(note -> note.contains("worker 0 was lost with its host")), notes.toString());
    }

    @Test
    void a_solver_is_chosen_by_what_hosts_have() throws IOException {
        Report report = train(new Solver.Auto(), 2, 0, -1);
        assertEquals(
                "lbfgs",
                report.tree().at("/settings/solver").asText(),
                report.tree().toString());
        assertTrue(
                report.tree().get("reason").asText().contains("there are workers"),
                report.tree().toString());
    }

    @Test
    void servers_come_and_go_and_workers_do_not() throws IOException {
        job = "hosted-" + ProcessHandle.current().pid();
        List<String> said = new CopyOnWriteArrayList<>();
        meanwhile = () -> {
            JobControl control = JobControl.of(JobDirectory.usual(), job, Duration.ofSeconds(20));
            said.add(control.addServer());
            said.add(control.removeServer(0));
            said.add(control.status().nodes().stream()
                    .map(node -> node.role() + " " + node.id())
                    .toList()
                    .toString());
            said.add(assertThrows(IllegalArgumentException.class, control::addWorker)
                    .getMessage());
        };
        train(Solver.Online.of(Solver.Rule.FTRL).withPasses(100_000).withPatience(0), 2, 1, 3);
        assertEquals("server 2 takes part now", said.get(0), said.toString());
        assertEquals("server 0 has gone; others have what it had", said.get(1));
        assertEquals("[coordinator 0, server 1, server 2, worker 0, worker 1]", said.get(2));
        assertTrue(said.get(3).startsWith("a worker is where its examples are"), said.get(3));
    }

    @Test
    void without_copies_the_loss_of_a_server_is_said() {
        IOException e = assertThrows(
                IOException.class,
                () -> train(Solver.Online.of(Solver.Rule.FTRL).withPasses(400).withPatience(0), 2, 0, 3));
        assertTrue(
                e.getMessage()
                        .startsWith("server 0 was lost with its host, which was killed, in the middle of its work"),
                e.getMessage());
    }

    @Test
    void a_machine_predicts_numbers_within_all_that_hosts_have_seen() throws IOException {
        Path file = directory.resolve("clicks.svm");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            lines.add(i / 100.0 - 3 + " " + (1 + i % 7) + ":1 " + (10 + i % 11) + ":1");
        }
        Files.write(file, lines);
        Report report = train(
                Linear.DEFAULT
                        .withLoss(Loss.named("squared"))
                        .withSolver(Solver.Factors.PLAIN.withWeights(
                                Solver.Factors.PLAIN.weights().withPasses(2))),
                2,
                0,
                -1);
        assertEquals(2 * ROWS, report.tree().get("examples").asLong());
        assertEquals(
                new Span(-3, 16.99),
                StoredModel.at(directory.resolve("model")).card().span());
    }

    /// @param kill how often progress is heard before host 0 is killed; less than 0 for never
    private Report train(Solver solver, int hosts, int replicas, int kill) throws IOException {
        Linear settings = Linear.DEFAULT.withSolver(solver);
        return train(solver instanceof Solver.Online ? settings : settings.withPenalty(PENALTY), hosts, replicas, kill);
    }

    private Report train(Linear settings, int hosts, int replicas, int kill) throws IOException {
        Threads threads = new Threads(hosts, settings.solver());
        Thread managing = Thread.ofPlatform().unstarted(() -> assertDoesNotThrow(meanwhile));
        AtomicInteger heard = new AtomicInteger();
        Watch watch = new Watch() {
            @Override
            public void progress(String stage, double done, long examples, double loss) {
                int times = examples > 0 ? heard.incrementAndGet() : 0;
                if (times == kill && meanwhile != null) {
                    managing.start();
                } else if (times == kill) {
                    threads.kill(0);
                }
            }

            @Override
            public void note(String line) {
                notes.add(line);
            }

            @Override
            public boolean stopping() {
                return managing.getState() == Thread.State.TERMINATED;
            }
        };
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(hosts, 2)
                .withReplicas(replicas)
                .withBatchRows(64)
                .withWhere(new Where.Hosted(threads));
        String consistency = switch (settings.solver()) {
            case Solver.Blocks _ -> "bounded:2";
            case Solver.Proximal _ -> "ssp:1";
            default -> "bsp";
        };
        return LinearTraining.of(settings, data())
                .withCluster(plan.withConsistency(consistency))
                .withModel(directory.resolve("model"), true)
                .withWatch(watch)
                .run()
                .report();
    }

    private Data data() throws IOException {
        Path file = directory.resolve("clicks.svm");
        if (!Files.exists(file)) {
            Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(file, 1, _ -> {});
        }
        return Data.of(file.toString()).withFormat(new Format.LibSvm());
    }

    /// Hosts that are threads of this process.
    private final class Threads implements Hosts {

        private final List<List<byte[]>> parts = new ArrayList<>();
        private final long[] rows;
        private final boolean shared;
        private final Elsewhere examples;
        private final Map<Integer, Thread> alive = new ConcurrentHashMap<>();
        private volatile boolean closed;

        Threads(int count, Solver solver) throws IOException {
            shared =
                    LinearTraining.of(Linear.DEFAULT.withSolver(solver), data()).needsAllExamples();
            List<String> lines = Files.readAllLines(Path.of(data().paths().getFirst()));
            List<RowSummary> summaries = new ArrayList<>();
            for (int h = 0; h < count; h++) {
                List<byte[]> blocks = new ArrayList<>();
                RowBuffer buffer = new RowBuffer();
                LineRows reader = new LineRows(data(), lines.getFirst(), buffer);
                for (int i = h; i < lines.size(); i += count) {
                    reader.add(lines.get(i));
                    if (buffer.isFull()) {
                        blocks.add(buffer.take());
                    }
                }
                blocks.add(buffer.take());
                parts.add(blocks);
                summaries.add(RowSummary.of(blocks.iterator()));
            }
            rows = summaries.stream().mapToLong(RowSummary::rows).toArray();
            examples = new Elsewhere(
                    PartTerms.of(summaries, 64, 1, 64, false), parts.getFirst().getFirst());
        }

        @Override
        public Elsewhere examples() {
            return examples;
        }

        @Override
        public Map<String, String> sources() {
            return Map.of("clicks", "2,000 rows");
        }

        @Override
        public Place.Tcp listen() {
            return (Place.Tcp) Place.loopback();
        }

        @Override
        public Trust trust() {
            return null;
        }

        @Override
        public String job() {
            return job;
        }

        @Override
        public long heapBytes() {
            return Runtime.getRuntime().maxMemory() / rows.length;
        }

        @Override
        public void begin(Place coordinator, News news) {
            for (int h = 0; h < rows.length; h++) {
                start(h, 1, (Place.Tcp) coordinator, news);
            }
        }

        private void start(int host, int life, Place.Tcp coordinator, News news) {
            alive.put(host, Thread.ofPlatform().daemon().start(() -> {
                try {
                    Path file = directory.resolve("part-" + host + "-" + life);
                    if (shared) {
                        // In another order each time.
                        List<byte[]> all = parts.stream().flatMap(List::stream).collect(Collectors.toList());
                        Collections.rotate(all, host + life);
                        PartFile.writeAll(file, examples.terms(), all.iterator());
                    } else {
                        PartFile.write(
                                file,
                                host,
                                examples.terms(),
                                rows[host],
                                parts.get(host).iterator());
                    }
                    new Berth(host, life, coordinator, null, file, examples.terms(), Duration.ofSeconds(20)).run();
                } catch (IOException | InterruptedException e) {
                    if (!closed) {
                        news.died(host, life, "which was killed");
                        start(host, life + 1, coordinator, news);
                    }
                }
            }));
        }

        void kill(int host) {
            alive.get(host).interrupt();
        }

        @Override
        public void end(int host) {
            kill(host);
        }

        @Override
        public Evaluation score(Scoring what) throws IOException {
            List<byte[]> shares = new ArrayList<>();
            for (List<byte[]> part : parts) {
                shares.add(what.share(part.iterator(), examples.terms()));
            }
            return what.together(shares, examples.terms());
        }

        @Override
        public void close() {
            closed = true;
            for (Thread thread : alive.values()) {
                thread.interrupt();
                assertDoesNotThrow(() -> thread.join(300));
            }
        }
    }
}
