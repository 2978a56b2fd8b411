package tandem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tandem.report.AtomicFile;
import tandem.wire.Codec;
import tandem.wire.Limits;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.ProtocolError;

/// A file of a checkpoint: the rows of one shard with all that their rule remembers of them, as frames of the wire. Its
/// name follows from its numbers, so it cannot lead out of the checkpoint's directory.
record ShardFile(int table, int shard, long bytes, String sha256) {

    /// Which shard of which table.
    record Place(int table, int shard) {

        String file() {
            return String.format(Locale.ROOT, "shard-%04d-%05d.rows", table, shard);
        }

        Path in(Path directory) {
            return directory.resolve(file());
        }
    }

    Place place() {
        return new Place(table, shard);
    }

    /// Writes the rows of a shard into `directory` and forces them to disk.
    static ShardFile write(Path directory, Place place, List<Part> rows) throws IOException {
        MessageDigest sum = sha256Digest();
        long bytes = 0;
        Path file = place.in(directory);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int p = 0; p < rows.size(); p++) {
                Message.Copy copy = new Message.Copy(rows.get(p), p + 1 == rows.size());
                ByteBuffer frame = ByteBuffer.allocate(Math.toIntExact(Codec.length(copy)));
                Codec.encode(copy, frame);
                sum.update(frame.flip().duplicate());
                bytes += frame.remaining();
                while (frame.hasRemaining()) {
                    channel.write(frame);
                }
            }
            channel.force(true);
        } catch (IOException e) {
            throw new IOException(file + " could not be written: " + AtomicFile.reason(e), e);
        }
        return new ShardFile(place.table, place.shard, bytes, HexFormat.of().formatHex(sum.digest()));
    }

    /// Shows the rows of a shard that [#write] wrote.
    static void read(Path directory, Place place, Consumer<Part> rows) throws IOException {
        Path file = place.in(directory);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            read(channel, place, rows);
        } catch (IOException | ProtocolError e) {
            throw new IOException("the checkpoint's file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    static void read(SeekableByteChannel channel, Place place, Consumer<Part> rows) throws IOException {
        boolean ended = false;
        while (!ended) {
            Message message = Codec.decode(frame(channel), Limits.DEFAULT);
            if (!(message instanceof Message.Copy(Part part, boolean last))
                    || part.table() != place.table
                    || part.shard() != place.shard) {
                throw new IOException("it holds something else");
            }
            rows.accept(part);
            ended = last;
        }
        if (channel.position() != channel.size()) {
            throw new IOException("it goes on after its end");
        }
    }

    private static ByteBuffer frame(SeekableByteChannel channel) throws IOException {
        ByteBuffer header = filled(channel, Codec.HEADER);
        int length = Codec.frameLength(header, Limits.DEFAULT);
        if (length - Codec.HEADER > channel.size() - channel.position()) {
            throw new IOException("it is cut short");
        }
        ByteBuffer frame = ByteBuffer.allocate(length).put(header);
        return frame.put(filled(channel, length - Codec.HEADER)).flip();
    }

    private static ByteBuffer filled(SeekableByteChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("it is cut short");
            }
        }
        return buffer.flip();
    }

    /// The SHA-256 of a file, as hexadecimal text.
    static String sha256(Path file) throws IOException {
        MessageDigest sum = sha256Digest();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 18);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                sum.update(buffer.flip());
            }
        }
        return HexFormat.of().formatHex(sum.digest());
    }

    static MessageDigest sha256Digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Refuses a file that is not what it was when it was written.
    static void verify(Path file, long bytes, String sha256) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file.getFileName() + " is missing");
        }
        if (Files.size(file) != bytes || !sha256(file).equals(sha256)) {
            throw new IOException(file.getFileName() + " is damaged: it is not what was written");
        }
    }
}
