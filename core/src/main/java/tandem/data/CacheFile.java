package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import tandem.math.Hash;

/// A file of batches. The layout is described in `docs/cache.md`.
final class CacheFile {

    static final int VERSION = 1;
    static final int MAGIC_BYTES = PieceFile.MAGIC_BYTES;

    private static final PieceFile.Kind KIND = PieceFile.Kind.of("a cache", "tndem", VERSION, BatchCodec.HEADER_BYTES);

    private CacheFile() {}

    static ByteBuffer magic() {
        return KIND.bytes();
    }

    /// The end of a file whose batches end at `at`. Batch `b` takes `lengths[b]` bytes from `starts[b]`.
    static ByteBuffer end(CacheHeader header, long[] starts, int[] lengths, long at) {
        return PieceFile.end(KIND, header.bytes(), starts, lengths, at);
    }

    /// An open cache: reads batches for many threads at once.
    record Opened(FileChannel file, CacheHeader header, long[] starts, int[] lengths) {

        void read(int batch, Batch into) throws IOException {
            byte[] bytes = into.scratch(lengths[batch]);
            PieceFile.read(file, starts[batch], ByteBuffer.wrap(bytes, 0, lengths[batch]));
            BatchCodec.decode(bytes, lengths[batch], into);
        }

        /// How large a batch is, by its first bytes.
        BatchCodec.Size size(int batch) throws IOException {
            byte[] bytes = new byte[BatchCodec.HEADER_BYTES];
            PieceFile.read(file, starts[batch], ByteBuffer.wrap(bytes));
            return BatchCodec.size(bytes);
        }

        /// Of what it holds, by the checksum that each batch begins with: not of where and when it was built.
        String fingerprint() throws IOException {
            byte[] made = (header.settings() + header.labels()).getBytes(StandardCharsets.UTF_8);
            long hash = Hash.bytes(header.seed(), made, 0, made.length);
            ByteBuffer sum = ByteBuffer.allocate(Integer.BYTES);
            for (int b = 0; b < starts.length; b++) {
                PieceFile.read(file, starts[b], sum.clear());
                hash = Hash.number(Hash.number(hash, lengths[b]), sum.getInt(0));
            }
            return header.rows() + "-" + HexFormat.of().toHexDigits(hash);
        }
    }

    /// Opens a cache and checks all but its batches; an [IOException] says what is wrong with it.
    static Opened open(Path path, StandardOpenOption... more) throws IOException {
        PieceFile.Opened opened = PieceFile.open(KIND, path, more);
        try {
            return new Opened(opened.file(), CacheHeader.of(opened.header()), opened.starts(), opened.lengths());
        } catch (IOException | RuntimeException e) {
            opened.file().close();
            throw e;
        }
    }
}
