package tandem.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the processes of a run share: a directory among temporary files, for as long as the process that made it. It
/// holds a lock in it, so that one whose process was killed is told from others, and goes when the next is made.
public final class RunDirectory implements AutoCloseable {

    /// Until it is locked it has a name that says which process makes it.
    private static final String UNLOCKED = "tandem-new-";

    private static final Pattern MAKER = Pattern.compile(UNLOCKED + "(\\d{1,18})-.*");

    private static final String LOCKED = "tandem-run-";
    private static final String LOCK = "owner";

    /// Those of this process: to open its lock and close it again would give up the lock.
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    public RunDirectory() throws IOException {
        this(Path.of(System.getProperty("java.io.tmpdir")));
    }

    RunDirectory(Path parent) throws IOException {
        Path fresh = Files.createTempDirectory(
                parent, UNLOCKED + ProcessHandle.current().pid() + "-");
        sweep(parent, Files.getOwner(fresh));
        path = parent.resolve(LOCKED + fresh.getFileName().toString().substring(UNLOCKED.length()));
        OWN.add(path);
        lock = FileChannel.open(fresh.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lock.lock();
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    }

    public Path path() {
        return path;
    }

    /// Removes those of the same user whose process is gone.
    private static void sweep(Path parent, UserPrincipal user) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, "{" + LOCKED + "," + UNLOCKED + "}*")) {
            for (Path one : all) {
                if (!OWN.contains(one)
                        && Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(one, LinkOption.NOFOLLOW_LINKS).equals(user)
                        && isLeft(one)) {
                    remove(one);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // Somebody else removes it, or may.
            System.getLogger("tandem.runtime")
                    .log(System.Logger.Level.DEBUG, "{0} was not swept: {1}", parent, e.getMessage());
        }
    }

    private static boolean isLeft(Path directory) throws IOException {
        String name = directory.getFileName().toString();
        if (name.startsWith(UNLOCKED)) {
            Matcher maker = MAKER.matcher(name);
            return maker.matches()
                    && ProcessHandle.of(Long.parseLong(maker.group(1))).isEmpty();
        }
        try (FileChannel lock = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this process looks at it
        }
    }

    /// Deletes a directory and all that is in it.
    public static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            remove(path);
        } finally {
            lock.close();
            OWN.remove(path);
        }
    }
}
