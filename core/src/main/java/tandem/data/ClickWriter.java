package tandem.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Makes chunks of rows on several threads and writes them in order: a thread that has finished its
/// chunk waits until the chunks before it are written.
final class ClickWriter {

    private static final int CHUNK = 1 << 12;

    /// Rows between two looks at whether the thread is interrupted.
    private static final int PAUSE = 1 << 7;

    private final Clicks clicks;
    private final ClickTruth truth;
    private final OutputStream out;
    private final LongConsumer progress;
    private final AtomicLong claimed = new AtomicLong();

    // Guarded by this.
    private final ClickTally total = new ClickTally();
    private long written;
    private long bytes;
    private Throwable failure;

    ClickWriter(Clicks clicks, OutputStream out, LongConsumer progress) {
        this.clicks = clicks;
        this.truth = clicks.truth();
        this.out = out;
        this.progress = progress;
    }

    ClickSummary run(int threads) throws IOException {
        List<Thread> workers = new ArrayList<>();
        for (int t = 1; t < threads; t++) {
            workers.add(Thread.ofPlatform().name("clicks-" + t).daemon().start(this::work));
        }
        work();
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            stop(e);
        }
        return finish();
    }

    private void work() {
        ClickText text = new ClickText();
        ClickRow row = new ClickRow();
        try {
            for (long chunk = claimed.getAndIncrement();
                    chunk * CHUNK < clicks.rows();
                    chunk = claimed.getAndIncrement()) {
                ClickTally tally = new ClickTally();
                text.clear();
                long end = Math.min((chunk + 1) * CHUNK, clicks.rows());
                for (long r = chunk * CHUNK; r < end; r++) {
                    if (r % PAUSE == 0 && Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    truth.fill(clicks.firstRow() + r, row);
                    text.add(row);
                    tally.add(row);
                }
                if (!write(chunk, text, tally)) {
                    return;
                }
                progress.accept(end);
            }
        } catch (Throwable e) {
            stop(e);
        }
    }

    /// Waits for its turn; false when there will be none.
    private synchronized boolean write(long chunk, ClickText text, ClickTally tally)
            throws IOException, InterruptedException {
        while (written != chunk && failure == null) {
            wait();
        }
        if (failure != null) {
            return false;
        }
        out.write(text.bytes(), 0, text.length());
        total.add(tally);
        bytes += text.length();
        written++;
        notifyAll();
        return true;
    }

    private synchronized void stop(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    private synchronized ClickSummary finish() throws IOException {
        switch (failure) {
            case null -> {
                return total.summary(bytes);
            }
            case IOException e -> throw e;
            case InterruptedException e -> {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("generating clicks was interrupted").initCause(e);
            }
            default -> throw new IllegalStateException("a thread that generates clicks failed", failure);
        }
    }
}
