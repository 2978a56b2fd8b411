package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The frame of a file in the cache: magic, pieces back to back, where each piece is, a header, and a trailer that
/// finds them. The layout is described in `docs/cache.md`.
final class PieceFile {

    static final int MAGIC_BYTES = 8;

    private static final int TRAILER_BYTES = 32;

    /// Bytes that are read at once: what is read passes through a buffer outside the heap, of the same size.
    private static final int READ_BYTES = 1 << 20;

    private PieceFile() {}

    /// What files of one kind begin and end with, and how many bytes a piece has at least.
    record Kind(String name, long magic, int leastBytes) {

        /// @param letters what the file begins with, five of them
        static Kind of(String name, String letters, int version, int leastBytes) {
            long magic = (long) version << 56;
            for (int k = 0; k < letters.length(); k++) {
                magic |= (long) letters.charAt(k) << (8 * k);
            }
            return new Kind(name, magic, leastBytes);
        }

        ByteBuffer bytes() {
            return ByteBuffer.allocate(MAGIC_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(magic)
                    .flip();
        }
    }

    /// The end of a file whose pieces end at `at`. Piece `p` takes `lengths[p]` bytes from `starts[p]`.
    static ByteBuffer end(Kind kind, byte[] header, long[] starts, int[] lengths, long at) {
        ByteBuffer end = ByteBuffer.allocate(
                        Math.addExact(Math.multiplyExact(12, starts.length), header.length + TRAILER_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int p = 0; p < starts.length; p++) {
            end.putLong(starts[p]).putInt(lengths[p]);
        }
        end.put(header);
        int sum = sum(end.array(), 0, end.position());
        return end.putLong(at)
                .putInt(starts.length)
                .putInt(header.length)
                .putInt(sum)
                .putInt(0)
                .putLong(kind.magic)
                .flip();
    }

    /// An open file: reads pieces for many threads at once.
    record Opened(FileChannel file, byte[] header, long[] starts, int[] lengths) {

        /// Reads a piece to the beginning of `bytes`.
        void read(int piece, byte[] bytes) throws IOException {
            PieceFile.read(file, starts[piece], ByteBuffer.wrap(bytes, 0, lengths[piece]));
        }
    }

    /// Opens a file and checks all but its pieces; an [IOException] says what is wrong with it.
    static Opened open(Kind kind, Path path, StandardOpenOption... more) throws IOException {
        StandardOpenOption[] options = new StandardOpenOption[more.length + 1];
        System.arraycopy(more, 0, options, 1, more.length);
        options[0] = StandardOpenOption.READ;
        FileChannel file = FileChannel.open(path, options);
        try {
            return index(kind, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Opened index(Kind kind, FileChannel file) throws IOException {
        long size = file.size();
        if (size < MAGIC_BYTES + TRAILER_BYTES) {
            throw new IOException("it is too short");
        }
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        read(file, size - TRAILER_BYTES, trailer);
        trailer.flip();
        long at = trailer.getLong();
        int pieces = trailer.getInt();
        int headerBytes = trailer.getInt();
        int sum = trailer.getInt();
        int zero = trailer.getInt();
        ByteBuffer magic = ByteBuffer.allocate(MAGIC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        read(file, 0, magic);
        if (trailer.getLong() != kind.magic || magic.getLong(0) != kind.magic) {
            throw new IOException("it is not " + kind.name + " of this version");
        }
        long middle = 12L * pieces + headerBytes;
        if (at < MAGIC_BYTES
                || pieces < 1
                || headerBytes < 2
                || zero != 0
                || at + middle + TRAILER_BYTES != size
                || middle > Integer.MAX_VALUE - 64) {
            throw new IOException("its end is damaged");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) middle).order(ByteOrder.LITTLE_ENDIAN);
        read(file, at, bytes);
        if (sum(bytes.array(), 0, (int) middle) != sum) {
            throw new IOException("its directory does not match its checksum");
        }
        bytes.flip();
        long[] starts = new long[pieces];
        int[] lengths = new int[pieces];
        for (int p = 0; p < pieces; p++) {
            starts[p] = bytes.getLong();
            lengths[p] = bytes.getInt();
            if (starts[p] < MAGIC_BYTES || lengths[p] < kind.leastBytes || starts[p] > at - lengths[p]) {
                throw new IOException("its directory is damaged");
            }
        }
        byte[] header = new byte[headerBytes];
        bytes.get(header);
        return new Opened(file, header, starts, lengths);
    }

    static void read(FileChannel file, long offset, ByteBuffer into) throws IOException {
        long start = offset - into.position();
        int end = into.limit();
        while (into.position() < end) {
            into.limit(Math.min(end, into.position() + READ_BYTES));
            if (file.read(into, start + into.position()) < 0) {
                throw new IOException("it ends too early");
            }
        }
    }

    /// The CRC32C of bytes `from` until `to`.
    static int sum(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }
}
