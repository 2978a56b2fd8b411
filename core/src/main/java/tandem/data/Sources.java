package tandem.data;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds the inputs that names stand for: files, directories, globs, and `-` for standard input.
final class Sources {

    private Sources() {}

    static List<Source> find(List<String> names) throws IOException {
        List<Source> found = new ArrayList<>();
        for (String name : names) {
            if (name.equals("-")) {
                found.add(Source.standardInput(System.in));
                continue;
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                found.addAll(inDirectory(path));
            } else if (!Files.exists(path) && isGlob(name)) {
                found.addAll(matching(name));
            } else {
                found.add(readable(path));
            }
        }
        return found;
    }

    /// The one file called `name`.
    static Source file(String name) throws IOException {
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            throw new IOException(path + ": this is a directory; name a file");
        }
        return readable(path);
    }

    private static Source readable(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new IOException(path + ": there is no such file; check the name" + nearby(path));
        }
        if (!Files.isReadable(path)) {
            throw new IOException(path + ": the file may not be read; allow it with chmod u+r, or run as its owner");
        }
        return Source.file(path);
    }

    /// Files directly in `directory`, in the order of their names; hidden ones and markers such as `_SUCCESS` do not
    /// count.
    private static List<Source> inDirectory(Path directory) throws IOException {
        if (!Files.isReadable(directory)) {
            throw new IOException(directory + ": the directory may not be read; allow it with chmod u+rx");
        }
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (Files.isRegularFile(entry) && !name.startsWith(".") && !name.startsWith("_")) {
                    paths.add(entry);
                }
            }
        }
        if (paths.isEmpty()) {
            throw new IOException(directory
                    + ": the directory holds no data files (hidden names and names starting with _ do not"
                    + " count); name a file, or another directory");
        }
        return sorted(paths);
    }

    private static boolean isGlob(String name) {
        return name.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
    }

    private static List<Source> matching(String glob) throws IOException {
        Path pattern = Path.of(glob);
        Path base = pattern.isAbsolute() ? pattern.getRoot() : Path.of("");
        int plain = 0;
        while (plain < pattern.getNameCount() - 1
                && !isGlob(pattern.getName(plain).toString())) {
            base = base.resolve(pattern.getName(plain++));
        }
        List<Path> paths = new ArrayList<>();
        if (Files.isDirectory(base)) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
            int depth = glob.contains("**") ? Integer.MAX_VALUE : pattern.getNameCount() - plain;
            try (Stream<Path> walk = Files.walk(base, depth)) {
                walk.filter(path -> Files.isRegularFile(path) && matcher.matches(path))
                        .forEach(paths::add);
            }
        }
        if (paths.isEmpty()) {
            throw new IOException(glob + ": no file has such a name; check the pattern, and quote it from the shell");
        }
        return sorted(paths);
    }

    private static List<Source> sorted(List<Path> paths) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Path path : paths.stream().sorted().toList()) {
            sources.add(readable(path));
        }
        return sources;
    }

    private static String nearby(Path path) {
        Path directory = path.toAbsolutePath().getParent();
        return directory != null && !Files.isDirectory(directory)
                ? " (nor is there a directory " + directory + ")"
                : "";
    }
}
