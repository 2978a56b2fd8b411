package tandem.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The batches of a pass one after the other: while one is worked on, the next is read by another thread. For one
/// thread, and for one pass after another.
public final class BatchReader {

    private Batch now = new Batch();
    private Batch next = new Batch();
    private Batches.Pass pass = _ -> false;
    private FutureTask<Boolean> reading;

    /// Goes over to another pass, whether the one before is at its end or not.
    public void begin(Batches.Pass other) throws IOException {
        if (reading != null) {
            await();
        }
        pass = other;
        readNext();
    }

    /// The next batch, which is the caller's until it asks for another; null if there are no more.
    public Batch next() throws IOException {
        if (reading == null || !await()) {
            return null;
        }
        Batch read = next;
        next = now;
        now = read;
        readNext();
        return read;
    }

    private void readNext() {
        Batches.Pass from = pass;
        Batch into = next;
        reading = new FutureTask<>(() -> from.next(into));
        ReadAhead.begin(reading);
    }

    private boolean await() throws IOException {
        FutureTask<Boolean> one = reading;
        reading = null;
        one.run(); // does nothing if it is read or being read
        try {
            return one.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a batch was read");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }
}
