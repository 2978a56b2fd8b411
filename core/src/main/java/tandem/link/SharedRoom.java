package tandem.link;

import java.util.concurrent.atomic.AtomicLong;
import tandem.wire.Room;

/// What all connections of a process have together for arrays whose bytes are still coming.
final class SharedRoom implements Room {

    static final long BYTES = 1 << 26;

    private final AtomicLong taken = new AtomicLong();

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
}
