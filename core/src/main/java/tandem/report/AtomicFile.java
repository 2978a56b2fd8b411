package tandem.report;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
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

    /// Thrown through the writing: the content could not be made, and nothing is wrong with the file.
    private static final class Unmade extends IOException {

        private final IOException why;

        Unmade(IOException why) {
            super(why);
            this.why = why;
        }
    }

    /// Remembers whether writing was what failed.
    private static final class Watched extends FilterOutputStream {

        private boolean failed;

        Watched(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            failed = true;
            out.write(bytes, from, length);
            failed = false;
        }
    }

    /// Writes `content` to `file`, replacing what was there. A device or pipe is written directly. What `content`
    /// itself throws comes out as it is.
    public static void write(Path file, Content content) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    fill(out, content);
                }
            } else {
                replace(file, content);
            }
        } catch (Unmade e) {
            throw e.why;
        } catch (IOException e) {
            throw new IOException(file + " could not be written: " + reason(e), e);
        }
    }

    private static void fill(OutputStream place, Content content) throws IOException {
        Watched watched = new Watched(place);
        try {
            OutputStream out = new BufferedOutputStream(watched, 1 << 16);
            content.to(out);
            out.flush();
        } catch (IOException e) {
            throw watched.failed ? e : new Unmade(e);
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory; name a file");
        }
        Path part = Drafts.of(file);
        try {
            try (FileChannel channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                fill(Channels.newOutputStream(channel), content);
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
            case FileSystemException other when other.getReason() != null -> advised(other.getReason());
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : advised(e.getMessage());
        };
    }

    /// What the system says, and what to do where it says that there is no room, or that the place is a mount point:
    /// that of a file, or of a directory of the same file system, which nothing tells beforehand.
    private static String advised(String why) {
        boolean full = why.contains("No space left") || why.contains("quota exceeded");
        boolean mounted = why.contains("resource busy");
        return full
                ? why + "; delete something there, or choose another place"
                : mounted
                        ? why + "; a mount point cannot be replaced: choose another place, such as one below it"
                        : why;
    }
}
