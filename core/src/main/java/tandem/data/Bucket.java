package tandem.data;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The rows of one bucket of a [Scatter]: some in memory, earlier ones in pieces of the spill file.
final class Bucket {

    private static final int LARGEST = Integer.MAX_VALUE - 64;

    /// A piece of the spill file.
    record Piece(long offset, int length) {}

    private final List<Piece> pieces = new ArrayList<>();
    private byte[] bytes = new byte[0];
    private int length;

    synchronized void add(Rows rows, int row) throws BadData {
        long needed = (long) length + RowCodec.roomFor(rows, row);
        if (needed > bytes.length) {
            if (needed > LARGEST) {
                throw new BadData("a row has " + (rows.starts[row + 1] - rows.starts[row])
                        + " entries, which is more than can be shuffled; cut it into smaller rows");
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(LARGEST, Math.max(needed, bytes.length + (bytes.length >> 1))));
        }
        length = RowCodec.encode(rows, row, bytes, length);
    }

    synchronized int capacity() {
        return bytes.length;
    }

    /// Takes what is in memory away; it goes to `offset` of the spill file.
    synchronized ByteBuffer empty(long offset) {
        ByteBuffer full = ByteBuffer.wrap(bytes, 0, length);
        if (length > 0) {
            pieces.add(new Piece(offset, length));
        }
        bytes = new byte[0];
        length = 0;
        return full;
    }

    synchronized List<Piece> pieces() {
        return pieces;
    }

    synchronized long size() {
        return length + pieces.stream().mapToLong(Piece::length).sum();
    }

    /// What is in memory.
    synchronized byte[] held() {
        return Arrays.copyOf(bytes, length);
    }

    /// The same, and gives it up.
    synchronized byte[] take() {
        byte[] taken = held();
        bytes = new byte[0];
        length = 0;
        return taken;
    }
}
