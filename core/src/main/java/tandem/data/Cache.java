package tandem.data;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleConsumer;

/// Finds the cache of some data in a directory, or builds it.
final class Cache {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    private Cache() {}

    static boolean isValid(Data data, List<Source> sources, Path directory) throws IOException {
        if (!sources.stream().allMatch(Source::isFile)) {
            return false;
        }
        try (CachedBatches found = find(data, sources, directory.resolve(CacheHeader.name(data, sources)))) {
            return found != null;
        }
    }

    static Batches open(Data data, List<Source> sources, Path directory, DoubleConsumer progress, int threads)
            throws IOException {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads; building a cache needs at least 1");
        }
        String name = CacheHeader.name(data, sources);
        boolean again = sources.stream().allMatch(Source::isFile);
        // What came from standard input is never found again, so its cache goes when it is closed.
        Path path = directory.resolve(
                again ? name : Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-" + name);
        if (again) {
            CachedBatches found = find(data, sources, path);
            if (found != null) {
                return found;
            }
        }
        try {
            new CacheBuilder(data, sources, progress, threads).build(path);
        } catch (AccessDeniedException e) {
            throw new IOException(
                    directory + ": the cache cannot be written there (permission denied);"
                            + " choose another directory with --cache DIR, or read without one with --cache off",
                    e);
        } catch (FileSystemException e) {
            throw new IOException(
                    directory + ": the cache cannot be written there (" + e.getReason() + ");"
                            + " choose another directory with --cache DIR, or read without one with --cache off",
                    e);
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("No space left")) {
                throw new IOException(
                        directory + ": the disk is full, so the cache cannot be written; free some space, choose"
                                + " another directory with --cache DIR, or read without one with --cache off",
                        e);
            }
            throw e;
        }
        return again
                ? new CachedBatches(path, CacheFile.open(path))
                : new CachedBatches(path, CacheFile.open(path, StandardOpenOption.DELETE_ON_CLOSE));
    }

    /// The cache at `path` if it is there, whole and made from the data as it is now; otherwise null.
    private static CachedBatches find(Data data, List<Source> sources, Path path) throws IOException {
        CacheFile.Opened opened;
        try {
            opened = CacheFile.open(path);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.INFO, "the cache {0} is built again: {1}", path, e.getMessage());
            return null;
        }
        CacheHeader header = opened.header();
        if (header.inputs().equals(CacheHeader.inputs(data, sources))
                && header.settings().equals(CacheHeader.settings(data))
                && header.seed() == data.seed()
                && header.batchRows() == data.batchRows()) {
            return new CachedBatches(path, opened);
        }
        opened.file().close();
        LOG.log(System.Logger.Level.INFO, "the cache {0} is built again: the data has changed", path);
        return null;
    }
}
