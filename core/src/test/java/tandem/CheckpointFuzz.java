package tandem;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import tandem.wire.Codec;
import tandem.wire.ProtocolError;

/// Whatever the bytes, a checkpoint is read or refused with a message.
class CheckpointFuzz {

    private static Path empty;

    @FuzzTest(maxDuration = "30s")
    void checkpoint(byte[] bytes) {
        ByteBuffer made = ByteBuffer.allocate(bytes.length + 2 * Long.BYTES)
                .putInt(Checkpoint.MAGIC)
                .putInt(Checkpoint.VERSION)
                .put(bytes);
        CRC32C crc = new CRC32C();
        crc.update(made.array(), 0, made.position());
        made.putLong(crc.getValue());
        try {
            Checkpoint.read(new ByteArrayInputStream(made.array()), made.capacity());
        } catch (IOException expected) {
            // A message about the file.
        }
    }

    /// What a checkpoint of servers says of itself, over a directory that has none of its files.
    @FuzzTest(maxDuration = "30s")
    void manifest(byte[] bytes) throws IOException {
        if (empty == null) {
            empty = Files.createTempDirectory("checkpoint");
            empty.toFile().deleteOnExit();
        }
        try {
            Manifest.decode(bytes).verify(empty);
        } catch (IOException expected) {
            // A message about the file.
        }
    }

    /// The rows of a shard; versions and checksums are made right, as someone who crafts a file would.
    @FuzzTest(maxDuration = "30s")
    void shard(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0, length; bytes.length - at >= Codec.HEADER; at += length) {
            length = all.getInt(at + 4);
            if (length < Codec.HEADER || length > bytes.length - at) {
                break;
            }
            bytes[at + 8] = Codec.VERSION;
            CRC32C crc = new CRC32C();
            crc.update(bytes, at + 4, length - 4);
            all.putInt(at, (int) crc.getValue());
        }
        try {
            ShardFile.read(new Bytes(ByteBuffer.wrap(bytes)), new ShardFile.Place(0, 0), _ -> {});
        } catch (IOException | ProtocolError expected) {
            // A message about the file.
        }
    }

    /// A file in memory.
    private record Bytes(ByteBuffer all) implements SeekableByteChannel {

        @Override
        public int read(ByteBuffer into) {
            int count = Math.min(into.remaining(), all.remaining());
            into.put(into.position(), all, all.position(), count).position(into.position() + count);
            all.position(all.position() + count);
            return count == 0 && into.hasRemaining() ? -1 : count;
        }

        @Override
        public long position() {
            return all.position();
        }

        @Override
        public long size() {
            return all.limit();
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SeekableByteChannel position(long to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SeekableByteChannel truncate(long to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
