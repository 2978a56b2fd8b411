package tandem.data;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/// One input: a file, or standard input. Gzip and zstd are recognised by their first bytes.
final class Source {

    private static final int BUFFER_BYTES = 1 << 16;

    private static InputStream latestInput;
    private static Source latest;

    private final String name;
    private final Path path;
    private InputStream standardInput;

    private Source(String name, Path path) {
        this.name = name;
        this.path = path;
    }

    static Source file(Path path) {
        return new Source(path.toString(), path);
    }

    /// Always the same object for the same stream: what has been looked at ahead must not be lost.
    static synchronized Source standardInput(InputStream in) {
        if (!in.equals(latestInput)) {
            latestInput = in;
            latest = new Source("standard input", null);
            latest.standardInput = in;
        }
        return latest;
    }

    /// What messages call it.
    String name() {
        return name;
    }

    /// Whether it can be read again.
    boolean isFile() {
        return path != null;
    }

    Path path() {
        return path;
    }

    /// Its size as stored, -1 for standard input.
    long storedBytes() throws IOException {
        return path == null ? -1 : Files.size(path);
    }

    /// The decompressed bytes; `read` counts the stored bytes consumed.
    InputStream open(AtomicLong read) throws IOException {
        if (path == null) {
            if (standardInput == null) {
                throw new IOException(
                        "standard input can be read only once; put the data in a file to pass over it again");
            }
            InputStream once = decompress(standardInput, read);
            standardInput = null;
            return once;
        }
        return decompress(Files.newInputStream(path), read);
    }

    /// The first decompressed bytes, at most `limit` of them; standard input can still be read from its start
    /// afterwards.
    byte[] peek(int limit) throws IOException {
        if (path != null) {
            try (InputStream in = open(new AtomicLong())) {
                return in.readNBytes(limit);
            }
        }
        BufferedInputStream in = new BufferedInputStream(open(new AtomicLong()), BUFFER_BYTES);
        in.mark(limit + 1);
        byte[] first = in.readNBytes(limit);
        in.reset();
        standardInput = in;
        return first;
    }

    private InputStream decompress(InputStream stored, AtomicLong read) throws IOException {
        BufferedInputStream in = new BufferedInputStream(new Counted(stored, read), BUFFER_BYTES);
        in.mark(4);
        byte[] head = in.readNBytes(4);
        in.reset();
        try {
            if (head.length >= 2 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b) {
                return new Named(name, new GZIPInputStream(in, BUFFER_BYTES));
            }
            boolean zstd = head.length == 4
                    && (head[0] & 0xff) == 0x28
                    && (head[1] & 0xff) == 0xb5
                    && (head[2] & 0xff) == 0x2f
                    && (head[3] & 0xff) == 0xfd;
            return new Named(name, zstd ? new ZstdInputStream(in) : in);
        } catch (IOException e) {
            in.close();
            throw Named.explain(name, e);
        }
    }

    /// Counts the bytes that pass.
    private static final class Counted extends FilterInputStream {

        private final AtomicLong read;

        Counted(InputStream in, AtomicLong read) {
            super(in);
            this.read = read;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value >= 0) {
                read.incrementAndGet();
            }
            return value;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                read.addAndGet(count);
            }
            return count;
        }
    }

    /// Says which input failed when one does.
    private static final class Named extends FilterInputStream {

        private final String name;

        Named(String name, InputStream in) {
            super(in);
            this.name = name;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            try {
                return super.read(bytes, from, length);
            } catch (IOException e) {
                throw explain(name, e);
            }
        }

        static IOException explain(String name, IOException e) {
            return new IOException(
                    name + ": reading stopped (" + e.getMessage()
                            + "); the file is damaged or incomplete, get it again or decompress it by hand",
                    e);
        }
    }
}
