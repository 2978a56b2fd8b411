package tandem.spark;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.util.ShutdownHookManager;
import scala.runtime.BoxedUnit;

/// Has Spark wait, when the process ends in the middle of a job, until the job has left everything whole: Spark would
/// end the application at once, and with it the servers that write the last checkpoint.
final class Shutdown implements AutoCloseable {

    /// Before Spark ends executors that it has started in this process (100) and applications (50).
    private static final int EARLY = 1_000;

    /// As long as the command line waits for a job that it has asked to stop.
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Object hook = ShutdownHookManager.addShutdownHook(EARLY, () -> {
        await();
        return BoxedUnit.UNIT;
    });

    private void await() {
        try {
            done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The job is over.
    @Override
    public void close() {
        done.countDown();
        try {
            ShutdownHookManager.removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // Then it is waiting, or has waited.
        }
    }
}
