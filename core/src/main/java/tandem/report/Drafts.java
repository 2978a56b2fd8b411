package tandem.report;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is written beside its place before it is put there: `.NAME.PID.part`, a file or a directory of files. One
/// whose process was killed is of no use to anybody, and goes when the next one for the same place is made.
public final class Drafts {

    private static final String END = ".part";

    private Drafts() {}

    /// Where this process writes what is for `target`, once those that were left behind are gone.
    public static Path of(Path target) {
        return of(target, ProcessHandle.current().pid(), 1);
    }

    /// The same where another process stands for it: the draft is of use as long as that runs.
    ///
    /// @param number from 1 on, where a process has several drafts for one place: `.NAME.PID.2.part` is the second
    public static Path of(Path target, long owner, int number) {
        Path place = target.toAbsolutePath();
        String start = "." + place.getFileName() + ".";
        sweep(place.getParent(), Pattern.compile(Pattern.quote(start) + "(\\d{1,18})(\\.\\d+)?" + Pattern.quote(END)));
        return place.resolveSibling(start + owner + (number == 1 ? "" : "." + number) + END);
    }

    private static void sweep(Path directory, Pattern names) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Matcher name = names.matcher(file.getFileName().toString());
                if (name.matches() && !isAlive(Long.parseLong(name.group(1)))) {
                    delete(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // No reason not to write: who does is told if there is one.
            System.getLogger("tandem.report")
                    .log(System.Logger.Level.DEBUG, "{0} was not swept: {1}", directory, e.getMessage());
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    /// Deletes a file, or a directory of plain files, if it is there.
    public static void delete(Path draft) throws IOException {
        if (Files.isDirectory(draft)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(draft)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        }
        Files.deleteIfExists(draft);
    }
}
