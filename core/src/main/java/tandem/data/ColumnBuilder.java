package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tandem.math.Parallel;

/// Builds a cache of columns from the batches of a stream, in memory that does not depend on how many there are: rows
/// become columns run by run, and runs are merged ([ColumnRuns]).
final class ColumnBuilder {

    /// What the columns of a piece take, unless there is but one: little enough to keep many of them in memory, and
    /// enough to be read without going to and fro.
    static final int PIECE_BYTES = 1 << 18;

    /// Rows of a piece of labels.
    private static final int PIECE_ROWS = 1 << 14;

    /// What a run takes while it is turned: by entry, by key of a batch, and by row.
    private static final long ENTRY_BYTES = 16;

    private static final long KEY_BYTES = 48;
    private static final long ROW_BYTES = 32;

    private final ColumnHeader.Made made;
    private final long[] firsts;
    private final long memoryBytes;
    private final Draft.Opening opening;

    private Draft draft;
    private long written;
    private long[] starts = new long[64];
    private int[] lengths = new int[64];
    private int pieces;

    private final Batch labels = new Batch();
    private int rows;
    private int rowPieces;

    private final ColumnCodec.Draft piece = new ColumnCodec.Draft();
    private int[] columns = new int[64];
    private final int[] blocks;
    private int block;

    /// @param firsts      the first key of each block
    /// @param memoryBytes what a run of rows may take
    ColumnBuilder(ColumnHeader.Made made, long[] firsts, long memoryBytes, Draft.Opening opening) {
        this.made = made;
        this.firsts = firsts;
        this.memoryBytes = memoryBytes;
        this.opening = opening;
        blocks = new int[firsts.length];
    }

    void build(Batches.Pass pass, Path target) throws IOException {
        try (Draft gathered = new Draft(target, "runs", opening, Draft.COLUMNS);
                Draft cache = new Draft(target, "draft", opening, Draft.COLUMNS)) {
            // Found out before the data is read, which may take long.
            cache.open(false);
            draft = cache;
            cache.write(ColumnFile.magic(), 0);
            written = PieceFile.MAGIC_BYTES;
            ColumnRuns runs = new ColumnRuns(gathered);
            read(pass, runs);
            runs.merge(memoryBytes, this::add);
            endPiece();
            int count = pieces - rowPieces;
            ColumnHeader header = new ColumnHeader(made, rows, rowPieces, Arrays.copyOf(columns, count), blocks);
            cache.write(
                    ColumnFile.end(header, Arrays.copyOf(starts, pieces), Arrays.copyOf(lengths, pieces), written),
                    written);
            cache.become(target);
        }
    }

    private void read(Batches.Pass pass, ColumnRuns runs) throws IOException {
        labels.resize(0, PIECE_ROWS, 0, 0);
        int gathered = 0;
        int first = 0;
        long bytes = 0;
        KeyNumbers numbers = new KeyNumbers();
        List<RowPart> parts = new ArrayList<>();
        for (Batch batch = new Batch(); pass.next(batch); ) {
            if (bytes > memoryBytes) {
                runs.add(new Transposition(parts, Parallel.SEQUENTIAL, 1).columns(), first);
                first = rows;
                bytes = 0;
                numbers = new KeyNumbers();
                parts.clear();
            }
            parts.add(RowPart.of(batch, numbers));
            bytes += ENTRY_BYTES * batch.entries() + KEY_BYTES * batch.keyCount() + ROW_BYTES * batch.rows();
            for (int r = 0; r < batch.rows(); r++) {
                if (gathered == PIECE_ROWS) {
                    writeLabels(gathered);
                    gathered = 0;
                }
                labels.labels()[gathered] = batch.labels()[r];
                labels.weights()[gathered++] = batch.weights()[r];
            }
            rows = Math.addExact(rows, batch.rows());
        }
        runs.add(new Transposition(parts, Parallel.SEQUENTIAL, 1).columns(), first);
        writeLabels(gathered);
    }

    /// As a batch whose rows are empty.
    private void writeLabels(int count) throws IOException {
        labels.resize(pieces, count, 0, 0);
        byte[] bytes = labels.scratch(Math.toIntExact(BatchCodec.roomFor(labels)));
        write(bytes, BatchCodec.encode(labels, bytes));
        rowPieces++;
    }

    private void add(long key, int count, boolean valued, ColumnRuns.Entries entries) throws IOException {
        int now = block;
        while (now + 1 < firsts.length && Long.compareUnsigned(key, firsts[now + 1]) >= 0) {
            now++;
        }
        long more = 12L + (valued ? 8L : 4L) * count;
        if (now != block || piece.columns > 0 && piece.bytes() + more > PIECE_BYTES) {
            endPiece();
            block = now;
        }
        piece.begin(key, Math.min(count, Columns.STRETCH), valued);
        int[] left = {count};
        entries.into((rows, values, some) -> {
            for (int from = 0, to; from < some; from = to) {
                if (piece.isFull()) {
                    endPiece();
                    piece.goOn(key, Math.min(left[0], Columns.STRETCH), valued);
                }
                to = Math.min(some, from + piece.room());
                piece.add(rows, values, from, to);
                left[0] -= to - from;
            }
        });
        if (count > Columns.STRETCH) {
            endPiece();
        }
    }

    private void endPiece() throws IOException {
        if (piece.columns == 0) {
            return;
        }
        int number = pieces - rowPieces;
        if (number == columns.length) {
            columns = Arrays.copyOf(columns, 2 * number);
        }
        columns[number] = piece.goesOn ? 0 : piece.columns;
        blocks[block]++;
        byte[] bytes = ColumnCodec.encode(piece, pieces);
        write(bytes, bytes.length);
        piece.clear();
    }

    private void write(byte[] bytes, int length) throws IOException {
        if (pieces == starts.length) {
            starts = Arrays.copyOf(starts, 2 * pieces);
            lengths = Arrays.copyOf(lengths, 2 * pieces);
        }
        draft.write(ByteBuffer.wrap(bytes, 0, length), written);
        starts[pieces] = written;
        lengths[pieces++] = length;
        written += length;
    }
}
