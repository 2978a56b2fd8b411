package tandem.data;

import java.io.IOException;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which chunks are read, so that of several bad lines or weights the first in the data is the one reported, however
/// many threads read. Shared by the reading threads.
final class ChunkOrder {

    private final TreeMap<Long, IOException> failures = new TreeMap<>();

    /// Every chunk below `next` is finished, and of those from there on `early`.
    private final TreeSet<Long> early = new TreeSet<>();

    private long next;

    synchronized void failed(long chunk, IOException why) {
        failures.put(chunk, why);
    }

    synchronized void finished(long chunk) {
        early.add(chunk);
        while (early.remove(next)) {
            next++;
        }
        notifyAll();
    }

    /// Why reading fails, known once all chunks before `chunk`, which failed, are finished. Another thread has
    /// each of those in hand, so the wait is short.
    synchronized IOException first(long chunk) {
        try {
            while (next < chunk) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return failures.firstEntry().getValue();
    }
}
