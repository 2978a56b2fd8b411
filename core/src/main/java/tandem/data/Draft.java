package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// A file that is written beside the cache while that is built: under a name that nobody else has, and gone when it
/// is closed unless it has become something. Written and read by position, by many threads.
///
/// Whoever writes one holds a lock on it. One without a lock was left behind by a process that was killed, on this
/// machine or another that shares the directory, and goes when the next one for the same target is opened.
final class Draft implements Closeable {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    /// How files are opened.
    @FunctionalInterface
    interface Opening {
        FileChannel open(Path path, Set<OpenOption> options) throws IOException;
    }

    /// What else one can do where a cache cannot be written: one of any kind, of batches, or of columns.
    static final String ELSEWHERE = "choose another directory with --cache DIR, or ";

    private static final String BATCHES =
            ELSEWHERE + "for one pass of ftrl in one process, read without one with --cache off";

    static final String COLUMNS = ELSEWHERE + "hold columns in memory with --columns-in memory";

    /// The same for what is beside a model while that is filled.
    static final String PARTS = "choose another place for the model, beside which these are, with --model DIR,"
            + " or train without --placement";

    static final String PLACES = PARTS + " parsa";

    private final Path directory;
    private final Pattern others;
    private final Path path;
    private final Opening opening;
    private final String instead;
    private FileChannel file;

    /// A draft of kind `kind` for `target`; nothing is written yet.
    Draft(Path target, String kind, Opening opening) {
        this(target, kind, opening, BATCHES);
    }

    /// @param instead what else one can do where it cannot be written
    Draft(Path target, String kind, Opening opening, String instead) {
        directory = target.toAbsolutePath().getParent();
        long pid = ProcessHandle.current().pid();
        // A lock that this process holds would be lost if it looked at the file.
        others = Pattern.compile(Pattern.quote(target.getFileName() + ".") + "(?!" + pid + "-)\\d+-[0-9a-f]+\\.draft");
        path = target.resolveSibling(target.getFileName() + "." + pid + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "." + kind);
        this.opening = opening;
        this.instead = instead;
    }

    /// Opens the file, if it is not open, with the directories above it. A `temporary` one has no name from then on,
    /// so that it is gone however the process ends.
    synchronized void open(boolean temporary) throws IOException {
        if (file != null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            Set<OpenOption> options = new LinkedHashSet<>(
                    List.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
            if (temporary) {
                options.add(StandardOpenOption.DELETE_ON_CLOSE);
            }
            file = opening.open(path, options);
        } catch (IOException e) {
            throw unwritable(e);
        }
        if (!temporary) {
            isFree(file);
            sweep();
        }
    }

    private void sweep() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path other : files) {
                if (others.matcher(other.getFileName().toString()).matches()) {
                    sweep(other);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // No reason not to write: who does is told if there is one.
            LOG.log(System.Logger.Level.DEBUG, "{0} was not swept: {1}", directory, e.getMessage());
        }
    }

    private static void sweep(Path other) throws IOException {
        try (FileChannel left = FileChannel.open(other, StandardOpenOption.WRITE)) {
            // An empty one may not have its lock yet.
            if (left.size() > 0 && isFree(left)) {
                Files.deleteIfExists(other);
            }
        }
    }

    /// Takes the lock of a file, if nobody has it; it is given back when the file is closed.
    private static boolean isFree(FileChannel file) {
        try {
            return file.tryLock() != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    void write(ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        try {
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /// Reads `length` bytes from `offset` into `bytes`.
    void read(long offset, byte[] bytes, int length) throws IOException {
        read(offset, bytes, 0, length);
    }

    /// The same, to `bytes` from `at` on.
    void read(long offset, byte[] bytes, int at, int length) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(bytes, at, length);
        while (into.hasRemaining()) {
            int count = file.read(into, offset + into.position() - at);
            if (count < 0) {
                throw new IOException(
                        path + ": the file is shorter than what was written to it; was it changed by another program?");
            }
        }
    }

    /// Puts the file, which is whole now, in its place.
    void become(Path target) throws IOException {
        try {
            file.force(false);
            Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            file.close();
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private IOException unwritable(IOException e) {
        String why = switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException exists -> exists.getFile() + " is a file, not a directory";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getMessage();
        };
        return new IOException(
                directory + ": the cache cannot be written there (" + why + "); make room or allow it, " + instead, e);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            Files.deleteIfExists(path);
        }
    }
}
