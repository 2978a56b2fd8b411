package tandem.bench;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tandem.data.Clicks;

/// A folder for the data of one benchmark, removed at the end.
public final class Workspace implements Closeable {

    private final Path folder;

    public Workspace(Path parent) throws IOException {
        Files.createDirectories(parent);
        folder = Files.createTempDirectory(parent, "tandem-bench").toAbsolutePath();
        // Gigabytes should not stay behind when the benchmark is interrupted.
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
    }

    public Path folder() {
        return folder;
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    /// LIBSVM text of `clicks`, made at the first call.
    public Path clicks(String name, Clicks clicks, Notes notes) throws IOException {
        Path file = file(name);
        if (!Files.exists(file)) {
            notes.progress("generating %,d rows".formatted(clicks.rows()));
            clicks.write(file, Runtime.getRuntime().availableProcessors(), rows -> {});
        }
        return file;
    }

    /// A text file that other tools can read: `file` itself, or what is packed in it.
    Path plain(Path file) throws IOException {
        if (!file.toString().endsWith(".gz")) {
            return file.toAbsolutePath();
        }
        Path plain = file(file.getFileName().toString().replaceAll("\\.gz$", ""));
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16)) {
            Files.copy(in, plain);
        }
        return plain;
    }

    /// The same examples in Vowpal Wabbit's text format: labels -1 and 1, then a bar.
    Path vowpal(Path libsvm) throws IOException {
        Path file = libsvm.resolveSibling(libsvm.getFileName() + ".vw");
        if (Files.exists(file)) {
            return file;
        }
        try (InputStream in = Files.newInputStream(libsvm);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            byte[] buffer = new byte[1 << 16];
            boolean lineStart = true;
            for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    if (lineStart) {
                        out.write((buffer[i] == '1' ? "1 |" : "-1 |").getBytes(StandardCharsets.US_ASCII));
                    } else {
                        out.write(buffer[i]);
                    }
                    lineStart = buffer[i] == '\n';
                }
            }
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    private void remove() {
        try {
            close();
        } catch (IOException e) {
            System.err.println(
                    "tandem: " + folder + " could not be removed (" + e.getMessage() + "); remove it by hand");
        }
    }
}
