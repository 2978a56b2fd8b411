package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// One reading of the text from start to end: chunks go in, rows come out. Shared by the reading threads.
final class Reading implements Closeable {

    private final Data data;
    private final List<Source> sources;
    private final Chunks chunks;
    private final WeightFile weights;
    private final Faults faults;
    private final LabelBook book = new LabelBook();
    private final LabelReader.Naming naming;
    private final AtomicLong rows = new AtomicLong();
    private final ChunkOrder order = new ChunkOrder();
    private final List<TableParser.Layout> layouts;
    private int atWork;
    private boolean over;

    /// Whether the rows to come have no weights; only in use under the lock of the weights.
    private boolean unweighed;

    private Reading(Data data, List<Source> sources, boolean named) throws IOException {
        this.data = data;
        naming = named ? book::write : Reading::refuse;
        this.sources = sources;
        layouts = data.format() instanceof Format.Table(Schema schema) ? layouts(schema) : List.of();
        chunks = new Chunks(sources, Chunks.CHUNK_BYTES);
        weights = data.weights() == null ? null : new WeightFile(Sources.file(data.weights()));
        faults = new Faults(data.badLines());
    }

    /// How the columns stand in each file; a file may have them in another order under its header.
    private List<TableParser.Layout> layouts(Schema schema) throws IOException {
        List<TableParser.Layout> layouts = new ArrayList<>();
        Fields fields = new Fields();
        for (Source source : sources) {
            byte[] first = Detect.head(source, Detect.FIRST_BYTES, 1);
            try {
                fields.split(first, 0, (byte) schema.delimiter());
                layouts.add(TableParser.layout(schema, data.labelRule(), fields.texts(first)));
            } catch (BadLine | IllegalArgumentException e) {
                throw new BadData(source.name() + ":1: " + e.getMessage());
            }
        }
        return layouts;
    }

    /// For batches at once: labels are what batches carry, so names that are not expected are refused.
    static Reading once(Data data, List<Source> sources) throws IOException {
        return new Reading(data, sources, false);
    }

    /// For batches later: names of labels are collected first.
    static Reading whole(Data data, List<Source> sources) throws IOException {
        return new Reading(data, sources, true);
    }

    private static double refuse(String name) throws BadLine {
        throw new NamedLabel(name);
    }

    /// One thread's part in the reading.
    final class Reader {

        final Rows rows = new Rows();
        long chunkNumber;
        private final Chunk chunk = chunks.chunk();
        private final Parser parser = parser();

        /// Reads the next chunk that has rows; false when there are none left.
        boolean next() throws IOException {
            do {
                rows.clear();
                if (!begin(chunk, parser)) {
                    return false;
                }
                chunkNumber = chunk.number;
                boolean done = false;
                try {
                    if (chunk.unweighed != null) {
                        throw chunk.unweighed;
                    }
                    parser.parse(chunk, rows, faults);
                    book.note(rows);
                    book.check();
                    data.part().keep(rows);
                    book.learn(rows);
                    done = true;
                } catch (IOException e) {
                    order.failed(chunkNumber, e);
                } finally {
                    finish(rows.count, done);
                    order.finished(chunkNumber);
                }
                if (!done) {
                    throw order.first(chunkNumber);
                }
            } while (rows.count == 0);
            return true;
        }
    }

    private Parser parser() {
        LabelReader labels = new LabelReader(data.labelRule(), naming);
        return switch (data.format()) {
            case Format.LibSvm() -> new LibSvmParser(labels);
            case Format.Criteo(long seed) ->
                new CriteoParser(seed, !(data.labelRule() instanceof LabelRule.Ignore), labels);
            case Format.Table(Schema schema) -> new TableParser(schema, layouts, labels);
            case Format.Unknown _ -> throw new IllegalStateException("the format has not been found out");
        };
    }

    private boolean begin(Chunk chunk, Parser parser) throws IOException {
        synchronized (this) {
            if (over) {
                return false;
            }
            atWork++;
        }
        boolean found = false;
        try {
            found = weights == null ? chunks.next(chunk) : weighed(chunk, parser);
        } finally {
            if (!found) {
                finish(0, true);
            }
        }
        if (!found) {
            requireRows();
        }
        return found;
    }

    /// Takes a chunk and the weights of its rows, which come in the same order, one after the other. After a wrong
    /// weight there is nothing more to take.
    private boolean weighed(Chunk chunk, Parser parser) throws IOException {
        synchronized (weights) {
            if (unweighed) {
                return false;
            }
            unweighed = true;
            if (chunks.next(chunk)) {
                try {
                    weights.fill(chunk, parser);
                    unweighed = false;
                } catch (IOException e) {
                    chunk.unweighed = e;
                }
                return true;
            }
            weights.end();
            return false;
        }
    }

    private synchronized void finish(int count, boolean done) {
        atWork--;
        rows.addAndGet(count);
        over |= !done;
    }

    /// Whoever comes last finds out whether there was anything at all.
    private synchronized void requireRows() throws BadData {
        if (atWork == 0 && rows.get() == 0 && !over) {
            over = true;
            String names =
                    sources.getFirst().name() + (sources.size() == 1 ? "" : " and " + (sources.size() - 1) + " more");
            long skipped = faults.skipped().count();
            throw new BadData(names + ": no examples"
                    + (data.part().isAll()
                            ? " in it"
                            : " in this part of it (" + data.part().from() + " to "
                                    + data.part().until() + " of the rows)")
                    + (skipped == 0
                            ? ""
                            : ", and " + skipped + " bad lines were skipped, the first: "
                                    + faults.skipped().examples().getFirst())
                    + "; name a file that holds at least one");
        }
    }

    double progress() {
        return chunks.progress();
    }

    /// How many rows have been read so far.
    long rows() {
        return rows.get();
    }

    /// Replaces labels as read by those that a batch carries, once `labels` are all there are.
    void code(Rows rows, Labels labels) {
        if (data.labelRule() instanceof LabelRule.Collect) {
            book.code(rows, labels);
        }
    }

    /// The labels so far.
    Labels labels() {
        return data.labelRule() instanceof LabelRule.Expect(Labels labels) ? labels : book.labels();
    }

    Skipped skipped() {
        return faults.skipped();
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            over = true;
        }
        chunks.close();
        if (weights != null) {
            weights.close();
        }
    }
}
