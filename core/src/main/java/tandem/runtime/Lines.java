package tandem.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import tandem.report.Json;

/// Records that two processes of one user send each other over a socket, each a line of JSON. One thread reads; any
/// may send.
final class Lines implements AutoCloseable {

    private static final int LEAST_BYTES = 1 << 12;

    /// No record is anywhere near as long.
    private static final int MOST_BYTES = 1 << 24;

    private final SocketChannel channel;
    private ByteBuffer read = ByteBuffer.allocate(LEAST_BYTES).limit(0);

    Lines(SocketChannel channel) {
        this.channel = channel;
    }

    /// Sends a record, whole.
    synchronized void send(Object what) throws IOException {
        byte[] json = Json.bytes(what);
        ByteBuffer line =
                ByteBuffer.allocate(json.length + 1).put(json).put((byte) '\n').flip();
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    /// The next record; null if the other side has gone.
    <T> T next(Class<T> type) throws IOException {
        int searched = read.position();
        while (true) {
            for (; searched < read.limit(); searched++) {
                if (read.get(searched) == '\n') {
                    byte[] line = Arrays.copyOfRange(read.array(), read.position(), searched);
                    read.position(searched + 1);
                    return Json.read(line, type);
                }
            }
            int known = read.remaining();
            makeRoom();
            int count = channel.read(read);
            read.flip();
            if (count < 0) {
                return null;
            }
            searched = known;
        }
    }

    /// Leaves the buffer ready to be read into, after what it holds.
    private void makeRoom() throws IOException {
        if (read.remaining() > MOST_BYTES) {
            throw new IOException("a line of more than " + MOST_BYTES + " bytes");
        }
        ByteBuffer room = read.remaining() * 2 > read.capacity()
                ? ByteBuffer.allocate(2 * read.capacity()).put(read)
                : read.compact();
        read = room;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
