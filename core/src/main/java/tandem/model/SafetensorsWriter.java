package tandem.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/// Writes a safetensors file front to back: the header first, then each tensor in its order. One thread.
final class SafetensorsWriter implements Closeable {

    private final FileChannel channel;
    private final MessageDigest digest = Checksum.sha256();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 18).order(ByteOrder.LITTLE_ENDIAN);
    private long bytes;

    SafetensorsWriter(Path file, Safetensors header) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        byte[] text = header.encode();
        buffer.putLong(text.length);
        for (byte b : text) {
            room(1).put(b);
        }
    }

    void number(long value) throws IOException {
        room(8).putLong(value);
    }

    void longs(long[] values, int from, int until) throws IOException {
        for (int i = from; i < until; i++) {
            room(8).putLong(values[i]);
        }
    }

    void weights(double[] values, int from, int until, Precision precision) throws IOException {
        for (int i = from; i < until; i++) {
            switch (precision) {
                case F32 -> room(4).putFloat((float) values[i]);
                case F64 -> room(8).putDouble(values[i]);
            }
        }
    }

    void floats(float[] values) throws IOException {
        for (float value : values) {
            room(4).putFloat(value);
        }
    }

    /// Forces all to disk and gives the SHA-256 of the file.
    String finish() throws IOException {
        drain();
        channel.force(true);
        return Checksum.hex(digest.digest());
    }

    long bytes() {
        return bytes;
    }

    private ByteBuffer room(int wanted) throws IOException {
        if (buffer.remaining() < wanted) {
            drain();
        }
        return buffer;
    }

    private void drain() throws IOException {
        buffer.flip();
        digest.update(buffer.duplicate());
        while (buffer.hasRemaining()) {
            bytes += channel.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
