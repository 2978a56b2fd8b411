package tandem.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tandem.report.AtomicFile;
import tandem.runtime.RunDirectory;

/// Standard input as a file, for data that is read more than once: in a directory of its own, which goes when
/// the program ends.
final class StandardInput {

    private static final String NAME = "-";

    private Path directory;

    /// A directory of somebody else, who clears up; null for one of its own.
    private Path lent;

    /// Has the copy in a directory that others with the same standard input use too, one after the other: the first
    /// makes it.
    void keepIn(Path other) {
        lent = other;
    }

    /// Where the copy is, and what is made from it may be; null if standard input was not named.
    Path directory() {
        return directory;
    }

    /// `paths` with standard input, if it is among them, replaced by a copy.
    List<String> copied(List<String> paths) throws IOException {
        List<String> copied = new ArrayList<>(paths);
        int at = copied.indexOf(NAME);
        if (at < 0) {
            return paths;
        }
        if (directory != null || at != copied.lastIndexOf(NAME)) {
            throw new IllegalArgumentException("standard input (-) is named twice; it can be read only once");
        }
        directory = lent != null ? lent : Files.createTempDirectory("tandem-");
        if (lent == null) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
        }
        Path file = directory.resolve("standard-input");
        try {
            if (!Files.exists(file)) {
                AtomicFile.write(file, System.in::transferTo);
            }
        } catch (IOException e) {
            throw new IOException(
                    "standard input could not be kept in " + file + ": " + e.getMessage()
                            + "; make room, or put the data in a file and name that",
                    e);
        }
        copied.set(at, file.toString());
        return copied;
    }

    private void remove() {
        try {
            RunDirectory.remove(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
