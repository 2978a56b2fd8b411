package tandem.spark;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.TaskEndReason;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.package$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// Gives up short jobs whose tasks fail of themselves. Spark would not: it may try tasks as often as executors die.
final class Failures extends SparkListener {

    /// How often Spark tries a task unless it is told otherwise.
    private static final int MOST = 4;

    private static final String CAUSED = "Caused by: ";

    /// What an executor ends with that has no memory left.
    private static final int OUT_OF_MEMORY = 52;

    private final JavaSparkContext context;
    private final String group;
    private final Set<Integer> stages = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> failed = new HashMap<>();
    private volatile String last;

    private Failures(JavaSparkContext context, String group) {
        this.context = context;
        this.group = group;
    }

    /// The result of jobs that are in this group.
    ///
    /// @param doing what they do, for a message
    static <T> T watched(JavaSparkContext context, String group, String doing, Callable<T> jobs) throws IOException {
        Failures failures = new Failures(context, group);
        context.sc().addSparkListener(failures);
        try {
            return jobs.call();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            String why = failures.last == null ? reason(e.getMessage()) : failures.last;
            throw new IOException(doing + " failed on Spark: " + why + advice(why), e);
        } finally {
            context.sc().removeSparkListener(failures);
        }
    }

    static String firstLine(String text) {
        return text == null ? "no reason is given" : text.lines().findFirst().orElse("");
    }

    static String reason(ExceptionFailure failure) {
        return reason(failure.className() + ": " + firstLine(failure.description()) + "\n" + failure.fullStackTrace());
    }

    /// The first line, or where that says only that something was called, what was thrown there.
    static String reason(String text) {
        String first = firstLine(text);
        return first.contains("InvocationTargetException")
                ? text.lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith(CAUSED))
                        .map(line -> line.substring(CAUSED.length()))
                        .reduce((_, last) -> last)
                        .orElse(first)
                : first;
    }

    /// What is known of the end of a task that hosts nodes, and what to do about it; empty for nothing.
    static String loss(TaskEndReason reason) {
        String why = switch (reason) {
            case ExecutorLostFailure lost -> lost.toErrorString();
            case ExceptionFailure failure -> failure.className();
            default -> "";
        };
        return why.contains("exited with code " + OUT_OF_MEMORY) || why.contains("OutOfMemoryError")
                ? "which ran out of memory (give executors more with spark.executor.memory, or have more workers and"
                        + " servers share the model)"
                : "";
    }

    /// What to do about a failure, if that is known.
    static String advice(String why) {
        if (why.contains("UnsupportedClassVersionError")) {
            return ". Executors run an older Java; have them run Java 25 with"
                    + " --spark-conf spark.executorEnv.JAVA_HOME=DIR, where DIR is a JDK on the machines of executors";
        }
        if (why.contains("ClassNotFoundException: tandem.") || why.contains("NoClassDefFoundError: tandem/")) {
            return ". Executors have no such class of Tandem; hand them the driver's jar (spark.jars)";
        }
        if (why.contains("InvalidClassException")) {
            return ". Driver and executors have different versions of this class; submit with the Spark that the"
                    + " cluster runs ("
                    + package$.MODULE$.SPARK_VERSION() + " is here), and one jar of Tandem for all";
        }
        if (why.contains("No space left on device")) {
            return ". The disk of an executor is full; make room there, or name another with spark.local.dir and, for"
                    + " what Tandem packs, -Djava.io.tmpdir in spark.executor.extraJavaOptions";
        }
        return "";
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
        if (group.equals(submitted.properties().getProperty("spark.jobGroup.id"))) {
            stages.add(submitted.stageInfo().stageId());
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (stages.contains(end.stageId()) && end.reason() instanceof ExceptionFailure failure) {
            String task = end.stageId() + " " + end.taskInfo().index();
            if (failed.merge(task, 1, Integer::sum) == MOST && last == null) {
                last = reason(failure);
                context.cancelJobGroup(group);
            }
        }
    }
}
