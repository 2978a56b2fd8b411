package tandem.data;

import java.util.concurrent.atomic.AtomicLong;

/// How much of the heap there is for something, for all workers of a process together. For many threads.
public final class Room {

    private final long bytes;
    private final AtomicLong taken = new AtomicLong();

    public Room(long bytes) {
        this.bytes = bytes;
    }

    /// Takes so many bytes, if there are as many left.
    public boolean take(long more) {
        if (taken.addAndGet(more) <= bytes) {
            return true;
        }
        taken.addAndGet(-more);
        return false;
    }

    public void giveBack(long less) {
        taken.addAndGet(-less);
    }
}
