package tandem.link;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Direct buffers for large frames, kept for the next one: they are slow to come by. Any thread may use it.
final class Buffers {

    /// What is kept at most.
    private static final long KEPT_BYTES = 1 << 26;

    /// By the binary logarithm of their size.
    private final ArrayDeque<ByteBuffer>[] free = newArray();

    private long kept;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<ByteBuffer>[] newArray() {
        ArrayDeque[] all = new ArrayDeque[Integer.SIZE];
        for (int i = 0; i < all.length; i++) {
            all[i] = new ArrayDeque<>();
        }
        return all;
    }

    /// An empty buffer of at least so many bytes.
    ByteBuffer take(int bytes) {
        int size = Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
        synchronized (this) {
            ByteBuffer buffer = free[size].poll();
            if (buffer != null) {
                kept -= buffer.capacity();
                return buffer.clear();
            }
        }
        return ByteBuffer.allocateDirect(size > 30 ? bytes : 1 << size);
    }

    synchronized void give(ByteBuffer buffer) {
        if (Integer.bitCount(buffer.capacity()) == 1 && kept + buffer.capacity() <= KEPT_BYTES) {
            kept += buffer.capacity();
            free[Integer.numberOfTrailingZeros(buffer.capacity())].push(buffer);
        }
    }
}
