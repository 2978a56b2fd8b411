package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tandem.math.Parallel;

class ColumnLoaderTest {

    /// Seeded rows in batches of 7, given out from the last to the first.
    private record Rows(int size, long seed) implements Batches {

        TreeMap<Long, Float> row(int number) {
            SplittableRandom random = new SplittableRandom(seed + number);
            TreeMap<Long, Float> row = new TreeMap<>(Long::compareUnsigned);
            for (int e = random.nextInt(6); e > 0; e--) {
                long key = random.nextInt(40) * 0x9e3779b97f4a7c15L;
                row.put(key, (key & 4) == 0 ? 1 : (float) random.nextInt(3));
            }
            return row;
        }

        @Override
        public Pass pass(int number, long skip) {
            AtomicInteger left = new AtomicInteger((size + 6) / 7);
            return into -> {
                int batch = left.decrementAndGet();
                if (batch < 0) {
                    return false;
                }
                fill(into, batch);
                return true;
            };
        }

        private void fill(Batch into, int batch) {
            int first = batch * 7;
            int rows = Math.min(7, size - first);
            TreeSet<Long> keys = new TreeSet<>(Long::compareUnsigned);
            int entries = 0;
            for (int r = 0; r < rows; r++) {
                keys.addAll(row(first + r).keySet());
                entries += row(first + r).size();
            }
            List<Long> sorted = List.copyOf(keys);
            into.resize(batch, rows, entries, sorted.size());
            for (int k = 0; k < sorted.size(); k++) {
                into.keys()[k] = sorted.get(k);
            }
            int e = 0;
            for (int r = 0; r < rows; r++) {
                into.labels()[r] = first + r;
                into.weights()[r] = 1 + r;
                for (var entry : row(first + r).entrySet()) {
                    into.positions()[e] = sorted.indexOf(entry.getKey());
                    into.values()[e++] = entry.getValue();
                }
                into.starts()[r + 1] = e;
            }
        }

        @Override
        public Labels labels() {
            return new Labels(List.of(), true, true);
        }

        @Override
        public long rows() {
            return size;
        }

        @Override
        public long count() {
            return (size + 6L) / 7;
        }

        @Override
        public Skipped skipped() {
            return Skipped.NONE;
        }

        @Override
        public double progress() {
            return Double.NaN;
        }

        @Override
        public void close() {}
    }

    /// The last piece is run first.
    private static final Parallel BACKWARDS = (pieces, work) -> {
        for (int piece = pieces - 1; piece >= 0; piece--) {
            work.accept(piece);
        }
    };

    @Test
    void each_column_holds_its_entries_in_the_order_of_rows() throws IOException {
        Rows rows = new Rows(100, 1);
        Columns columns = ColumnLoader.load(rows, Parallel.SEQUENTIAL, 1);
        assertEquals(100, columns.rows());
        double[] unit = new double[100];
        int entries = 0;
        for (int i = 0; i < 100; i++) {
            assertEquals(i, columns.labels()[i]);
            assertEquals(1 + i % 7, columns.weights()[i]);
            unit[i] = 1;
            TreeMap<Long, Float> row = rows.row(i);
            entries += row.size();
            for (int j = 0; j < columns.count(); j++) {
                double expected = row.getOrDefault(columns.keys()[j], 0f);
                assertEquals(expected, columns.dot(j, unit), "row " + i);
            }
            unit[i] = 0;
        }
        assertEquals(entries, columns.entries());
        for (int j = 1; j < columns.count(); j++) {
            assertTrue(Long.compareUnsigned(columns.keys()[j - 1], columns.keys()[j]) < 0);
        }
    }

    @Test
    void the_number_of_threads_changes_nothing() throws IOException {
        Rows rows = new Rows(83, 2);
        Columns one = ColumnLoader.load(rows, Parallel.SEQUENTIAL, 1);
        double[] v = new SplittableRandom(3).doubles(83).toArray();
        for (int threads : new int[] {2, 3, 40}) {
            Columns many = ColumnLoader.load(rows, BACKWARDS, threads);
            assertArrayEquals(one.keys(), many.keys());
            assertArrayEquals(one.starts(), many.starts());
            assertArrayEquals(one.labels(), many.labels());
            for (int j = 0; j < one.count(); j++) {
                assertEquals(one.dot(j, v), many.dot(j, v));
                assertEquals(one.dotSquare(j, v), many.dotSquare(j, v));
            }
        }
    }

    @Test
    void no_rows_give_no_columns() throws IOException {
        Columns columns = ColumnLoader.load(new Rows(0, 1), Parallel.SEQUENTIAL, 2);
        assertEquals(0, columns.rows());
        assertEquals(0, columns.count());
    }

    @Test
    void data_that_cannot_fit_are_refused_with_what_to_do() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> ColumnLoader.load(new Rows(1_000, 1), Parallel.SEQUENTIAL, 1, 20_000))
                .getMessage();
        assertTrue(message.contains("GB") && message.contains("online solver"), message);
    }

    @Test
    void keys_are_numbered_as_they_are_seen_however_many_there_are() {
        KeyNumbers numbers = new KeyNumbers();
        for (int round = 0; round < 2; round++) {
            for (int n = 0; n < 100_000; n++) {
                assertEquals(n, numbers.number(n * 0x9e3779b97f4a7c15L));
            }
        }
        assertEquals(100_000, numbers.size());
    }

    @Test
    void room_for_keys_is_enough_for_as_many_and_more() {
        for (int count : new int[] {1, 511, 512, 513, 4_096}) {
            KeyNumbers numbers = new KeyNumbers(count);
            long step = Long.divideUnsigned(-1, 2L * count);
            for (int round = 0; round < 2; round++) {
                for (int n = 0; n < 2 * count; n++) {
                    assertEquals(n, numbers.number(n * step));
                }
            }
        }
        String message = assertThrows(IllegalArgumentException.class, () -> new KeyNumbers(1 << 29))
                .getMessage();
        assertTrue(message.contains("--hash-bits"), message);
    }
}
