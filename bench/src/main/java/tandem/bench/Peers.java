package tandem.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tandem.CacheUse;

/// Where the other tools are on this machine; null for one that is not.
///
/// @param liblinear the command `liblinear-train`
/// @param vw the command `vw`
/// @param vwLibrary the jar of Vowpal Wabbit's library for Java, used where its command is missing
/// @param xlearn the command `xlearn_train`
/// @param libfm the command `libFM`
/// @param javaFm the jar of JavaFM, with that of what it needs beside it
record Peers(Path liblinear, Path vw, Path vwLibrary, Path xlearn, Path libfm, Path javaFm) {

    static final Peers NONE = new Peers(null, null, null, null, null, null);

    /// The newest version that has a native library for Linux and loads on JDK 25.
    static final Library VW_LIBRARY = new Library("com.github.vowpalwabbit:vw-jni:9.3.0");

    static final Library JAVA_FM = new Library("org.ranksys:JavaFM:0.4");

    /// What JavaFM needs.
    static final Library FASTUTIL = new Library("it.unimi.dsi:fastutil:7.0.6");

    /// A jar of Maven's, by its coordinates.
    record Library(String coordinates) {

        /// What it is called in [#folder].
        String file() {
            String[] words = coordinates.split(":");
            return words[1] + "-" + words[2] + ".jar";
        }

        /// Null if it is not there.
        private Path find() {
            Path file = folder().resolve(file());
            return Files.exists(file) ? file : null;
        }
    }

    static Peers find() {
        return new Peers(
                onPath("liblinear-train"),
                onPath("vw"),
                VW_LIBRARY.find(),
                onPath("xlearn_train"),
                onPath("libFM"),
                FASTUTIL.find() == null ? null : JAVA_FM.find());
    }

    /// Where what is not installed for the whole system goes.
    static Path folder() {
        return CacheUse.directory().resolve("peers");
    }

    boolean hasVw() {
        return vw != null || vwLibrary != null;
    }

    /// A line for each tool that is missing, with what would bring it.
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (liblinear == null) {
            missing.add("LIBLINEAR: liblinear-train is not on the PATH; ./tandem bench --install-peers gets it");
        }
        if (!hasVw()) {
            missing.add(
                    "Vowpal Wabbit: neither vw on the PATH nor its Java library; ./tandem bench --install-peers gets"
                            + " the library");
        }
        if (xlearn == null) {
            missing.add(
                    "xLearn: xlearn_train is not on the PATH; no package manager has it, so build it from its sources");
        }
        if (libfm == null) {
            missing.add("libFM: libFM is not on the PATH; no package manager has it, so build it from its sources");
        }
        if (javaFm == null) {
            missing.add("JavaFM: its jar is not there; ./tandem bench --install-peers gets it");
        }
        return missing;
    }

    /// The lines of some tools, by their names.
    List<String> missing(List<String> tools) {
        return missing().stream()
                .filter(line -> tools.stream().anyMatch(line::startsWith))
                .toList();
    }

    static Path onPath(String command) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path file = Path.of(folder, command);
            if (!folder.isEmpty() && Files.isExecutable(file) && !Files.isDirectory(file)) {
                return file;
            }
        }
        return null;
    }
}
