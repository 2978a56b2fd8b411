package tandem.link;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import tandem.wire.Room;

/// What all connections of a process have together for arrays whose bytes are still coming, and arrays that were used
/// before. Any thread may use it.
final class SharedRoom implements Room {

    static final long BYTES = 1 << 26;

    /// What is kept of arrays to be used again, and how long they are at least.
    static final long KEPT_BYTES = 1 << 25;

    static final int LEAST_LENGTH = 1 << 14;

    private final AtomicLong taken = new AtomicLong();

    /// Those used last come first: they may still be in the processor's cache.
    private final ArrayDeque<float[]> kept = new ArrayDeque<>();

    private long keptBytes;

    @Override
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= BYTES) {
            return true;
        }
        give(bytes);
        return false;
    }

    @Override
    public void give(long bytes) {
        taken.addAndGet(-bytes);
    }

    @Override
    public float[] floats(int length) {
        synchronized (kept) {
            for (Iterator<float[]> all = kept.iterator(); all.hasNext(); ) {
                float[] array = all.next();
                if (array.length == length) {
                    all.remove();
                    keptBytes -= (long) Float.BYTES * length;
                    return array;
                }
            }
        }
        return new float[length];
    }

    /// Keeps an array that nobody needs any more; those that have waited longest go.
    void keep(float[] array) {
        long bytes = (long) Float.BYTES * array.length;
        if (array.length < LEAST_LENGTH || bytes > KEPT_BYTES) {
            return;
        }
        synchronized (kept) {
            kept.push(array);
            keptBytes += bytes;
            while (keptBytes > KEPT_BYTES) {
                keptBytes -= (long) Float.BYTES * kept.removeLast().length;
            }
        }
    }
}
