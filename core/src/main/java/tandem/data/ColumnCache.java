package tandem.data;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// The cache of a stream's columns beside that of the batches they are made from: found there, or built, and built
/// again if it turns out to be damaged.
final class ColumnCache {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    private final CachedBatches data;
    private final ColumnHeader.Made made;
    private final long[] firsts;
    private final long memoryBytes;
    private final Path path;

    /// Batches without a name are never found again, so neither are their columns.
    private final boolean again;

    /// @param firsts the first key of each block
    ColumnCache(CachedBatches data, ColumnHeader.Made made, long[] firsts, long memoryBytes) {
        this.data = data;
        this.made = made;
        this.firsts = firsts;
        this.memoryBytes = memoryBytes;
        again = Files.exists(data.file());
        path = data.file()
                .resolveSibling(data.file().getFileName() + "." + (made.stream() + 1) + "-of-" + made.streams() + "."
                        + made.blocks() + "-blocks.columns");
    }

    ColumnFile open() throws IOException {
        ColumnFile found = again ? find() : null;
        return found == null ? build() : found;
    }

    /// For what goes with the columns.
    AsideFile aside() {
        return new AsideFile(path, Draft.COLUMNS);
    }

    private ColumnFile build() throws IOException {
        new ColumnBuilder(made, firsts, memoryBytes, FileChannel::open)
                .build(data.pass(0, made.stream(), made.streams()), path);
        return again ? ColumnFile.open(path) : ColumnFile.open(path, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /// The cache if it is there, whole and made from the batches as they are now; otherwise null.
    private ColumnFile find() throws IOException {
        if (!Files.exists(path)) {
            return null;
        }
        ColumnFile opened;
        try {
            opened = ColumnFile.open(path);
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the cache of columns {0} cannot be used ({1}); it is built again",
                    path,
                    e.getMessage());
            return null;
        }
        if (opened.header().made().equals(made)) {
            return opened;
        }
        opened.close();
        LOG.log(System.Logger.Level.INFO, "the cache of columns {0} is built again: the data has changed", path);
        return null;
    }

    /// The cache built anew after `what` was found wrong with it. What it holds depends on the batches alone, so
    /// whoever reads it can go on where it was.
    ColumnFile repaired(ColumnFile damaged, String what) throws IOException {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: the cache of columns is damaged ({1}); it is built again",
                path,
                what);
        ColumnFile built = build();
        if (!Arrays.equals(built.header().columns(), damaged.header().columns())) {
            built.close();
            throw new IOException(path + ": the cache of columns is damaged (" + what
                    + ") and was made from other data; run the command again");
        }
        return built;
    }
}
