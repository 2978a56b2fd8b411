package tandem.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import tandem.math.Parallel;

/// Reads all batches into [Columns]: first each thread keeps the rows of the batches it claims, with
/// columns numbered by itself; then all agree on the numbers, and rows are turned into columns.
///
/// The result depends on the data alone, not on the number of threads.
public final class ColumnLoader {

    private static final int ENTRY_LIMIT = Integer.MAX_VALUE - 64;

    private final Batches batches;
    private final Parallel parallel;
    private final int threads;
    private final long heapBytes;
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    private ColumnLoader(Batches batches, Parallel parallel, int threads, long heapBytes) {
        this.batches = batches;
        this.parallel = parallel;
        this.threads = threads;
        this.heapBytes = heapBytes;
    }

    /// Reads one pass of `batches` by as many pieces of work as there are `threads`.
    public static Columns load(Batches batches, Parallel parallel, int threads) throws IOException {
        return load(batches, parallel, threads, Runtime.getRuntime().maxMemory());
    }

    static Columns load(Batches batches, Parallel parallel, int threads, long heapBytes) throws IOException {
        ColumnLoader loader = new ColumnLoader(batches, parallel, threads, heapBytes);
        return loader.transpose(loader.read());
    }

    /// The rows of one batch. `columns` holds a column's number by `numbers`, or its complement for an
    /// entry that is not 1, whose value then is the next of `values`.
    private record Part(
            long batch,
            KeyNumbers numbers,
            int[] starts,
            int[] columns,
            float[] values,
            double[] labels,
            float[] weights) {

        int rows() {
            return labels.length;
        }
    }

    private List<Part> read() throws IOException {
        Batches.Pass pass = batches.pass(0, 0);
        List<List<Part>> found = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            found.add(new ArrayList<>());
        }
        try {
            parallel.run(threads, thread -> {
                KeyNumbers numbers = new KeyNumbers();
                Batch batch = new Batch();
                try {
                    while (pass.next(batch)) {
                        found.get(thread).add(part(batch, numbers));
                        checkRoom(batch);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<Part> parts = new ArrayList<>();
        found.forEach(parts::addAll);
        parts.sort(Comparator.comparingLong(Part::batch));
        return parts;
    }

    private static Part part(Batch batch, KeyNumbers numbers) {
        int[] columnOf = new int[batch.keyCount()];
        for (int k = 0; k < columnOf.length; k++) {
            columnOf[k] = numbers.number(batch.keys()[k]);
        }
        int[] columns = new int[batch.entries()];
        float[] values = new float[batch.entries()];
        int kept = 0;
        for (int e = 0; e < columns.length; e++) {
            int column = columnOf[batch.positions()[e]];
            float value = batch.values()[e];
            columns[e] = value == 1 ? column : ~column;
            if (value != 1) {
                values[kept++] = value;
            }
        }
        return new Part(
                batch.number(),
                numbers,
                Arrays.copyOf(batch.starts(), batch.rows() + 1),
                columns,
                Arrays.copyOf(values, kept),
                Arrays.copyOf(batch.labels(), batch.rows()),
                Arrays.copyOf(batch.weights(), batch.rows()));
    }

    /// Stops early, with a guess at what the whole needs, rather than with an exhausted heap.
    private void checkRoom(Batch batch) {
        long total = entries.addAndGet(batch.entries());
        // Entries twice, as rows and as columns; about 6 numbers a row for the solver.
        long used = bytes.addAndGet(16L * batch.entries() + 72L * batch.rows());
        double progress = batches.progress();
        double needed = progress > 0.02 ? used / progress : used;
        if (needed > 0.95 * heapBytes || total > ENTRY_LIMIT) {
            double gigabytes = Math.max(needed, total > ENTRY_LIMIT ? 16.0 * total : 0) / 1e9;
            String limit = total > ENTRY_LIMIT
                    ? "a batch solver holds at most " + ENTRY_LIMIT + " entries"
                    : String.format("Java may use %.1f GB", heapBytes / 1e9);
            throw new IllegalArgumentException(String.format(
                    "a batch solver holds all data in memory, which needs about %.1f GB, but %s; "
                            + "use an online solver such as ftrl, or give Java more memory (-Xmx)",
                    gigabytes, limit));
        }
    }

    private Columns transpose(List<Part> parts) {
        long[] keys = allKeys(parts);
        KeyNumbers ranks = new KeyNumbers();
        for (long key : keys) {
            ranks.number(key);
        }
        List<KeyNumbers> dictionaries =
                parts.stream().map(Part::numbers).distinct().toList();
        List<int[]> rankOf = dictionaries.stream()
                .map(numbers ->
                        Arrays.stream(numbers.keys()).mapToInt(ranks::number).toArray())
                .toList();
        int pieces = Math.max(1, Math.min(threads, parts.size()));
        int[][] next = new int[pieces][keys.length];
        boolean[] valued = new boolean[keys.length];
        parallel.run(pieces, piece -> {
            for (Part part : slice(parts, piece, pieces)) {
                int[] rank = rankOf.get(dictionaries.indexOf(part.numbers()));
                for (int c : part.columns()) {
                    int j = rank[c < 0 ? ~c : c];
                    next[piece][j]++;
                    if (c < 0) {
                        valued[j] = true;
                    }
                }
            }
        });
        int[] starts = new int[keys.length + 1];
        int[] valueStarts = new int[keys.length + 1];
        for (int j = 0; j < keys.length; j++) {
            int at = starts[j];
            for (int[] counts : next) {
                int count = counts[j];
                counts[j] = at;
                at += count;
            }
            starts[j + 1] = at;
            valueStarts[j + 1] = valueStarts[j] + (valued[j] ? at - starts[j] : 0);
        }
        int[] firstRows = firstRows(parts);
        int rows = firstRows[parts.size()];
        int[] rowNumbers = new int[starts[keys.length]];
        float[] values = new float[valueStarts[keys.length]];
        double[] labels = new double[rows];
        float[] weights = new float[rows];
        parallel.run(pieces, piece -> {
            int partNumber = first(parts.size(), piece, pieces);
            for (Part part : slice(parts, piece, pieces)) {
                int row = firstRows[partNumber++];
                System.arraycopy(part.labels(), 0, labels, row, part.rows());
                System.arraycopy(part.weights(), 0, weights, row, part.rows());
                int[] rank = rankOf.get(dictionaries.indexOf(part.numbers()));
                int value = 0;
                for (int r = 0; r < part.rows(); r++) {
                    for (int e = part.starts()[r]; e < part.starts()[r + 1]; e++) {
                        int c = part.columns()[e];
                        int j = rank[c < 0 ? ~c : c];
                        int at = next[piece][j]++;
                        rowNumbers[at] = row + r;
                        if (valued[j]) {
                            values[valueStarts[j] + at - starts[j]] = c < 0 ? part.values()[value] : 1;
                        }
                        value += c < 0 ? 1 : 0;
                    }
                }
            }
        });
        return new Columns(keys, starts, rowNumbers, valueStarts, values, labels, weights);
    }

    private static long[] allKeys(List<Part> parts) {
        long[] keys = parts.stream()
                .map(Part::numbers)
                .distinct()
                .flatMapToLong(numbers -> Arrays.stream(numbers.keys()))
                .map(key -> key ^ Long.MIN_VALUE) // so that signed order is unsigned order
                .toArray();
        Arrays.sort(keys);
        int unique = 0;
        for (int k = 0; k < keys.length; k++) {
            if (k == 0 || keys[k] != keys[k - 1]) {
                keys[unique++] = keys[k];
            }
        }
        for (int k = 0; k < unique; k++) {
            keys[k] ^= Long.MIN_VALUE;
        }
        return Arrays.copyOf(keys, unique);
    }

    private static int[] firstRows(List<Part> parts) {
        int[] first = new int[parts.size() + 1];
        for (int p = 0; p < parts.size(); p++) {
            first[p + 1] = Math.addExact(first[p], parts.get(p).rows());
        }
        return first;
    }

    private static List<Part> slice(List<Part> parts, int piece, int pieces) {
        return parts.subList(first(parts.size(), piece, pieces), first(parts.size(), piece + 1, pieces));
    }

    private static int first(int count, int piece, int pieces) {
        return (int) ((long) count * piece / pieces);
    }
}
