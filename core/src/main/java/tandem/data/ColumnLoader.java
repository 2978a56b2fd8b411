package tandem.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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

    /// Reads the batches of one stream of all.
    public static Columns load(Batches batches, int stream, int streams) throws IOException {
        Batches.Pass pass = batches.pass(0, stream, streams);
        KeyNumbers numbers = new KeyNumbers();
        List<RowPart> parts = new ArrayList<>();
        for (Batch batch = new Batch(); pass.next(batch); ) {
            parts.add(RowPart.of(batch, numbers));
        }
        return new Transposition(parts, Parallel.SEQUENTIAL, 1).columns();
    }

    static Columns load(Batches batches, Parallel parallel, int threads, long heapBytes) throws IOException {
        ColumnLoader loader = new ColumnLoader(batches, parallel, threads, heapBytes);
        return new Transposition(loader.read(), parallel, threads).columns();
    }

    private List<RowPart> read() throws IOException {
        Batches.Pass pass = batches.pass(0, 0);
        List<List<RowPart>> found = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            found.add(new ArrayList<>());
        }
        try {
            parallel.run(threads, thread -> {
                KeyNumbers numbers = new KeyNumbers();
                Batch batch = new Batch();
                try {
                    while (pass.next(batch)) {
                        found.get(thread).add(RowPart.of(batch, numbers));
                        checkRoom(batch);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<RowPart> parts = new ArrayList<>();
        found.forEach(parts::addAll);
        parts.sort(Comparator.comparingLong(RowPart::batch));
        return parts;
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
}
