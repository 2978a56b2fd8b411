package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import tandem.math.Hash;

/// Packs the rows of one part, which come as blocks of a [RowBuffer], into a cache file of its own. The file depends on
/// the rows alone, not on the order in which they come.
public final class PartFile {

    /// Most memory that rows take while they are shuffled; a small heap gives less.
    private static final long SHUFFLE_BYTES = 128L << 20;

    private PartFile() {}

    /// @param rows how many there are
    public static void write(Path target, int part, PartTerms terms, long rows, Iterator<byte[]> blocks)
            throws IOException {
        long memory = Math.min(SHUFFLE_BYTES, Runtime.getRuntime().maxMemory() / 16);
        long seed = Hash.number(terms.seed(), part);
        try (Draft spill = new Draft(target, "rows", FileChannel::open);
                Draft draft = new Draft(target, "draft", FileChannel::open)) {
            draft.open(false);
            Scatter scatter = new Scatter(seed, bits(rows, terms, memory), memory, spill);
            Rows some = new Rows();
            while (blocks.hasNext()) {
                some.clear();
                RowBuffer.read(blocks.next(), some);
                scatter.add(some);
            }
            pack(draft, scatter, part, terms, rows, memory);
            draft.become(target);
        }
    }

    /// Packs the rows of all parts, in the same order wherever that is done, for workers that have some features of all
    /// rows.
    public static void writeAll(Path target, PartTerms terms, Iterator<byte[]> blocks) throws IOException {
        write(target, 0, terms.whole(), terms.rows(), blocks);
    }

    private static void pack(Draft draft, Scatter scatter, int part, PartTerms terms, long rows, long memory)
            throws IOException {
        Gather gather = new Gather(scatter, Integer.MAX_VALUE, Math.max(1 << 20, memory / 2));
        Packer packer = new Packer(terms.hashBits(), terms.hashes());
        Rows some = new Rows();
        Batch batch = new Batch();
        long[] starts = new long[terms.batches()];
        int[] lengths = new int[terms.batches()];
        draft.write(CacheFile.magic(), 0);
        long written = CacheFile.MAGIC_BYTES;
        int most = 0;
        for (int b = 0; b < starts.length; b++) {
            int wanted = (int) (share(rows, b + 1, starts.length) - share(rows, b, starts.length));
            gather.next(some, wanted);
            if (some.count < wanted) {
                throw new IOException("rows of this part are missing: it had " + rows + " when they were counted; is"
                        + " the data being changed?");
            }
            most = Math.max(most, wanted);
            LabelSet.code(some, terms.labels());
            packer.pack(some, 0, some.count, terms.number(part, b), batch);
            byte[] bytes = batch.scratch(Math.toIntExact(BatchCodec.roomFor(batch)));
            starts[b] = written;
            lengths[b] = BatchCodec.encode(batch, bytes);
            draft.write(ByteBuffer.wrap(bytes, 0, lengths[b]), written);
            written += lengths[b];
        }
        CacheHeader header = new CacheHeader(
                List.of(), "a part", scatter.seed, Math.max(1, most), rows, terms.labels(), Skipped.NONE);
        draft.write(CacheFile.end(header, starts, lengths, written), written);
    }

    private static long share(long rows, long batch, long batches) {
        return Math.floorDiv(Math.multiplyExact(rows, batch), batches);
    }

    /// Enough buckets for one to be a good deal smaller than memory; the result does not depend on it.
    private static int bits(long rows, PartTerms terms, long memory) {
        long bytes = rows * (28 + 8 * Math.max(1, terms.entries() / Math.max(1, terms.rows())));
        int bits = 0;
        while (bits < 12 && bytes >>> bits > Math.max(1 << 16, memory / 8)) {
            bits++;
        }
        return bits;
    }

    /// The first rows of a part as a batch, from a block.
    static void sample(byte[] block, PartTerms terms, Batch into) {
        Rows rows = new Rows();
        RowBuffer.read(block, rows);
        LabelSet.code(rows, terms.labels());
        new Packer(terms.hashBits(), terms.hashes()).pack(rows, 0, rows.count, 0, into);
    }

    /// The rows of blocks as batches, one each, for who only wants to score them.
    public static Batches.Pass pass(Iterator<byte[]> blocks, PartTerms terms) {
        return into -> {
            byte[] block;
            synchronized (blocks) {
                if (!blocks.hasNext()) {
                    return false;
                }
                block = blocks.next();
            }
            sample(block, terms, into);
            return true;
        };
    }

    /// The part as a worker has it, whose stream it is.
    public static Batches open(Path file, int part, PartTerms terms) throws IOException {
        return new PartBatches(Batches.open(file), part, terms);
    }
}
