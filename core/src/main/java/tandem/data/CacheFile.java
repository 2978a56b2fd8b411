package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import tandem.math.Hash;

/// The frame of a cache file: magic, batches back to back, where each batch is, the header, and a trailer
/// that finds them. The layout is described in `docs/cache.md`.
final class CacheFile {

    static final int VERSION = 1;
    static final int MAGIC_BYTES = 8;

    private static final long MAGIC = 0x0000_006d_6564_6e74L + ((long) VERSION << 56);
    private static final int TRAILER_BYTES = 32;

    private CacheFile() {}

    static ByteBuffer magic() {
        return ByteBuffer.allocate(MAGIC_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .flip();
    }

    /// The end of a file whose batches end at `at`. Batch `b` takes `lengths[b]` bytes from `starts[b]`.
    static ByteBuffer end(CacheHeader header, long[] starts, int[] lengths, long at) {
        byte[] text = header.bytes();
        ByteBuffer end = ByteBuffer.allocate(
                        Math.addExact(Math.multiplyExact(12, starts.length), text.length + TRAILER_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int b = 0; b < starts.length; b++) {
            end.putLong(starts[b]).putInt(lengths[b]);
        }
        end.put(text);
        int sum = sum(end.array(), end.position());
        return end.putLong(at)
                .putInt(starts.length)
                .putInt(text.length)
                .putInt(sum)
                .putInt(0)
                .putLong(MAGIC)
                .flip();
    }

    /// An open cache: reads batches for many threads at once.
    record Opened(FileChannel file, CacheHeader header, long[] starts, int[] lengths) {

        void read(int batch, Batch into) throws IOException {
            byte[] bytes = into.scratch(lengths[batch]);
            CacheFile.read(file, starts[batch], ByteBuffer.wrap(bytes, 0, lengths[batch]));
            BatchCodec.decode(bytes, lengths[batch], into);
        }

        /// Of what it holds, by the checksum that each batch begins with: not of where and when it was built.
        String fingerprint() throws IOException {
            byte[] made = (header.settings() + header.labels()).getBytes(StandardCharsets.UTF_8);
            long hash = Hash.bytes(header.seed(), made, 0, made.length);
            ByteBuffer sum = ByteBuffer.allocate(Integer.BYTES);
            for (int b = 0; b < starts.length; b++) {
                CacheFile.read(file, starts[b], sum.clear());
                hash = Hash.number(Hash.number(hash, lengths[b]), sum.getInt(0));
            }
            return header.rows() + "-" + HexFormat.of().toHexDigits(hash);
        }
    }

    /// Opens a cache and checks all but its batches; an [IOException] says what is wrong with it.
    static Opened open(Path path, StandardOpenOption... more) throws IOException {
        StandardOpenOption[] options = new StandardOpenOption[more.length + 1];
        System.arraycopy(more, 0, options, 1, more.length);
        options[0] = StandardOpenOption.READ;
        FileChannel file = FileChannel.open(path, options);
        try {
            return index(file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Opened index(FileChannel file) throws IOException {
        long size = file.size();
        if (size < MAGIC_BYTES + TRAILER_BYTES) {
            throw new IOException("it is too short");
        }
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        read(file, size - TRAILER_BYTES, trailer);
        trailer.flip();
        long at = trailer.getLong();
        int batches = trailer.getInt();
        int textBytes = trailer.getInt();
        int sum = trailer.getInt();
        trailer.getInt();
        ByteBuffer magic = ByteBuffer.allocate(MAGIC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        read(file, 0, magic);
        if (trailer.getLong() != MAGIC || magic.getLong(0) != MAGIC) {
            throw new IOException("it is not a cache of this version");
        }
        long middle = 12L * batches + textBytes;
        if (at < MAGIC_BYTES
                || batches < 1
                || textBytes < 2
                || at + middle + TRAILER_BYTES != size
                || middle > Integer.MAX_VALUE - 64) {
            throw new IOException("its end is damaged");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) middle).order(ByteOrder.LITTLE_ENDIAN);
        read(file, at, bytes);
        if (sum(bytes.array(), (int) middle) != sum) {
            throw new IOException("its directory does not match its checksum");
        }
        bytes.flip();
        long[] starts = new long[batches];
        int[] lengths = new int[batches];
        for (int b = 0; b < batches; b++) {
            starts[b] = bytes.getLong();
            lengths[b] = bytes.getInt();
            if (starts[b] < MAGIC_BYTES || lengths[b] < BatchCodec.HEADER_BYTES || starts[b] > at - lengths[b]) {
                throw new IOException("its directory is damaged");
            }
        }
        byte[] text = new byte[textBytes];
        bytes.get(text);
        return new Opened(file, CacheHeader.of(text), starts, lengths);
    }

    private static void read(FileChannel file, long offset, ByteBuffer into) throws IOException {
        long start = offset - into.position();
        while (into.hasRemaining()) {
            if (file.read(into, start + into.position()) < 0) {
                throw new IOException("it ends too early");
            }
        }
    }

    private static int sum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
