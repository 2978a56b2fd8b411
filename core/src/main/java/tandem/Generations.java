package tandem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tandem.report.AtomicFile;
import tandem.report.Drafts;

/// The checkpoints of a run on servers and workers, each a directory that appears whole or not at all: filled under
/// another name, forced to disk, then renamed.
///
/// @param directory where they are
/// @param keep      how many of them, at most
record Generations(Path directory, int keep) {

    private static final Pattern NAME = Pattern.compile("generation-(\\d{6,18})");
    private static final Pattern DRAFT = Pattern.compile("\\.generation-\\d{6,18}\\.(part|old)");

    /// A checkpoint that was found whole.
    record Found(Path directory, Manifest manifest) {}

    static Path place(Path directory, long number) {
        return directory.resolve(String.format(Locale.ROOT, "generation-%06d", number));
    }

    /// Where a checkpoint is filled.
    static Path draft(Path directory, long number) {
        return directory.resolve(String.format(Locale.ROOT, ".generation-%06d.part", number));
    }

    /// The numbers of those that are there, the newest first.
    List<Long> numbers() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.parseLong(name.group(1)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /// Makes an empty draft, and removes those of runs that were killed.
    Path begin(long number) throws IOException {
        try {
            Files.createDirectories(directory);
            sweep();
            return Files.createDirectory(draft(directory, number));
        } catch (FileAlreadyExistsException e) {
            throw new IOException(directory + " is not a directory; name another place with --checkpoint", e);
        } catch (IOException e) {
            throw new IOException(directory + " cannot be written to: " + AtomicFile.reason(e), e);
        }
    }

    private void sweep() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (DRAFT.matcher(file.getFileName().toString()).matches()) {
                    Drafts.delete(file);
                }
            }
        }
    }

    /// Removes a draft that came to nothing.
    void abandon(long number) throws IOException {
        Drafts.delete(draft(directory, number));
    }

    /// Makes a draft the newest checkpoint, and removes those that are too many.
    void publish(long number, Manifest manifest) throws IOException {
        Path draft = draft(directory, number);
        manifest.write(draft);
        force(draft);
        Files.move(draft, place(directory, number), StandardCopyOption.ATOMIC_MOVE);
        force(directory);
        List<Long> there = numbers();
        for (long old : there.subList(Math.min(keep, there.size()), there.size())) {
            remove(old);
        }
    }

    /// Takes it away under another name first, so that there is never half of one.
    private void remove(long number) throws IOException {
        Path aside = directory.resolve("." + place(directory, number).getFileName() + ".old");
        Drafts.delete(aside);
        Files.move(place(directory, number), aside, StandardCopyOption.ATOMIC_MOVE);
        Drafts.delete(aside);
    }

    /// The newest one that is whole. Of those that are not it says why, and that an earlier one is taken.
    Found newest(Consumer<String> note) throws IOException {
        List<String> damages = new ArrayList<>();
        for (long number : numbers()) {
            Path there = place(directory, number);
            try {
                Found found = new Found(there, Manifest.read(there));
                damages.forEach(note);
                return found;
            } catch (IOException e) {
                String why = e instanceof NoSuchFileException missing
                        ? Path.of(missing.getFile()).getFileName() + " is missing"
                        : e.getMessage();
                damages.add("the checkpoint " + there + " cannot be used: " + why + ". The one before it is");
            }
        }
        throw new IOException(
                damages.isEmpty()
                        ? "there is no checkpoint in " + directory + " to go on from; train without --resume"
                        : damages.getFirst().replace(". The one before it is", "") + ", and there is no other; remove "
                                + directory + " and train anew");
    }

    /// Removes all of a run that is over.
    void forget() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        sweep();
        for (long number : numbers()) {
            remove(number);
        }
        try (Stream<Path> others = Files.list(directory)) {
            if (others.findAny().isEmpty()) {
                Files.delete(directory);
            }
        }
    }

    /// The same file under another directory: by its name only, or as a copy where that is not possible, as between
    /// two disks.
    static void link(Path file, Path directory) throws IOException {
        Path to = directory.resolve(file.getFileName());
        try {
            Files.createLink(to, file);
        } catch (UnsupportedOperationException | FileSystemException e) {
            Files.copy(file, to);
            force(to);
        }
    }

    static void writeForced(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    /// Makes a file, or the names in a directory, last through a power cut.
    private static void force(Path there) throws IOException {
        try (FileChannel channel = FileChannel.open(there, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
