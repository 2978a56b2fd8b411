package tandem.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv$;
import org.apache.spark.TaskEndReason;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Watch;
import tandem.Where;
import tandem.data.BadData;
import tandem.data.Batch;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.data.Format;
import tandem.link.Place;
import tandem.problem.Separable;
import tandem.worker.Local;

/// Jobs on a real cluster of Spark's with executors in processes of their own.
@Timeout(300)
class SparkTrainingTest {

    private static final int ROWS = 3_000;
    private static final int PASSES = 200;

    private static final Pattern EXECUTOR = Pattern.compile(".*--executor-id\0([0-9]+)\0.*", Pattern.DOTALL);

    private static SparkSession session;

    /// The executor that each worker is in, and by stage which one its task is.
    private static final Map<Integer, String> EXECUTORS = new ConcurrentHashMap<>();

    private static final Map<Integer, Integer> WORKERS = new ConcurrentHashMap<>();

    @TempDir
    static Path directory;

    @BeforeAll
    static void start() throws IOException {
        SparkConf conf = SparkEngine.settings(new SparkConf().setMaster("local-cluster[3,1,1024]"))
                .set("spark.executor.memory", "512m");
        session = SparkSession.builder().config(conf).getOrCreate();
        session.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                String host = start.properties().getProperty(SparkHosts.HOST);
                if (host != null) {
                    // The last stage is the job's own; those before it, which read examples again, are of all jobs.
                    CollectionConverters.asJava(start.stageInfos()).stream()
                            .mapToInt(StageInfo::stageId)
                            .max()
                            .ifPresent(stage -> WORKERS.put(stage, Integer.valueOf(host.replaceAll(".* ", ""))));
                }
            }

            @Override
            public void onTaskStart(SparkListenerTaskStart start) {
                Integer worker = WORKERS.get(start.stageId());
                if (worker != null) {
                    EXECUTORS.put(worker, start.taskInfo().executorId());
                }
            }
        });
        Clicks.DEFAULT.withRows(ROWS).withFeatures(3_000).write(directory.resolve("clicks.svm"), 1, _ -> {});
    }

    @AfterAll
    static void stop() {
        session.stop();
    }

    private static LinearTraining job() {
        return LinearTraining.of(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(PASSES)),
                        Data.of(directory.resolve("clicks.svm").toString()))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(3, 2)
                        .withReplicas(1)
                        .withConsistency("bsp")
                        .withSilence(Duration.ofMinutes(2))
                        .withBatchRows(100))
                .withModel(directory.resolve("model"), true);
    }

    @Test
    void an_executor_without_memory_is_said_to_have_been_that() {
        TaskEndReason lost = new ExecutorLostFailure("1", true, Option.apply("Command exited with code 52"));
        assertTrue(Failures.loss(lost).startsWith("which ran out of memory (give executors more"));
        assertEquals("", Failures.loss(new ExecutorLostFailure("1", true, Option.apply("exited with code 137"))));
    }

    @Test
    void executors_that_are_killed_cost_nothing_but_time() throws IOException {
        JsonNode threads = job().run().report().tree();
        JsonNode undisturbed = new SparkTraining(session).run(job()).report().tree();
        List<String> notes = new CopyOnWriteArrayList<>();
        Killing killing = new Killing(notes);
        JsonNode killed = new SparkTraining(session)
                .run(job().withWatch(killing))
                .report()
                .tree();

        assertEquals(2, killing.killed, notes.toString());
        assertTrue(notes.stream().anyMatch(note -> note.startsWith("server ")), notes.toString());
        assertTrue(
                notes.stream().anyMatch(note -> note.startsWith("worker 2 was lost with its host")), notes.toString());
        assertEquals(PASSES * ROWS, killed.get("examples").asLong());
        double objective = undisturbed.get("objective").asDouble();
        assertEquals(objective, killed.get("objective").asDouble(), 1e-3 * objective);
        assertEquals(objective, threads.get("objective").asDouble(), 1e-3 * objective);
    }

    /// A job of Spark's for every round gives the average that servers and the ring give, also when an executor is
    /// killed on the way: Spark reads and packs its examples again, and does its part of the round again.
    @Test
    void averages_by_jobs_of_spark_are_those_of_servers_whatever_dies() throws IOException {
        JsonNode servers = averaged(Local.Averaging.Exchange.SERVER, Watch.SILENT);
        JsonNode ring = averaged(Local.Averaging.Exchange.RING, Watch.SILENT);
        averaged(Local.Averaging.Exchange.SPARK, Watch.SILENT);
        // Where none dies: what came to another executor meanwhile is left to the next job. Tasks may still be ending.
        for (int looks = 0; looks < 200 && !packed().isEmpty(); looks++) {
            LockSupport.parkNanos(50_000_000);
        }
        assertEquals(List.of(), packed(), "packed examples are left in executors");
        AnyExecutor killing = new AnyExecutor();
        JsonNode killed = averaged(Local.Averaging.Exchange.SPARK, killing);
        assertTrue(killing.killed, "it was over before an executor was killed");
        double objective = servers.get("objective").asDouble();
        assertEquals(objective, ring.get("objective").asDouble(), 1e-6 * objective);
        assertEquals(objective, killed.get("objective").asDouble(), 1e-6 * objective);
        assertEquals(4 * ROWS, killed.get("examples").asLong());
        assertTrue(killed.at("/bytes/sent").asLong() > 0, killed.toString());
        assertTrue(killed.get("workers").isNull(), "what each did nobody knows");
        assertEquals(3, servers.get("workers").size());
    }

    @Test
    void workers_that_have_some_features_of_all_examples_end_at_the_optimum() throws IOException {
        Linear settings = Linear.DEFAULT.withPenalty(Separable.l2(100));
        double least = job().withCluster(null)
                .withSettings(settings.withSolver(Solver.Batch.DEFAULT))
                .run()
                .report()
                .tree()
                .get("objective")
                .asDouble();
        JsonNode report = new SparkTraining(session)
                .run(job().withSettings(settings.withSolver(Solver.Proximal.by(Solver.Proximal.Split.FEATURES)
                                .withTolerance(1e-3)))
                        .withCluster(ClusterPlan.DEFAULT
                                .withNodes(2, 1)
                                .withConsistency("ssp:1")
                                .withSilence(Duration.ofMinutes(2))))
                .report()
                .tree();
        assertEquals("converged", report.get("stopped").asText());
        assertEquals(least, report.get("objective").asDouble(), 1e-3 * least);
        assertEquals(ROWS, report.at("/metrics/examples").asLong());
    }

    /// What executors have open in directories of packed examples, but for the lock that nodes of the jobs before have
    /// in theirs until they have ended.
    private static List<Path> packed() throws IOException {
        List<Path> open = new ArrayList<>();
        for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
            if (executor(process).matches()) {
                try (Stream<Path> each = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
                    for (Path one : each.filter(Files::isSymbolicLink).toList()) {
                        Path file = Files.readSymbolicLink(one);
                        if (file.toString().contains("tandem-run-") && !file.endsWith("owner")) {
                            open.add(file);
                        }
                    }
                }
            }
        }
        return open;
    }

    private static JsonNode averaged(Local.Averaging.Exchange exchange, Watch watch) throws IOException {
        Solver solver = Solver.Online.averaging(Solver.Rule.ADAGRAD)
                .withRows(25)
                .withPasses(4)
                .withLocal(Local.Averaging.DEFAULT.withEvery(4).withExchange(exchange));
        LinearTraining job = job();
        return new SparkTraining(session)
                .run(job.withSettings(job.settings().withSolver(solver)).withWatch(watch))
                .report()
                .tree();
    }

    /// Kills an executor, whichever it is, when a third is done.
    private static final class AnyExecutor implements Watch {

        private boolean killed;

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            if (!killed && stage.startsWith("pass") && done > 0.3) {
                killed = ProcessHandle.current()
                        .descendants()
                        .filter(process -> executor(process).matches())
                        .findFirst()
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false);
            }
        }
    }

    @Test
    void a_bad_line_is_said_once_and_nothing_is_kept() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.svm"), "1 3:1\n0 3:abc\n1 4:1\n");
        BadData e = assertThrows(
                BadData.class,
                () -> new SparkTraining(session)
                        .run(job().withData(Data.of(bad.toString()).withFormat(new Format.LibSvm()))));
        assertTrue(e.getMessage().startsWith("the line \"0 3:abc\": feature 3 has the value 'abc'"), e.getMessage());
        assertTrue(session.sparkContext().getPersistentRDDs().isEmpty(), "examples are kept");
    }

    @Test
    void what_stands_for_all_examples_is_the_same_in_whatever_order_they_come() throws IOException {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
        Data data = Data.of("lines").withFormat(new Format.LibSvm()).withBatchRows(100);
        List<String> lines = List.of("1 3:1", "0 4:1", "0 5:1", "1 6:1");
        List<Long> keys = new ArrayList<>();
        for (List<String> order : List.of(lines, lines.reversed())) {
            Examples examples =
                    Examples.of(Examples.of(context.parallelize(order, 4), data, "1 3:1"), 1, data, false, Map.of());
            Batch sample = new Batch();
            assertTrue(examples.known().pass(0, 0).next(sample), "nothing stands for all");
            keys.add(sample.keys()[0]);
            examples.forget();
        }
        assertEquals(keys.getFirst(), keys.getLast());
    }

    @Test
    void names_of_files_are_no_patterns() throws IOException {
        Path odd = Files.createDirectories(directory.resolve("o,d{d}")).resolve("a[1]*?\\.svm");
        Files.writeString(odd, "1 3:1\n");
        JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
        assertEquals(
                List.of("1 3:1"),
                context.textFile(SparkTraining.pattern(odd.toString())).collect());
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> SparkTraining.pattern("a.svm.zst"));
        assertTrue(e.getMessage().startsWith("a.svm.zst: Spark reads text, plain or gzip"), e.getMessage());
    }

    /// Executors do not have the classes of tests.
    @Test
    void tasks_that_fail_of_themselves_are_given_up() {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
        context.setJobGroup("failing", "a job whose tasks fail", true);
        IOException e = assertThrows(
                IOException.class,
                () -> Failures.watched(
                        context,
                        "failing",
                        "counting",
                        () -> context.parallelize(List.of(0))
                                .map(one -> one + 1)
                                .collect()));
        assertEquals(
                "counting failed on Spark: java.lang.ClassNotFoundException: tandem.spark.SparkTrainingTest. Executors"
                        + " have no such class of Tandem; hand them the driver's jar (spark.jars)",
                e.getMessage());
        context.clearJobGroup();
    }

    @Test
    void a_host_that_fails_again_and_again_ends_the_run() throws IOException {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
        Data data = Data.of(directory.resolve("clicks.svm").toString()).withFormat(new Format.LibSvm());
        JavaRDD<String> lines = context.textFile(data.paths().getFirst());
        Examples whole =
                Examples.of(Examples.of(lines, data, lines.first()), 1, data.withBatchRows(100), false, Map.of());
        try {
            Examples lacking =
                    new Examples(whole.blocks(), whole.all(), new long[] {ROWS + 1}, whole.known(), Map.of(), false);
            SparkHosts hosts = new SparkHosts(
                    context,
                    lacking,
                    new SparkHosts.Terms(
                            new Place.Tcp("127.0.0.1", 0), new JobSecret.None(), new ExecutorRoom(1, 1 << 28), null),
                    "lacking");
            LinearTraining job =
                    job().withCluster(ClusterPlan.DEFAULT.withNodes(1, 1).withWhere(new Where.Hosted(hosts)));
            String why = assertThrows(IOException.class, job::run).getMessage();
            assertTrue(
                    why.startsWith("the task of worker 0 has failed 4 times on Spark, each within 60 s:"
                            + " java.io.IOException: rows of this part are missing"),
                    why);
        } finally {
            whole.forget();
        }
    }

    @Test
    void many_jobs_in_a_session_leave_nothing_behind() throws Exception {
        Path few = directory.resolve("few.svm");
        Clicks.DEFAULT.withRows(300).withFeatures(300).write(few, 1, _ -> {});
        int[] most = {0};
        LinearTraining small = job().withData(Data.of(few.toString()))
                .withSettings(Linear.DEFAULT.withSolver(
                        Solver.Online.of(Solver.Rule.FTRL).withPasses(1)))
                .withCluster(ClusterPlan.DEFAULT.withNodes(2, 1).withSilence(Duration.ofMinutes(2)))
                .withWatch(new Watch() {
                    @Override
                    public void progress(String stage, double done, long examples, double loss) {
                        most[0] = Math.max(most[0], gauges());
                    }
                });
        SparkTraining training = new SparkTraining(session);
        Left before = null;
        for (int round = 0; round < 8; round++) {
            assertEquals(
                    300, training.run(small).report().tree().get("examples").asLong());
            before = round == 2 ? Left.now() : before;
        }
        assertEquals(7, most[0], "gauges of a job that runs");
        Left now = Left.now();
        assertEquals(0, gauges(), "gauges of jobs that are over");
        assertTrue(session.sparkContext().getPersistentRDDs().isEmpty(), "examples are kept");
        assertEquals(before.listeners, now.listeners);
        assertEquals(List.of(), now.threads);
        assertTrue(now.files <= before.files + 5, before + " became " + now);
    }

    private static int gauges() {
        return (int)
                CollectionConverters.asJava(
                                SparkEnv$.MODULE$.get().metricsSystem().getSourcesByName("tandem"))
                        .stream()
                        .mapToLong(source -> source.metricRegistry().getGauges().size())
                        .sum();
    }

    /// What a job may leave behind.
    ///
    /// @param threads  those of Tandem
    /// @param files    open ones of the driver and of executors
    private record Left(int listeners, List<String> threads, long files) {

        static Left now() throws IOException {
            List<ProcessHandle> processes = Stream.concat(
                            Stream.of(ProcessHandle.current()),
                            ProcessHandle.current().descendants())
                    .toList();
            long files = 0;
            for (ProcessHandle process : processes) {
                Path open = Path.of("/proc", Long.toString(process.pid()), "fd");
                try (Stream<Path> each = Files.list(open)) {
                    files += each.count();
                }
            }
            return new Left(
                    session.sparkContext().listenerBus().listeners().size(),
                    Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.startsWith("tandem-spark") || name.startsWith("tandem-hosts"))
                            .toList(),
                    files);
        }
    }

    @Test
    void metrics_have_the_objective_and_what_travelled() throws IOException {
        List<Double> objectives = new CopyOnWriteArrayList<>();
        List<Long> bytes = new CopyOnWriteArrayList<>();
        Watch watch = new Watch() {
            @Override
            public void progress(String stage, double done, long examples, double loss) {
                objectives.add((Double) gauge("objective"));
                bytes.add(Math.min((Long) gauge("sentBytes"), (Long) gauge("receivedBytes")));
            }
        };
        LinearTraining dbpg = job().withSettings(Linear.DEFAULT
                        .withPenalty(Separable.l2(30))
                        .withSolver(Solver.Blocks.DEFAULT.withTolerance(0.1).withMaxPasses(5)))
                .withWatch(watch);
        double last = new SparkTraining(session)
                .run(dbpg)
                .report()
                .tree()
                .get("objective")
                .asDouble();
        assertTrue(objectives.getLast() >= last && objectives.getLast() < ROWS, objectives + ", then " + last);
        assertTrue(bytes.getLast() > 100_000, bytes.toString());

        bytes.clear();
        new SparkTraining(session).run(job().withWatch(watch));
        assertTrue(bytes.getLast() > 100_000, bytes.toString());
        assertTrue(objectives.getLast().isNaN(), "an online solver would have to look for it");
    }

    private static Object gauge(String name) {
        return CollectionConverters.asJava(
                        SparkEnv$.MODULE$.get().metricsSystem().getSourcesByName("tandem"))
                .getFirst()
                .metricRegistry()
                .getGauges()
                .get(name)
                .getValue();
    }

    @Test
    void what_a_call_by_reflection_threw_is_the_reason() {
        String wrapped = "java.io.IOException: java.lang.reflect.InvocationTargetException\n\tat a.B.c(B.java:1)\n"
                + "Caused by: java.lang.reflect.InvocationTargetException\n\tat a.B.d(B.java:2)\n"
                + "Caused by: java.io.IOException: No space left on device\n\t... 3 more";
        assertEquals("java.io.IOException: No space left on device", Failures.reason(wrapped));
        assertTrue(Failures.advice(Failures.reason(wrapped)).contains("spark.local.dir"), "advice");
        String plain = "java.io.IOException: rows are missing\nCaused by: java.io.EOFException";
        assertEquals("java.io.IOException: rows are missing", Failures.reason(plain));
    }

    @Test
    void executors_with_another_library_are_refused() {
        Executors.Card driver = new Executors.Card("driver", "0.2.0", "4.2.0", 1 << 30);
        Executors.check(List.of(new Executors.Card("0", "0.2.0", "4.2.0", 1 << 29)), driver);
        IllegalArgumentException older = assertThrows(
                IllegalArgumentException.class,
                () -> Executors.check(List.of(new Executors.Card("3", "0.1.0", "4.2.0", 1 << 29)), driver));
        assertTrue(
                older.getMessage().startsWith("executor 3 has Tandem 0.1.0 and the driver 0.2.0;"), older.getMessage());
        IllegalArgumentException spark = assertThrows(
                IllegalArgumentException.class,
                () -> Executors.check(List.of(new Executors.Card("3", "0.2.0", "4.1.0", 1 << 29)), driver));
        assertTrue(
                spark.getMessage().startsWith("executor 3 runs Spark 4.1.0 and the driver 4.2.0;"), spark.getMessage());
        assertTrue(Failures.advice("java.lang.UnsupportedClassVersionError: tandem/spark/Ask")
                .contains("spark.executorEnv.JAVA_HOME"));
    }

    /// Worked out with `printf 'tandem job' | openssl dgst -sha256 -hmac key`.
    @Test
    void a_secret_follows_from_that_of_spark() {
        assertEquals(
                "8f4a94fb39663beafa24bd1e622195591b30e9acadc7ce96e5e238c3622e6b99", JobSecret.Derived.of("key", "job"));
        assertEquals("a secret", new JobSecret.Carried("0123").toString());
    }

    @Test
    void a_job_that_needs_more_slots_than_there_are_is_refused() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Slots.check(session.sparkContext(), 9, 1_000_000_000L));
        assertTrue(
                e.getMessage()
                        .startsWith("9 workers need 9 slots of Spark for as long as training lasts, and there"
                                + " are 3 at local-cluster[3,1,1024]; use at most --workers 3"),
                e.getMessage());
    }

    /// What a process was started with, if that is an executor: its number is the first group.
    private static Matcher executor(ProcessHandle process) {
        try {
            String words = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            return EXECUTOR.matcher(words);
        } catch (IOException e) {
            return EXECUTOR.matcher("");
        }
    }

    /// Kills the executor of a server and a worker, and later that of a worker alone.
    private static final class Killing implements Watch {

        private final List<String> notes;
        private int killed;

        Killing(List<String> notes) {
            this.notes = notes;
        }

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            if (killed == 0 && stage.startsWith("pass") && done > 0.1) {
                kill(EXECUTORS.get(0));
            } else if (killed == 1 && stage.startsWith("pass") && done > 0.5) {
                kill(EXECUTORS.get(2));
            }
        }

        private void kill(String executor) {
            ProcessHandle.current()
                    .descendants()
                    .filter(process -> isExecutor(process, executor))
                    .forEach(ProcessHandle::destroyForcibly);
            killed++;
        }

        private static boolean isExecutor(ProcessHandle process, String id) {
            Matcher words = executor(process);
            return words.matches() && words.group(1).equals(id);
        }

        @Override
        public void note(String line) {
            notes.add(line);
        }
    }
}
