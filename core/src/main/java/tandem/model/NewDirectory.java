package tandem.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tandem.report.Drafts;

/// A directory that appears whole or not at all: filled beside its place, forced to disk, then renamed. Renaming fails
/// if anything is in the place, so of two that come at once one is first.
///
/// Replacing takes two renames, the old one away and the new one in. Who is stopped between the two finds
/// the old one as `.NAME.PID.old`.
final class NewDirectory implements Closeable {

    /// Those that this process fills.
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    /// How often to rename where nothing is in the way: others may replace what is there at the same time.
    private static final int TRIES = 10;

    private final Path place;
    private final Path part;
    private final Path old;

    private NewDirectory(Path target, long owner, int number) throws IOException {
        place = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
        Files.createDirectories(place.getParent());
        part = Drafts.of(place, owner, number);
        old = part.resolveSibling(part.getFileName().toString().replaceAll("part$", "old"));
    }

    /// An empty directory beside the place where it will be.
    static NewDirectory besides(Path target) throws IOException {
        return besides(target, ProcessHandle.current().pid());
    }

    /// The same where another process stands for it: it is of use as long as that runs.
    static NewDirectory besides(Path target, long owner) throws IOException {
        int number = 1;
        NewDirectory fresh = new NewDirectory(target, owner, number);
        while (!OPEN.add(fresh.part)) {
            fresh = new NewDirectory(target, owner, ++number);
        }
        try {
            Drafts.delete(fresh.part);
            Files.createDirectory(fresh.part);
        } catch (IOException e) {
            OPEN.remove(fresh.part);
            throw e;
        }
        return fresh;
    }

    /// The one that was begun before, by a process that is no more and for which `owner` stands.
    static NewDirectory again(Path target, long owner) throws IOException {
        return new NewDirectory(target, owner, 1);
    }

    /// Whether it has been put in its place.
    boolean isPublished() {
        return !Files.exists(part);
    }

    /// Where it will be.
    Path place() {
        return place;
    }

    /// Where it is filled.
    Path path() {
        return part;
    }

    /// Puts it in its place, or beside that if there is something by now that it must not replace; gives where it is.
    Path publish(boolean overwrite) throws IOException {
        force(part);
        boolean in = moved(place);
        while (!in && overwrite && ModelDirectory.isReplaceable(place)) {
            in = replaced();
        }
        Path at = in ? place : beside();
        force(place.getParent());
        return at;
    }

    /// Deletes what was not published.
    @Override
    public void close() throws IOException {
        Drafts.delete(part);
        OPEN.remove(part);
    }

    /// False if another came in before it.
    private boolean replaced() throws IOException {
        try {
            Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return moved(place); // another has taken it away
        }
        boolean in;
        try {
            in = moved(place);
        } catch (IOException e) {
            Files.move(old, place, StandardCopyOption.ATOMIC_MOVE);
            throw e;
        }
        Drafts.delete(old);
        return in;
    }

    /// Under the first free name like `NAME-2`.
    private Path beside() throws IOException {
        for (int n = 2; ; n++) {
            Path free = place.resolveSibling(place.getFileName() + "-" + n);
            if (!Files.exists(free, LinkOption.NOFOLLOW_LINKS) && moved(free)) {
                return free;
            }
        }
    }

    /// Renames what is filled; false if something is there already.
    private boolean moved(Path to) throws IOException {
        for (int left = TRIES; ; left--) {
            try {
                Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
                return true;
            } catch (FileSystemException e) {
                if (isTaken(to)) {
                    return false;
                }
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    /// Whether there is more than an empty directory.
    static boolean isTaken(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.findAny().isPresent();
        } catch (NoSuchFileException e) {
            return Files.exists(place, LinkOption.NOFOLLOW_LINKS);
        } catch (NotDirectoryException e) {
            return true;
        }
    }

    /// Makes names in `directory` last through a power cut, where the system can.
    private static void force(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            System.getLogger("tandem.model")
                    .log(System.Logger.Level.DEBUG, "{0} cannot be forced to disk: {1}", directory, e.getMessage());
        }
    }
}
