package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;

/// Builds a cache: reads the text, shuffles the rows, packs them, and only then puts the file in its place, so that
/// a cache is whole or absent however many build it at once.
final class CacheBuilder {

    /// Most memory that rows take while they are shuffled; a small heap gives less.
    private static final long SHUFFLE_BYTES = 256L << 20;

    /// The part of the work that reading is, for the progress shown.
    private static final double READING = 0.7;

    private final Data data;
    private final List<Source> sources;
    private final DoubleConsumer progress;
    private final int threads;
    private final long memoryBytes;
    private final Draft.Opening opening;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private Draft draft;
    private long written;
    private long[] starts = new long[1 << 10];
    private int[] lengths = new int[1 << 10];
    private int batches;
    private long packed;

    CacheBuilder(Data data, List<Source> sources, DoubleConsumer progress, int threads) {
        this(
                data,
                sources,
                progress,
                threads,
                Math.min(SHUFFLE_BYTES, Runtime.getRuntime().maxMemory() / 8),
                FileChannel::open);
    }

    /// Files are opened by `opening`, so that a test can see to it that writing fails.
    CacheBuilder(
            Data data,
            List<Source> sources,
            DoubleConsumer progress,
            int threads,
            long memoryBytes,
            Draft.Opening opening) {
        this.data = data;
        this.sources = sources;
        this.progress = progress;
        this.threads = threads;
        this.memoryBytes = memoryBytes;
        this.opening = opening;
    }

    /// Builds the cache at `target`.
    void build(Path target) throws IOException {
        List<CacheHeader.Input> inputs = CacheHeader.inputs(data, sources);
        try (Draft spill = new Draft(target, "rows", opening);
                Draft cache = new Draft(target, "draft", opening);
                Reading reading = Reading.whole(data, sources)) {
            // Found out before the data is read, which may take long.
            cache.open(false);
            Scatter scatter = new Scatter(data.seed(), bucketBits(), memoryBytes, spill);
            read(reading, scatter);
            Labels labels = reading.labels();
            draft = cache;
            cache.write(CacheFile.magic(), 0);
            written = CacheFile.MAGIC_BYTES;
            pack(reading, scatter, labels);
            CacheHeader header = new CacheHeader(
                    inputs,
                    CacheHeader.settings(data),
                    data.seed(),
                    data.batchRows(),
                    reading.rows(),
                    labels,
                    reading.skipped());
            cache.write(
                    CacheFile.end(header, Arrays.copyOf(starts, batches), Arrays.copyOf(lengths, batches), written),
                    written);
            cache.become(target);
        }
    }

    private void read(Reading reading, Scatter scatter) throws IOException {
        Crew.Work work = () -> {
            Reading.Reader reader = reading.new Reader();
            while (!stopped.get() && reader.next()) {
                scatter.add(reader.rows);
                progress.accept(READING * reading.progress());
            }
        };
        Crew.run(threads, work, () -> stopped.set(true));
    }

    private void pack(Reading reading, Scatter scatter, Labels labels) throws IOException {
        Gather gather = new Gather(scatter, data.batchRows(), Math.max(1 << 20, memoryBytes / 2));
        Crew.Work work = () -> {
            Rows rows = new Rows();
            Batch batch = new Batch();
            Packer packer = new Packer(data.hashBits(), data.format().hashes());
            for (long number; !stopped.get() && (number = gather.next(rows)) >= 0; ) {
                reading.code(rows, labels);
                packer.pack(rows, 0, rows.count, number, batch);
                write(batch);
                progress.accept(READING + (1 - READING) * packed / Math.max(1, reading.rows()));
            }
        };
        Crew.run(threads, work, () -> stopped.set(true));
    }

    private void write(Batch batch) throws IOException {
        long room = BatchCodec.roomFor(batch);
        if (room > Integer.MAX_VALUE - 64) {
            throw new BadData("a batch of " + batch.rows() + " rows has " + batch.entries()
                    + " entries, more than a batch can hold; use fewer rows a batch");
        }
        byte[] bytes = batch.scratch((int) room);
        int length = BatchCodec.encode(batch, bytes);
        draft.write(ByteBuffer.wrap(bytes, 0, length), claim(Math.toIntExact(batch.number()), length, batch.rows()));
    }

    private synchronized long claim(int batch, int length, int rows) {
        if (batch >= starts.length) {
            int room = Math.max(batch + 1, starts.length * 2);
            starts = Arrays.copyOf(starts, room);
            lengths = Arrays.copyOf(lengths, room);
        }
        starts[batch] = written;
        lengths[batch] = length;
        batches = Math.max(batches, batch + 1);
        packed += rows;
        written += length;
        return starts[batch];
    }

    /// Enough buckets for one to be a good deal smaller than memory; the result does not depend on it.
    private int bucketBits() throws IOException {
        long total = 0;
        for (Source source : sources) {
            if (!source.isFile()) {
                return 10;
            }
            // Text may be compressed, up to about ten times.
            total += 10 * source.storedBytes();
        }
        int bits = 0;
        while (bits < 12 && total >>> bits > Math.max(1 << 16, memoryBytes / 8)) {
            bits++;
        }
        return bits;
    }
}
