package tandem.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Watch;
import tandem.data.BadData;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.data.Format;

/// Jobs on a real cluster of Spark's with executors in processes of their own.
@Timeout(300)
class SparkTrainingTest {

    private static final int ROWS = 3_000;
    private static final int PASSES = 200;

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
                    CollectionConverters.asJava(start.stageInfos())
                            .forEach(
                                    stage -> WORKERS.put(stage.stageId(), Integer.valueOf(host.replaceAll(".* ", ""))));
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
                notes.stream().anyMatch(note -> note.startsWith("worker 2 was ended by signal 9")), notes.toString());
        assertEquals(PASSES * ROWS, killed.get("examples").asLong());
        double objective = undisturbed.get("objective").asDouble();
        assertEquals(objective, killed.get("objective").asDouble(), 1e-3 * objective);
        assertEquals(objective, threads.get("objective").asDouble(), 1e-3 * objective);
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
                "counting failed on Spark: java.lang.ClassNotFoundException: tandem.spark.SparkTrainingTest",
                e.getMessage());
        context.clearJobGroup();
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
            try {
                String words = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
                return words.contains("--executor-id\0" + id + "\0");
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public void note(String line) {
            notes.add(line);
        }
    }
}
