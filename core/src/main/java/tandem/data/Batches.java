package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// Data that can be read batch by batch, as often as there are passes (a stream: once).
public interface Batches extends Closeable {

    /// Starts pass `number` (from 0). Its order of batches depends only on the data, the seed and
    /// `number`; the first `skip` batches of that order are left out, to resume an interrupted pass.
    Pass pass(int number, long skip) throws IOException;

    /// A look at the first batches of the first pass, of a stream at one, which will still give them out.
    default Pass look() throws IOException {
        return pass(0, 0);
    }

    /// The batches of pass `number` that belong to `stream`: of the order of the whole pass, every `streams`-th from
    /// there on. Only data in a cache can be cut so.
    default Pass pass(int number, int stream, int streams) throws IOException {
        throw new IOException("data that is read straight from text cannot be cut into streams; use the cache");
    }

    /// The same of an order that has no regard for parts which rows were cut into: streams get batches of any part.
    default Pass acrossParts(int number, int stream, int streams) throws IOException {
        return pass(number, stream, streams);
    }

    /// Batches `from` until `to` of the order of pass `number`. Only data in a cache can be cut so.
    default Pass range(int number, long from, long to) throws IOException {
        throw new IOException("data that is read straight from text cannot be cut into ranges; use the cache");
    }

    /// The rows of a stream, as in [#pass(int, int, int)] for the first pass, by columns, which are cut into blocks.
    ///
    /// @param firsts the first key of each block
    default BlockColumns columns(int stream, int streams, long[] firsts, ColumnUse use) throws IOException {
        return BlockColumns.held(ColumnLoader.load(this, stream, streams), firsts);
    }

    /// Room in memory for batches that are needed again and again, for all workers of a process together.
    default Room room() {
        return new Room(0);
    }

    /// Room for numbers that go with batches that there is no room for; it goes when these are closed.
    default Aside aside(int count) throws IOException {
        return Aside.held(count);
    }

    /// The cache file they come from, for others to [#open]; null for a stream.
    default Path file() {
        return null;
    }

    /// The batches of a cache file that another process has built.
    static Batches open(Path cache) throws IOException {
        return new CachedBatches(cache, CacheFile.open(cache), (_, what) -> {
            throw new IOException(
                    cache + ": the cache is damaged (" + what + "); train again, and it will be built anew");
        });
    }

    /// The same text for two cache files only if they hold the same batches in the same order, wherever they were
    /// built. Reads a few bytes of each batch.
    static String fingerprint(Path cache) throws IOException {
        CacheFile.Opened opened = CacheFile.open(cache);
        try (var _ = opened.file()) {
            return opened.fingerprint();
        }
    }

    /// What the labels are. Complete from the start for a cache, at the end of its pass for a stream.
    Labels labels();

    /// How many rows there are, or -1 while that is not known.
    long rows();

    /// How many batches a pass has, or -1 while that is not known.
    long count();

    /// How far reading has come in this pass, from 0 to 1; NaN where it cannot be known (standard input).
    double progress();

    /// The bad lines passed over: while the cache was built, or so far in this pass of a stream.
    Skipped skipped();

    /// One pass, shared by all threads that work on it.
    @FunctionalInterface
    interface Pass {

        /// Claims the next batch and fills `into`; false when the pass is over. Safe to call from many threads.
        boolean next(Batch into) throws IOException;

        /// Asks for an end that the pass can be resumed after: [#next] still gives out what is missing from the
        /// first batches of the pass, then false. Safe from any thread.
        default void pause() {}

        /// Takes [#pause] back.
        default void goOn() {}
    }
}
