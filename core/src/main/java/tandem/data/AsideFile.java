package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file without a name beside a cache, for what is put [Aside]. Where none can be written it is held in memory. For
/// many threads.
final class AsideFile implements Closeable {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    private final Draft file;
    private long bytes;
    private boolean refused;

    /// @param beside  the cache
    /// @param instead what else one can do where there is no room for it
    AsideFile(Path beside, String instead) {
        file = new Draft(beside, "aside", FileChannel::open, instead);
    }

    /// Room for so many numbers.
    synchronized Aside room(int count) throws IOException {
        if (!isOpen()) {
            return Aside.held(count);
        }
        long start = bytes;
        bytes += (long) Double.BYTES * count;
        if (count > 0) {
            file.write(ByteBuffer.allocate(Double.BYTES), bytes - Double.BYTES); // what is before it is 0 as well
        }
        return new Stored(file, start);
    }

    private boolean isOpen() {
        if (refused) {
            return false;
        }
        try {
            file.open(true);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "scores are held in memory: {0}", e.getMessage());
            refused = true;
        }
        return !refused;
    }

    private record Stored(Draft file, long start) implements Aside {

        @Override
        public void read(long first, double[] into, int count) throws IOException {
            byte[] bytes = new byte[Double.BYTES * count];
            file.read(start + Double.BYTES * first, bytes, bytes.length);
            ByteBuffer.wrap(bytes).asDoubleBuffer().get(into, 0, count);
        }

        @Override
        public void write(long first, double[] from, int count) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * count);
            bytes.asDoubleBuffer().put(from, 0, count);
            file.write(bytes, start + Double.BYTES * first);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
