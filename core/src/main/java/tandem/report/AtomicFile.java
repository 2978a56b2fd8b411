package tandem.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// A file that is there whole or not at all: written beside its place, forced to disk, then renamed.
public final class AtomicFile {

    /// What writes the content.
    @FunctionalInterface
    public interface Content {
        void to(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /// Writes `content` to `file`, replacing what was there. A device or pipe is written directly.
    public static void write(Path file, Content content) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                    content.to(out);
                }
            } else {
                replace(file, content);
            }
        } catch (IOException e) {
            throw new IOException(file + " could not be written: " + reason(e), e);
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory; name a file");
        }
        Path name = file.toAbsolutePath().getFileName();
        Path part = file.toAbsolutePath()
                .resolveSibling("." + name + "." + ProcessHandle.current().pid() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
                content.to(out);
                out.flush();
                channel.force(true);
            }
            move(part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// What went wrong, in words: the system's exceptions often say only the path.
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "its directory does not exist; make it first";
            case AccessDeniedException denied -> "no permission; choose another place";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
