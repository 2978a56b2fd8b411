package tandem.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleConsumer;

/// The cache of some data in a directory: found there, or built, and built again if it turns out to be damaged.
final class Cache {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    private final Data data;
    private final List<Source> sources;
    private final Path path;
    private final boolean again;

    Cache(Data data, List<Source> sources, Path directory) {
        this.data = data;
        this.sources = sources;
        again = sources.stream().allMatch(Source::isFile);
        String name = CacheHeader.name(data, sources);
        // What came from standard input is never found again, so its cache goes when it is closed.
        path = directory.resolve(
                again ? name : Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-" + name);
    }

    boolean isValid() throws IOException {
        CacheFile.Opened found = again ? find() : null;
        if (found != null) {
            found.file().close();
        }
        return found != null;
    }

    Batches open(DoubleConsumer progress, int threads) throws IOException {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads; building a cache needs at least 1");
        }
        CacheFile.Opened found = again ? find() : null;
        if (found == null) {
            new CacheBuilder(data, sources, progress, threads).build(path);
            found = again ? CacheFile.open(path) : CacheFile.open(path, StandardOpenOption.DELETE_ON_CLOSE);
        }
        return new CachedBatches(path, found, (damaged, what) -> rebuilt(damaged, what, threads));
    }

    /// The cache if it is there, whole and made from the data as it is now; otherwise null.
    private CacheFile.Opened find() throws IOException {
        CacheFile.Opened opened;
        if (!Files.exists(path)) {
            return null;
        }
        try {
            opened = CacheFile.open(path);
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the cache {0} cannot be used ({1}); the data is read again",
                    path,
                    e.getMessage());
            return null;
        }
        CacheHeader header = opened.header();
        if (header.inputs().equals(CacheHeader.inputs(data, sources))
                && header.settings().equals(CacheHeader.settings(data))
                && header.seed() == data.seed()
                && header.batchRows() == data.batchRows()) {
            return opened;
        }
        opened.file().close();
        LOG.log(System.Logger.Level.INFO, "the cache {0} is built again: the data has changed", path);
        return null;
    }

    /// The cache built anew after `what` was found wrong with it. What a cache holds depends on the data alone, so a
    /// pass can go on where it was.
    private CacheFile.Opened rebuilt(CacheFile.Opened damaged, String what, int threads) throws IOException {
        String found = path + ": the cache is damaged (" + what + ")";
        if (!again) {
            throw new IOException(found + ", and standard input cannot be read again; run the command again");
        }
        if (!damaged.header().inputs().equals(CacheHeader.inputs(data, sources))) {
            throw new IOException(found + ", and the data has changed since it was made; run the command again");
        }
        LOG.log(System.Logger.Level.WARNING, "{0}; it is built again", found);
        new CacheBuilder(data, sources, at -> {}, threads).build(path);
        CacheFile.Opened built = CacheFile.open(path);
        if (built.starts().length != damaged.starts().length) {
            built.file().close();
            throw new IOException(found + " and was made from other data; run the command again");
        }
        return built;
    }
}
