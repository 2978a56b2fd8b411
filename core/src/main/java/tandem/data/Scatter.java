package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Shuffles rows in bounded memory: a row's lot is a hash of the seed and of where the row stands in the
/// data, and rows come back in the order of their lots.
///
/// Rows are scattered to buckets by the top bits of their lots; when the buckets together outgrow the
/// memory allowed they are written to one file. The order depends neither on the number of buckets nor
/// on who added what when. Adding is for many threads; [Gather] then reads the buckets one after the other.
final class Scatter {

    final long seed;
    final Bucket[] buckets;
    private final long memoryBytes;
    private final Draft spill;
    private final ReadWriteLock filling = new ReentrantReadWriteLock();
    private long spilled;

    /// `bits` gives 2^bits buckets.
    Scatter(long seed, int bits, long memoryBytes, Draft spill) {
        this.seed = seed;
        this.memoryBytes = memoryBytes;
        this.spill = spill;
        buckets = new Bucket[1 << bits];
        for (int b = 0; b < buckets.length; b++) {
            buckets[b] = new Bucket();
        }
    }

    int bits() {
        return Integer.numberOfTrailingZeros(buckets.length);
    }

    void add(Rows rows) throws IOException {
        filling.readLock().lock();
        try {
            for (int r = 0; r < rows.count; r++) {
                long lot = RowCodec.lot(seed, rows.places[r]);
                buckets[bits() == 0 ? 0 : (int) (lot >>> -bits())].add(rows, r);
            }
        } finally {
            filling.readLock().unlock();
        }
        if (held() > memoryBytes) {
            spill();
        }
    }

    private long held() {
        long held = 0;
        for (Bucket bucket : buckets) {
            held += bucket.capacity();
        }
        return held;
    }

    private void spill() throws IOException {
        filling.writeLock().lock();
        try {
            if (held() <= memoryBytes) {
                return;
            }
            spill.open(true);
            for (Bucket bucket : buckets) {
                ByteBuffer bytes = bucket.empty(spilled);
                int length = bytes.remaining();
                spill.write(bytes, spilled);
                spilled += length;
            }
        } finally {
            filling.writeLock().unlock();
        }
    }

    /// Reads `length` spilled bytes from `offset` into `bytes`.
    void read(long offset, byte[] bytes, int length) throws IOException {
        spill.read(offset, bytes, length);
    }
}
