package tandem.data;

import java.io.IOException;
import java.util.Arrays;

/// Hands out the rows of a [Scatter] in the order of their lots, a batch at a time. Shared by the packing threads.
final class Gather {

    private final Scatter scatter;
    private final int batchRows;
    private final long largestBytes;
    private int bucket = -1;
    private int part;
    private int parts;
    private byte[] bytes = new byte[0];
    private int[] offsets = new int[0];
    private int used;
    private int count;
    private int next;
    private long number;

    /// A bucket of more than `largestBytes` is read in parts.
    Gather(Scatter scatter, int batchRows, long largestBytes) {
        this.scatter = scatter;
        this.batchRows = batchRows;
        this.largestBytes = largestBytes;
    }

    /// Fills `into` with the rows of the next batch and returns its number, or -1 when there are none left.
    synchronized long next(Rows into) throws IOException {
        return next(into, batchRows);
    }

    /// The same for a batch of so many rows.
    synchronized long next(Rows into, int most) throws IOException {
        into.clear();
        while (into.count < most && (next < count || advance())) {
            RowCodec.decode(bytes, offsets[next++], into);
        }
        return into.count == 0 ? -1 : number++;
    }

    private boolean advance() throws IOException {
        do {
            if (++part >= parts) {
                if (++bucket >= scatter.buckets.length) {
                    return false;
                }
                part = 0;
                parts = 1;
                while (scatter.buckets[bucket].size() / parts > largestBytes) {
                    parts *= 2;
                }
            }
            load(scatter.buckets[bucket]);
        } while (count == 0);
        return true;
    }

    private void load(Bucket from) throws IOException {
        count = 0;
        next = 0;
        used = 0;
        bytes = new byte
                [(int) Math.min(from.size() / parts + (parts == 1 ? 0 : from.size() / parts / 8), largestBytes * 2)];
        for (Bucket.Piece piece : from.pieces()) {
            byte[] spilled = new byte[piece.length()];
            scatter.read(piece.offset(), spilled, piece.length());
            keep(spilled);
        }
        keep(part + 1 < parts ? from.held() : from.take());
        sort();
    }

    /// Adds the rows of `from` that belong to the current part.
    private void keep(byte[] from) {
        for (int at = 0, length; at < from.length; at += length) {
            length = RowCodec.length(from, at);
            if (parts > 1 && partOf(from, at) != part) {
                continue;
            }
            if (bytes.length < used + length) {
                bytes = Arrays.copyOf(bytes, Math.max(used + length, used + (used >> 1)));
            }
            System.arraycopy(from, at, bytes, used, length);
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, Math.max(1 << 10, count * 2));
            }
            offsets[count++] = used;
            used += length;
        }
    }

    private long lot(byte[] from, int at) {
        return RowCodec.lot(scatter.seed, RowCodec.place(from, at));
    }

    private int partOf(byte[] from, int at) {
        return (int) ((lot(from, at) << scatter.bits()) >>> (64 - Integer.numberOfTrailingZeros(parts)));
    }

    /// Sorts the offsets by lot. Sorting numbers of 40 bits of the lot and 24 of the index is fast; rows that agree
    /// in those bits, which are few, are put right afterwards by comparing whole lots and places.
    private void sort() {
        int indexBits = 33 - Integer.numberOfLeadingZeros(Math.max(1, count));
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            long rest = lot(bytes, offsets[i]) << scatter.bits();
            order[i] = (rest >>> indexBits << indexBits | i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(order);
        int[] sorted = new int[count];
        for (int i = 0; i < count; i++) {
            int offset = offsets[(int) (order[i] & ((1L << indexBits) - 1))];
            int at = i;
            while (at > 0 && isAfter(sorted[at - 1], offset)) {
                sorted[at] = sorted[--at];
            }
            sorted[at] = offset;
        }
        offsets = sorted;
    }

    private boolean isAfter(int one, int other) {
        int lots = Long.compareUnsigned(lot(bytes, one), lot(bytes, other));
        return lots > 0 || lots == 0 && RowCodec.place(bytes, one) > RowCodec.place(bytes, other);
    }
}
