package tandem.data;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads of a process that read what will be needed while others compute: half as many as there are cores, and
/// none once there has been nothing to do for a while. Whoever needs something that they have not begun with reads it
/// itself, so that nobody waits for a queue.
final class ReadAhead {

    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    private static final int IDLE_SECONDS = 5;

    private static final ThreadPoolExecutor READERS = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("tandem-read-ahead-", 0).factory());

    static {
        READERS.allowCoreThreadTimeOut(true);
    }

    private ReadAhead() {}

    static void begin(Runnable reading) {
        READERS.execute(reading);
    }
}
