package tandem.data;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;

/// Batches straight from text: nothing is kept, every pass reads and packs again, in the order of the data.
///
/// A batch never spans two chunks, so it does not depend on the number of threads; its number is that of
/// its chunk times 2²⁰ plus its place in it, and ascends with the data.
final class TextBatches implements Batches {

    private final Data data;
    private final List<Source> sources;
    private volatile Reading reading;

    /// The first pass, once somebody has looked at it; its thread is whoever starts passes.
    private TextPass begun;

    TextBatches(Data data, List<Source> sources) {
        this.data = data;
        this.sources = sources;
    }

    @Override
    public Pass pass(int number, long skip) throws IOException {
        TextPass pass = begun != null ? begun : begin();
        begun = null;
        pass.leaveOut(skip);
        return pass;
    }

    /// Begins the pass, so that it can be given out though the text can be read only once.
    @Override
    public Pass look() throws IOException {
        begun = begin();
        TextPass first = begun;
        boolean[] over = {false};
        return into -> {
            boolean more = !over[0] && first.look(into);
            over[0] = true;
            return more;
        };
    }

    private TextPass begin() throws IOException {
        close();
        reading = Reading.once(data, sources);
        return new TextPass(reading);
    }

    @Override
    public Labels labels() {
        return reading == null ? Labels.NONE : reading.labels();
    }

    @Override
    public long rows() {
        return -1;
    }

    @Override
    public long count() {
        return -1;
    }

    @Override
    public double progress() {
        return reading == null ? 0 : reading.progress();
    }

    @Override
    public Skipped skipped() {
        return reading == null ? Skipped.NONE : reading.skipped();
    }

    @Override
    public void close() throws IOException {
        if (reading != null) {
            reading.close();
        }
    }

    /// A chunk being handed out batch by batch.
    private final class Block {

        private final Reading.Reader reader;
        private final Packer packer = new Packer(data.hashBits(), data.format().hashes());
        private int batch;
        private int batches;

        Block(Reading reading) {
            reader = reading.new Reader();
        }

        boolean refill() throws IOException {
            boolean filled = reader.next();
            batch = 0;
            batches = filled ? (reader.rows.count + data.batchRows() - 1) / data.batchRows() : 0;
            return filled;
        }

        void pack(Batch into) throws BadData {
            int from = (int) ((long) reader.rows.count * batch / batches);
            int to = (int) ((long) reader.rows.count * (batch + 1) / batches);
            packer.pack(reader.rows, from, to, (reader.chunkNumber << 20) + batch, into);
            batch++;
        }
    }

    /// Blocks wait in two stacks between calls, so there are never more than there are threads calling.
    private final class TextPass implements Pass {

        private final Reading reading;
        private final ArrayDeque<Block> open = new ArrayDeque<>();
        private final ArrayDeque<Block> empty = new ArrayDeque<>();
        private volatile boolean paused;

        TextPass(Reading reading) {
            this.reading = reading;
        }

        /// Fills in the first batch, before anyone has claimed one, and keeps it.
        boolean look(Batch into) throws IOException {
            Block block = new Block(reading);
            boolean more = block.refill();
            if (more) {
                block.pack(into);
                block.batch = 0;
            }
            put(block);
            return more;
        }

        void leaveOut(long skip) throws IOException {
            long left = skip;
            while (left > 0) {
                Block block = take();
                if (block.batch == block.batches && !block.refill()) {
                    return;
                }
                block.batch = (int) Math.min(left, block.batches);
                left -= block.batch;
                put(block);
            }
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void goOn() {
            paused = false;
        }

        @Override
        public boolean next(Batch into) throws IOException {
            Block block = take();
            if (block.batch == block.batches && (paused || !block.refill())) {
                put(block);
                return false;
            }
            block.pack(into);
            put(block);
            return true;
        }

        private Block take() {
            synchronized (this) {
                Block block = open.isEmpty() ? empty.poll() : open.pop();
                if (block != null) {
                    return block;
                }
            }
            return new Block(reading);
        }

        private synchronized void put(Block block) {
            (block.batch == block.batches ? empty : open).push(block);
        }
    }
}
