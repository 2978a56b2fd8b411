package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file of columns. The layout is described in `docs/cache.md`.
final class ColumnFile implements Closeable {

    static final int VERSION = 2;

    private static final PieceFile.Kind KIND =
            PieceFile.Kind.of("a cache of columns", "tncol", VERSION, ColumnCodec.HEADER_BYTES);

    private final PieceFile.Opened file;
    private final ColumnHeader header;

    private ColumnFile(PieceFile.Opened file, ColumnHeader header) {
        this.file = file;
        this.header = header;
    }

    static ByteBuffer magic() {
        return KIND.bytes();
    }

    /// The end of a file whose pieces end at `at`.
    static ByteBuffer end(ColumnHeader header, long[] starts, int[] lengths, long at) {
        return PieceFile.end(KIND, header.bytes(), starts, lengths, at);
    }

    /// Opens a file and checks all but its pieces; an [IOException] says what is wrong with it.
    static ColumnFile open(Path path, StandardOpenOption... more) throws IOException {
        PieceFile.Opened opened = PieceFile.open(KIND, path, more);
        try {
            return new ColumnFile(opened, ColumnHeader.of(opened.header(), opened.starts().length));
        } catch (IOException | RuntimeException e) {
            opened.file().close();
            throw e;
        }
    }

    ColumnHeader header() {
        return header;
    }

    /// What a piece of columns takes in memory, more or less.
    int bytes(int piece) {
        return file.lengths()[header.rowPieces() + piece];
    }

    /// The columns of a piece; many threads may ask at once.
    Columns columns(int piece) throws IOException {
        int number = header.rowPieces() + piece;
        byte[] bytes = new byte[file.lengths()[number]];
        file.read(number, bytes);
        Columns columns = ColumnCodec.decode(bytes, number, header.rows());
        int expected = Math.max(1, header.columns()[piece]);
        if (columns.count() != expected) {
            throw new IOException("a piece has " + columns.count() + " columns and should have " + expected);
        }
        return columns;
    }

    /// Hears of labels and weights, some rows after the other.
    @FunctionalInterface
    interface RowWork {
        void rows(int first, Batch rows);
    }

    void forEachRows(RowWork work) throws IOException {
        Batch batch = new Batch();
        int first = 0;
        for (int number = 0; number < header.rowPieces(); number++) {
            int length = file.lengths()[number];
            byte[] bytes = batch.scratch(length);
            file.read(number, bytes);
            BatchCodec.decode(bytes, length, batch);
            if (batch.number() != number || batch.rows() > header.rows() - first) {
                throw new IOException("labels are not where they should be");
            }
            work.rows(first, batch);
            first += batch.rows();
        }
        if (first != header.rows()) {
            throw new IOException("there are " + first + " labels for " + header.rows() + " rows");
        }
    }

    @Override
    public void close() throws IOException {
        file.file().close();
    }
}
