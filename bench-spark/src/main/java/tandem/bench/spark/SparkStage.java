package tandem.bench.spark;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import tandem.bench.Machine;
import tandem.report.Json;

/// A process with a session of Spark's and the data frame in it, where one system trains whenever it is asked to: a
/// line with an order comes in, a line with the answer goes out.
public final class SparkStage {

    /// What lines of answers begin with.
    static final String MARK = "tandem-answer ";

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Contender contender;
    private final SparkSession session;
    private final Dataset<Row> training;
    private final Dataset<Row> heldOut;
    private final TaskTimes tasks = new TaskTimes();
    private final HeapPeak heap = new HeapPeak();

    private SparkStage(Play play) {
        contender = switch (play.system()) {
            case TANDEM -> new Tandem(play);
            case MLLIB -> new Mllib(play);
        };
        session = SparkSession.builder()
                .master("local[" + Tandem.WORKERS + "]")
                .appName("tandem bench")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.local.dir", play.place())
                .config("spark.sql.warehouse.dir", play.place())
                .config("spark.task.maxFailures", "1000000")
                .getOrCreate();
        session.sparkContext().addSparkListener(tasks);
        training = frame(play.training(), play.features());
        heldOut = frame(play.heldOut(), play.features());
    }

    /// A partition a slot: MLlib makes a dense gradient for each.
    private Dataset<Row> frame(String file, int features) {
        Dataset<Row> frame = session.read()
                .format("libsvm")
                .option("numFeatures", String.valueOf(features))
                .load(file)
                .repartition(Tandem.WORKERS)
                .persist();
        frame.count();
        return frame;
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("log4j2.configurationFile", "tandem/spark/log4j2.properties");
        // What libraries print is not an answer.
        PrintStream out = System.out;
        System.setOut(System.err);
        SparkStage stage = new SparkStage(Json.read(Files.readAllBytes(Path.of(args[0])), Play.class));
        out.println(MARK + "ready");
        out.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Answer answer = stage.play(Json.read(line.getBytes(StandardCharsets.UTF_8), Order.class));
            out.println(MARK + new String(Json.bytes(answer), StandardCharsets.UTF_8));
            out.flush();
        }
        stage.session.stop();
    }

    private Answer play(Order order) throws Exception {
        tasks.take();
        System.gc(); // what earlier runs left is not this one's
        heap.forget();
        long cpu = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        Contender.Fitted fitted = contender.fit(training, order);
        double wall = (System.nanoTime() - start) / 1e9;
        long heapBytes = heap.bytes();
        double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
        session.sparkContext().listenerBus().waitUntilEmpty();
        Answer.Split split = fitted.split(tasks.take(), Tandem.WORKERS * wall);
        double objective = order.judged() ? Scores.meanLoss(fitted.scores(training)) + fitted.penalty() : Double.NaN;
        return new Answer(
                wall,
                cpuSeconds,
                objective,
                Scores.meanLoss(fitted.scores(heldOut)),
                fitted.nonZeros(),
                fitted.history(),
                split,
                heapBytes,
                peakBytes());
    }

    private static long peakBytes() throws IOException {
        return Long.parseLong(
                        Machine.field("/proc/self/status", "VmHWM", "0 kB").split(" ")[0])
                * 1024;
    }
}
