package tandem.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.Where;
import tandem.data.Data;
import tandem.data.Format;
import tandem.data.RowSummary;
import tandem.link.Place;

/// Trains jobs in a Spark session: one at a time, because each takes a slot for every worker as long as it lasts.
public final class SparkTraining {

    private static final AtomicLong JOBS = new AtomicLong();

    private final SparkSession session;
    private final JavaSparkContext context;
    private final String name;

    public SparkTraining(SparkSession session) {
        this(session, null);
    }

    /// @param name what others on the driver's machine find the job by while it runs; null for nothing
    public SparkTraining(SparkSession session, String name) {
        this.session = session;
        this.name = name;
        context = JavaSparkContext.fromSparkContext(session.sparkContext());
    }

    /// Trains on the files that the job names, which executors read.
    public Trained run(LinearTraining asked) throws IOException {
        asked.checkHosted();
        LinearTraining job = asked.placed();
        ClusterPlan plan = job.cluster();
        Data data = job.data().withBatchRows(plan.batchRows()).known();
        Map<String, String> files = new TreeMap<>(data.fingerprints());
        JavaRDD<String> lines = context.textFile(
                files.keySet().stream().map(SparkTraining::pattern).collect(Collectors.joining(",")));
        return train(job.withData(data), () -> Examples.of(lines, data, lines.first()), files, _ -> job.settings());
    }

    /// What Spark is to read for one file: it takes names for patterns, and commas for what is between them.
    static String pattern(String file) {
        if (file.endsWith(".zst")) {
            throw new IllegalArgumentException(
                    file + ": Spark reads text, plain or gzip; unpack the file first, with zstd -d");
        }
        return "file:"
                + Path.of(file)
                        .toAbsolutePath()
                        .toString()
                        .replaceAll("[\\\\{}\\[\\]*?]", "\\\\$0")
                        .replace(",", "{\\,}");
    }

    /// Trains on examples that are in Spark. The data of the job says how they are put in order; its files do not
    /// matter.
    ///
    /// @param name what the model says that it was trained on
    public Trained run(LinearTraining job, JavaRDD<Example> examples, String name) throws IOException {
        LinearTraining placed =
                job.withData(job.data().withFormat(new Format.LibSvm())).placed();
        return run(
                placed.cluster() == null ? placed.withCluster(ClusterPlan.DEFAULT) : placed,
                examples.mapPartitions(new Example.Packing()),
                Map.of(name, "examples in Spark"),
                _ -> job.settings());
    }

    /// Trains on examples that are in Spark, as blocks of a [tandem.data.RowBuffer]. The data of the job says how they
    /// are put in order and what becomes of ids; its files do not matter.
    ///
    /// @param sources  what tells the examples from others, by name
    /// @param settings what to train, once it is known how many examples there are
    public Trained run(
            LinearTraining asked,
            JavaRDD<byte[]> blocks,
            Map<String, String> sources,
            Function<RowSummary, Linear> settings)
            throws IOException {
        asked.checkHosted();
        LinearTraining job = asked.placed();
        Data data = job.data().withBatchRows(job.cluster().batchRows());
        return train(job.withData(data), () -> blocks, sources, settings);
    }

    private Trained train(
            LinearTraining job,
            Callable<JavaRDD<byte[]>> blocks,
            Map<String, String> sources,
            Function<RowSummary, Linear> settings)
            throws IOException {
        ClusterPlan plan = job.cluster();
        String group = "tandem-" + JOBS.incrementAndGet();
        synchronized (session.sparkContext()) {
            Slots.check(session.sparkContext(), plan.workers());
            context.setJobGroup(group, "Tandem: asking executors what they are", true);
            ExecutorRoom room = Executors.asked(context, group, plan.workers());
            context.setJobGroup(group, "Tandem: reading examples", true);
            Examples examples = Failures.watched(
                    context,
                    group,
                    "reading the examples",
                    () -> Examples.of(
                            blocks.call(),
                            plan.workers(),
                            job.data(),
                            job.data().format().hashes(),
                            sources));
            try (Gauges gauges = Gauges.shown(job.watch())) {
                Place.Tcp listen = new Place.Tcp(session.sparkContext().conf().get("spark.driver.host"), 0);
                SparkHosts.Terms terms = new SparkHosts.Terms(listen, JobSecret.of(listen), room, name);
                SparkHosts hosts = new SparkHosts(context, examples.withShared(job.needsAllExamples()), terms, group);
                return job.withSettings(settings.apply(examples.all()))
                        .withWatch(gauges)
                        .withCluster(plan.withWhere(new Where.Hosted(hosts)))
                        .run();
            } finally {
                examples.forget();
                context.clearJobGroup();
            }
        }
    }
}
