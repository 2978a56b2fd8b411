package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Columns that are gathered run of rows by run, in a temporary file, and merged: what rows in memory take is that of
/// one run. In a run there is for each column, keys ascending, its key, its length, its rows, and its values if one of
/// them is not 1.
final class ColumnRuns {

    /// Set in the length of a column that has values.
    private static final int VALUED = Integer.MIN_VALUE;

    private static final int MOST_BUFFER_BYTES = 1 << 16;
    private static final int LEAST_BUFFER_BYTES = 1 << 12;

    private final Draft file;
    private final ByteBuffer out = buffer(MOST_BUFFER_BYTES);
    private final List<Long> starts = new ArrayList<>();
    private long written;

    /// What a run has of the column in hand.
    private int[] rows = new int[0];

    private float[] values = new float[0];

    /// @param file that nobody else writes to
    ColumnRuns(Draft file) {
        this.file = file;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Adds a run.
    ///
    /// @param firstRow the number of its first row
    void add(Columns run, int firstRow) throws IOException {
        file.open(true);
        starts.add(written);
        for (int j = 0; j < run.count(); j++) {
            boolean valued = run.hasValues(j);
            room(12);
            out.putLong(run.keys()[j]).putInt(valued ? run.entries(j) | VALUED : run.entries(j));
            for (int e = run.starts()[j]; e < run.starts()[j + 1]; e++) {
                room(4);
                out.putInt(firstRow + run.row(e));
            }
            for (int e = run.starts()[j]; valued && e < run.starts()[j + 1]; e++) {
                room(4);
                out.putFloat((float) run.value(j, e));
            }
        }
        flush();
    }

    private void room(int bytes) throws IOException {
        if (out.remaining() < bytes) {
            flush();
        }
    }

    private void flush() throws IOException {
        int length = out.position();
        file.write(out.flip(), written);
        written += length;
        out.clear();
    }

    /// Hears of all columns, keys ascending.
    @FunctionalInterface
    interface Merged {

        /// A column has `count` entries in all; `entries` has them.
        void column(long key, int count, boolean valued, Entries entries) throws IOException;
    }

    /// The entries of a column, to be gone through once.
    @FunctionalInterface
    interface Entries {

        void into(Sink sink) throws IOException;
    }

    /// Hears of entries of a column, some after the other.
    @FunctionalInterface
    interface Sink {

        /// The first `count` of these are entries, rows ascending; values only where the column has some.
        void take(int[] rows, float[] values, int count) throws IOException;
    }

    /// Gives out all columns of all runs, each once.
    ///
    /// @param memoryBytes what may be taken for reading
    void merge(long memoryBytes, Merged merged) throws IOException {
        PriorityQueue<Cursor> next =
                new PriorityQueue<>(Comparator.<Cursor>comparingLong(cursor -> cursor.key ^ Long.MIN_VALUE)
                        .thenComparingLong(cursor -> cursor.start));
        int bytes = (int) Math.clamp(memoryBytes / Math.max(1, starts.size()), LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES);
        for (int run = 0; run < starts.size(); run++) {
            Cursor cursor = new Cursor(starts.get(run), run + 1 < starts.size() ? starts.get(run + 1) : written, bytes);
            if (cursor.next()) {
                next.add(cursor);
            }
        }
        List<Cursor> same = new ArrayList<>();
        while (!next.isEmpty()) {
            long key = next.peek().key;
            int count = 0;
            boolean valued = false;
            while (!next.isEmpty() && next.peek().key == key) {
                Cursor cursor = next.remove();
                same.add(cursor);
                count = Math.addExact(count, cursor.count);
                valued |= cursor.valued;
            }
            boolean hasValues = valued;
            merged.column(key, count, valued, sink -> read(same, hasValues, sink));
            for (Cursor cursor : same) {
                if (cursor.next()) {
                    next.add(cursor);
                }
            }
            same.clear();
        }
    }

    /// What a run has of a column is in memory, as all of the run was.
    private void read(List<Cursor> same, boolean valued, Sink sink) throws IOException {
        for (Cursor cursor : same) {
            if (rows.length < cursor.count) {
                rows = new int[cursor.count + (rows.length >> 1)];
                values = new float[rows.length];
            }
            cursor.rows(rows);
            if (valued) {
                cursor.values(values);
            }
            sink.take(rows, values, cursor.count);
        }
    }

    /// A place in a run: at a column whose entries are still to be read.
    private final class Cursor {

        private final long start;
        private final long end;
        private final ByteBuffer in;
        private long at;
        private long key;
        private int count;
        private boolean valued;

        Cursor(long start, long end, int bytes) {
            this.start = start;
            this.end = end;
            at = start;
            in = buffer(bytes).limit(0);
        }

        /// Goes to the next column, if there is one.
        boolean next() throws IOException {
            if (at == end && !in.hasRemaining()) {
                return false;
            }
            need(12);
            key = in.getLong();
            int length = in.getInt();
            count = length & ~VALUED;
            valued = length < 0;
            return true;
        }

        void rows(int[] into) throws IOException {
            for (int done = 0; done < count; ) {
                need(4);
                int some = Math.min(count - done, in.remaining() / 4);
                in.asIntBuffer().get(into, done, some);
                in.position(in.position() + 4 * some);
                done += some;
            }
        }

        void values(float[] into) throws IOException {
            if (!valued) {
                Arrays.fill(into, 0, count, 1);
                return;
            }
            for (int done = 0; done < count; ) {
                need(4);
                int some = Math.min(count - done, in.remaining() / 4);
                in.asFloatBuffer().get(into, done, some);
                in.position(in.position() + 4 * some);
                done += some;
            }
        }

        /// Has so many bytes in the buffer.
        private void need(int bytes) throws IOException {
            if (in.remaining() < bytes) {
                in.compact();
                int more = (int) Math.min(in.remaining(), end - at);
                file.read(at, in.array(), in.position(), more);
                at += more;
                in.position(in.position() + more).flip();
            }
        }
    }
}
