package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Cuts inputs into chunks of whole lines. Shared by the reading threads: only cutting (and
/// decompressing) happens under its lock, parsing does not.
final class Chunks implements Closeable {

    static final int CHUNK_BYTES = 1 << 20;

    /// The longest line that is still read.
    static final int LONGEST_LINE_BYTES = 1 << 28;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final List<Source> sources;
    private final long totalBytes;
    private final AtomicLong read = new AtomicLong();
    private final int chunkBytes;
    private final int longestBytes;
    private InputStream in;
    private int fileNumber = -1;
    private long line;
    private long number;
    private byte[] carry = new byte[0];
    private int carried;

    Chunks(List<Source> sources, int chunkBytes) throws IOException {
        this(sources, chunkBytes, LONGEST_LINE_BYTES);
    }

    /// Refuses lines longer than about `longestBytes`.
    Chunks(List<Source> sources, int chunkBytes, int longestBytes) throws IOException {
        this.sources = sources;
        this.chunkBytes = chunkBytes;
        this.longestBytes = longestBytes;
        long total = 0;
        for (Source source : sources) {
            long bytes = source.storedBytes();
            total = bytes < 0 || total < 0 ? -1 : total + bytes;
        }
        totalBytes = total;
    }

    Chunk chunk() {
        return new Chunk(chunkBytes);
    }

    /// How much of the inputs has been read, from 0 to 1; NaN when their size is unknown.
    double progress() {
        return totalBytes < 0 ? Double.NaN : totalBytes == 0 ? 1 : (double) read.get() / totalBytes;
    }

    /// Fills `into` with the next lines; false when there are no more.
    synchronized boolean next(Chunk into) throws IOException {
        while (in != null || open()) {
            if (fill(into)) {
                return true;
            }
        }
        return false;
    }

    private boolean open() throws IOException {
        if (fileNumber + 1 >= sources.size()) {
            return false;
        }
        in = sources.get(++fileNumber).open(read);
        line = 1;
        carried = 0;
        return true;
    }

    private boolean fill(Chunk into) throws IOException {
        if (into.bytes.length < carried + 1) {
            into.grow(2 * carried);
        }
        System.arraycopy(carry, 0, into.bytes, 0, carried);
        int filled = carried;
        int searched = 0;
        int end;
        boolean last;
        while (true) {
            int room = into.bytes.length - 1 - filled;
            int count = in.readNBytes(into.bytes, filled, room);
            filled += count;
            last = count < room;
            end = afterLastLineFeed(into.bytes, searched, filled);
            if (last || end > 0) {
                break;
            }
            searched = filled;
            if (into.bytes.length >= longestBytes) {
                throw new BadData(name() + ":" + line + ": the line is longer than " + (longestBytes >> 20)
                        + " MB; rows end with a line feed, so this may not be a text file");
            }
            into.grow(2 * into.bytes.length);
        }
        if (last) {
            in.close();
            in = null;
            if (filled > 0 && into.bytes[filled - 1] != '\n') {
                into.bytes[filled++] = '\n';
            }
            end = filled;
        }
        keep(into.bytes, end, filled);
        into.from = line == 1 && startsWithByteOrderMark(into.bytes, end) ? 3 : 0;
        into.to = end;
        into.file = name();
        into.fileNumber = fileNumber;
        into.firstLine = line;
        if (end == 0) {
            return false;
        }
        into.number = number++;
        line += lineFeeds(into.bytes, end);
        return true;
    }

    private void keep(byte[] bytes, int from, int to) {
        carried = to - from;
        if (carry.length < carried) {
            carry = new byte[2 * carried];
        }
        System.arraycopy(bytes, from, carry, 0, carried);
    }

    private String name() {
        return sources.get(fileNumber).name();
    }

    private static boolean startsWithByteOrderMark(byte[] bytes, int end) {
        return end >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
    }

    private static int afterLastLineFeed(byte[] bytes, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    /// Counts line feeds eight bytes at a time: this runs under the lock.
    static int lineFeeds(byte[] bytes, int to) {
        int others = 0;
        int at = 0;
        for (; at + 8 <= to; at += 8) {
            long x = (long) WORD.get(bytes, at) ^ 0x0a0a0a0a0a0a0a0aL;
            long nonZero = ((x & 0x7f7f7f7f7f7f7f7fL) + 0x7f7f7f7f7f7f7f7fL) | x;
            others += Long.bitCount(nonZero & 0x8080808080808080L);
        }
        int count = at - others;
        for (; at < to; at++) {
            count += bytes[at] == '\n' ? 1 : 0;
        }
        return count;
    }

    @Override
    public synchronized void close() throws IOException {
        fileNumber = sources.size();
        if (in != null) {
            in.close();
            in = null;
        }
    }
}
