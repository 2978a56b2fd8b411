package tandem.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.Success$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import tandem.AveragingRound;
import tandem.Evaluation;
import tandem.Hosts;
import tandem.Scoring;
import tandem.data.Elsewhere;
import tandem.data.PartTerms;
import tandem.link.Place;
import tandem.link.Trust;
import tandem.report.Json;

/// The executors of an application as hosts: a long task for each partition of the examples, each a job of its own.
/// Spark restarts those that die, and tells of it. In one job for all it would start all of them again when one has
/// lost what Spark kept for it.
final class SparkHosts implements Hosts {

    private static final System.Logger LOG = System.getLogger("tandem.spark");

    /// The property of a job that says which host its task is, after the name of the group.
    static final String HOST = "tandem.host";

    private final JavaSparkContext context;
    private final Examples examples;
    private final Terms terms;
    private final String group;
    private final Watcher watcher = new Watcher();
    private volatile News news;
    private volatile boolean closed;

    /// Whether there was a round of averaging.
    private boolean averages;

    private final List<Thread> jobs = new ArrayList<>();

    /// The task that is each host now.
    private final Map<Integer, Long> tasks = new ConcurrentHashMap<>();

    /// What a job is told of the application.
    ///
    /// @param listen where its coordinator is to listen
    /// @param room   what hosts have
    /// @param job    the name that others find it under; null for none
    record Terms(Place.Tcp listen, JobSecret secret, ExecutorRoom room, String job) {}

    /// @param group the name that Spark knows the tasks by
    SparkHosts(JavaSparkContext context, Examples examples, Terms terms, String group) {
        this.context = context;
        this.examples = examples;
        this.terms = terms;
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
        return terms.listen;
    }

    @Override
    public Trust trust() {
        return terms.secret.trust();
    }

    @Override
    public long heapBytes() {
        return terms.room.heapBytes();
    }

    @Override
    public String job() {
        return terms.job;
    }

    @Override
    public void begin(Place coordinator, News to) {
        news = to;
        scala().addSparkListener(watcher);
        for (int h = 0; h < examples.rows().length; h++) {
            int host = h;
            BerthTask task =
                    new BerthTask(host, examples.known().terms(), examples.rows(host), coordinator, terms.secret);
            jobs.add(Thread.ofPlatform().name("tandem-spark-" + host).daemon().start(() -> host(host, task)));
        }
    }

    private void host(int host, BerthTask task) {
        try {
            context.setJobGroup(group, "Tandem: worker " + host + ", and a server if there is one beside it", true);
            context.setLocalProperty(HOST, group + " " + host);
            examples.of(host).mapPartitions(task).count();
        } catch (Exception e) {
            if (!closed) {
                news.failed("Spark has given up the task of worker " + host + ": " + Failures.reason(e.getMessage()));
            }
        }
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
        PartTerms parts = examples.known().terms();
        return what.together(
                Failures.watched(
                        context,
                        group,
                        "scoring the training data",
                        () -> examples.blocks()
                                .mapPartitions(new Score(what, parts))
                                .collect()),
                parts);
    }

    /// As in SparkNet: broadcast, steps over the partitions that Spark keeps, and a sum by a tree.
    @Override
    public byte[] average(AveragingRound round, byte[] average) throws IOException {
        averages = true;
        context.setJobGroup(group, "Tandem: a round of averaging", true);
        Broadcast<byte[]> now = context.broadcast(average);
        try {
            RoundTask task = new RoundTask(group, round, examples.known().terms(), examples.rows(), now);
            return Failures.watched(
                    context,
                    group,
                    "averaging",
                    () -> examples.blocks().mapPartitionsWithIndex(task, true).treeReduce(AveragingRound::sum));
        } finally {
            now.destroy();
        }
    }

    @Override
    public void close() {
        closed = true;
        context.cancelJobGroup(group);
        if (averages) {
            forget();
        }
        scala().removeSparkListener(watcher);
        try {
            for (Thread job : jobs) {
                job.join(10_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Has executors delete what they have packed for rounds. Spark runs each task where its partition is, which is
    /// where the rounds were; what it runs elsewhere is left to the next job.
    private void forget() {
        PackedParts.forget(group, true);
        try {
            context.setJobGroup(group, "Tandem: deleting what was packed", true);
            examples.blocks().mapPartitions(new Forget(group)).countAsync().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "packed examples are left to the next job", e);
        }
        context.cancelJobGroup(group);
    }

    /// Deletes what the executor has packed.
    private record Forget(String group) implements FlatMapFunction<Iterator<byte[]>, Boolean> {

        @Override
        public Iterator<Boolean> call(Iterator<byte[]> blocks) {
            PackedParts.forget(group, true);
            return Collections.emptyIterator();
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

    /// How often a host may fail of itself, each time soon, before that is no accident.
    private static final int MOST_FAILURES = 4;

    private static final long SOON_MILLIS = 60_000;

    /// Hears from Spark which tasks there are and what becomes of them.
    private final class Watcher extends SparkListener {

        /// By stage: which host its task is.
        private final Map<Integer, Integer> hosts = new ConcurrentHashMap<>();

        /// By host: how often it has failed of itself, soon each time.
        private final Map<Integer, Integer> failed = new ConcurrentHashMap<>();

        @Override
        public void onJobStart(SparkListenerJobStart start) {
            String host = start.properties().getProperty(HOST, "");
            if (host.startsWith(group + " ")) {
                // The task of a job is in the stage that was made last; others make what it lacks.
                scala.jdk.javaapi.CollectionConverters.asJava(start.stageInfos()).stream()
                        .mapToInt(info -> info.stageId())
                        .max()
                        .ifPresent(stage -> hosts.put(stage, Integer.valueOf(host.substring(group.length() + 1))));
            }
        }

        @Override
        public void onTaskStart(SparkListenerTaskStart start) {
            Integer host = hosts.get(start.stageId());
            if (host != null) {
                tasks.put(host, start.taskInfo().taskId());
            }
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            Integer host = hosts.get(end.stageId());
            if (host != null && end.reason() != Success$.MODULE$ && !closed) {
                news.died(
                        host,
                        BerthTask.life(end.stageAttemptId(), end.taskInfo().attemptNumber()),
                        Failures.loss(end.reason()));
                if (end.reason() instanceof ExceptionFailure failure
                        && !failure.className().equals(BerthTask.Early.class.getName())) {
                    fail(host, failure, end.taskInfo().duration());
                }
            }
        }

        /// Gives up where a host fails again and again. One that is lost with its executor has not failed.
        private void fail(int host, ExceptionFailure failure, long lastedMillis) {
            int times = lastedMillis < SOON_MILLIS ? failed.merge(host, 1, Integer::sum) : 1;
            failed.put(host, times);
            if (times == MOST_FAILURES) {
                String why = Failures.reason(failure);
                news.failed("the task of worker " + host + " has failed " + times + " times on Spark, each within "
                        + SOON_MILLIS / 1000 + " s: " + why + Failures.advice(why));
            }
        }
    }
}
