package tandem.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.Success$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import tandem.Evaluation;
import tandem.Hosts;
import tandem.Scoring;
import tandem.data.Elsewhere;
import tandem.data.PartTerms;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;
import tandem.report.Json;

/// The executors of an application as hosts: one long task for each partition of the examples. Spark restarts those that
/// die, and tells of it.
final class SparkHosts implements Hosts {

    private static final String GROUP = "spark.jobGroup.id";

    private final JavaSparkContext context;
    private final Examples examples;
    private final Place.Tcp listen;
    private final String secret;
    private final String group;
    private final Watcher watcher = new Watcher();
    private volatile News news;
    private volatile boolean closed;
    private Thread job;

    /// The task that is each host now.
    private final Map<Integer, Long> tasks = new ConcurrentHashMap<>();

    /// @param secret null if nobody else can reach the nodes
    /// @param group  the name that Spark knows the tasks by
    SparkHosts(JavaSparkContext context, Examples examples, Place.Tcp listen, String secret, String group) {
        this.context = context;
        this.examples = examples;
        this.listen = listen;
        this.secret = secret;
        this.group = group;
    }

    @Override
    public Elsewhere examples() {
        return examples.known();
    }

    @Override
    public Map<String, String> sources() {
        return examples.sources();
    }

    @Override
    public Place.Tcp listen() {
        return listen;
    }

    @Override
    public Trust trust() {
        return secret == null ? null : Trust.of(Secret.of(secret));
    }

    @Override
    public void begin(Place coordinator, News to) {
        news = to;
        scala().addSparkListener(watcher);
        BerthTask task = new BerthTask(examples.known().terms(), examples.rows(), coordinator, secret);
        job = Thread.ofPlatform().name("tandem-spark-job").daemon().start(() -> {
            try {
                context.setJobGroup(group, "Tandem: workers and servers", true);
                examples.blocks().mapPartitionsWithIndex(task, true).count();
            } catch (Exception e) {
                if (!closed) {
                    news.failed("Spark has given up the tasks of workers and servers: " + e.getMessage());
                }
            }
        });
    }

    @Override
    public void end(int host) {
        Long task = tasks.get(host);
        if (task != null) {
            scala().killTaskAttempt(task, true, "silent for too long");
        }
    }

    @Override
    public Evaluation score(Scoring what) throws IOException {
        context.setJobGroup(group, "Tandem: scoring the training data", true);
        PartTerms terms = examples.known().terms();
        return what.together(
                Failures.watched(
                        context,
                        group,
                        "scoring the training data",
                        () -> examples.blocks()
                                .mapPartitions(new Score(what, terms))
                                .collect()),
                terms);
    }

    @Override
    public void close() {
        closed = true;
        context.cancelJobGroup(group);
        scala().removeSparkListener(watcher);
        if (job != null) {
            try {
                job.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SparkContext scala() {
        return context.sc();
    }

    /// Scores the rows of a partition where they are.
    private static final class Score implements FlatMapFunction<Iterator<byte[]>, byte[]> {

        private static final long serialVersionUID = 1;

        private final byte[] what;
        private final byte[] terms;

        Score(Scoring what, PartTerms terms) {
            this.what = Json.bytes(what);
            this.terms = Json.bytes(terms);
        }

        @Override
        public Iterator<byte[]> call(Iterator<byte[]> blocks) throws IOException {
            return List.of(Json.read(what, Scoring.class).share(blocks, Json.read(terms, PartTerms.class)))
                    .iterator();
        }
    }

    /// Hears from Spark which tasks there are and what becomes of them.
    private final class Watcher extends SparkListener {

        /// The stage of the hosts; less than 0 while it is not known.
        private volatile int stage = -1;

        @Override
        public void onJobStart(SparkListenerJobStart start) {
            if (group.equals(start.properties().getProperty(GROUP))) {
                // The tasks of a job are in the stage that was made last; others make what it lacks.
                stage = scala.jdk.javaapi.CollectionConverters.asJava(start.stageInfos()).stream()
                        .mapToInt(info -> info.stageId())
                        .max()
                        .orElse(stage);
            }
        }

        @Override
        public void onTaskStart(SparkListenerTaskStart start) {
            if (start.stageId() == stage) {
                tasks.put(start.taskInfo().index(), start.taskInfo().taskId());
            }
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.stageId() == stage && end.reason() != Success$.MODULE$ && !closed) {
                news.died(
                        end.taskInfo().index(),
                        BerthTask.life(end.stageAttemptId(), end.taskInfo().attemptNumber()));
            }
        }
    }
}
