package tandem.spark;

import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;

/// How many tasks can run at a time: a worker needs one for as long as training lasts.
final class Slots {

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long LOOK_MILLIS = 200;

    private Slots() {}

    /// Waits until executors have come that can run `needed` tasks at a time; refuses to begin without them.
    static void check(SparkContext context, int needed) {
        // Threads of this process are all there is, and are there.
        check(context, needed, context.isLocal() ? 0 : PATIENCE_NANOS);
    }

    static void check(SparkContext context, int needed, long patienceNanos) {
        long deadline = System.nanoTime() + patienceNanos;
        int found = found(context);
        while (found < needed && !context.isStopped() && System.nanoTime() < deadline) {
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for executors", e);
            }
            found = found(context);
        }
        if (found == 0) {
            throw new IllegalArgumentException("no executor has come from " + context.master() + " in "
                    + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                    + " s; see whether a cluster is there, and whether it has a core and the memory of an"
                    + " executor free (spark.executor.cores, spark.executor.memory)");
        }
        if (found < needed) {
            throw new IllegalArgumentException(needed + " workers need " + needed + " slots of Spark for as long as"
                    + " training lasts, and there " + (found == 1 ? "is 1" : "are " + found) + " at " + context.master()
                    + "; use at most --workers " + Math.max(1, found)
                    + ", or "
                    + (context.isLocal()
                            ? "say --master local[" + needed + "]"
                            : "give the application more cores (spark.cores.max, spark.executor.cores,"
                                    + " spark.executor.instances)"));
        }
    }

    static int found(SparkContext context) {
        return context.isStopped()
                ? 0
                : context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile());
    }
}
