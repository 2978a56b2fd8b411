package tandem.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import tandem.report.Drafts;

/// A directory that appears whole or not at all: filled beside its place, forced to disk, then renamed.
///
/// Replacing takes two renames, the old one away and the new one in. Who is stopped between the two finds
/// the old one as `.NAME.PID.old`.
final class NewDirectory implements Closeable {

    private final Path place;
    private final Path part;
    private final Path old;

    private NewDirectory(Path target, long owner) throws IOException {
        place = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
        Files.createDirectories(place.getParent());
        part = Drafts.of(place, owner);
        old = place.resolveSibling("." + place.getFileName() + "." + owner + ".old");
    }

    /// An empty directory beside the place where it will be.
    static NewDirectory besides(Path target) throws IOException {
        return besides(target, ProcessHandle.current().pid());
    }

    /// The same where another process stands for it: it is of use as long as that runs.
    static NewDirectory besides(Path target, long owner) throws IOException {
        NewDirectory fresh = new NewDirectory(target, owner);
        Drafts.delete(fresh.part);
        Files.createDirectory(fresh.part);
        return fresh;
    }

    /// The one that was begun before, by a process that is no more and for which `owner` stands.
    static NewDirectory again(Path target, long owner) throws IOException {
        return new NewDirectory(target, owner);
    }

    /// Whether it has been put in its place.
    boolean isPublished() {
        return !Files.exists(part);
    }

    /// Where it is filled.
    Path path() {
        return part;
    }

    /// Puts it in its place.
    void publish() throws IOException {
        force(part);
        swap(part, place, old);
        Drafts.delete(old);
    }

    /// Deletes what was not published.
    @Override
    public void close() throws IOException {
        Drafts.delete(part);
    }

    private static void swap(Path part, Path place, Path old) throws IOException {
        if (Files.exists(place)) {
            Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
            try {
                Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                Files.move(old, place, StandardCopyOption.ATOMIC_MOVE);
                throw e;
            }
        } else {
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
        }
        force(place.getParent());
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
