package tandem.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Gets the peers that a package manager has: LIBLINEAR's commands from the system's, Vowpal Wabbit's
/// library and JavaFM from Maven's. Says what it cannot get, and why.
final class PeerInstaller {

    private final PrintStream out;

    PeerInstaller(PrintStream out) {
        this.out = out;
    }

    /// True if everything that can be had is there now.
    boolean run() throws IOException, InterruptedException {
        Peers before = Peers.find();
        boolean liblinear = before.liblinear() != null || installLiblinear();
        boolean library = before.vwLibrary() != null || installLibrary("Vowpal Wabbit", Peers.VW_LIBRARY);
        boolean javaFm = before.javaFm() != null
                || (installLibrary("JavaFM", Peers.JAVA_FM) && installLibrary("JavaFM", Peers.FASTUTIL));
        Peers now = Peers.find();
        out.println("LIBLINEAR        " + place(now.liblinear()));
        out.println("liblinear-java   part of this benchmark");
        out.println("Vowpal Wabbit    "
                + (now.vw() != null
                        ? now.vw()
                        : place(now.vwLibrary()) + " (its command is not on the PATH; it would be used instead)"));
        out.println("xLearn           "
                + (now.xlearn() != null
                        ? now.xlearn()
                        : "not installed: no package manager has it; build it from its sources and put"
                                + " xlearn_train on the PATH"));
        out.println("libFM            "
                + (now.libfm() != null
                        ? now.libfm()
                        : "not installed: no package manager has it; build it from its sources and put"
                                + " libFM on the PATH"));
        out.println("JavaFM           " + place(now.javaFm()));
        return liblinear && library && javaFm;
    }

    private boolean installLiblinear() throws IOException, InterruptedException {
        String hint = "liblinear-tools has it on Debian and Ubuntu: run apt-get install liblinear-tools as root";
        if (Peers.onPath("apt-get") == null) {
            out.println("LIBLINEAR: apt-get is not on the PATH; install liblinear-train another way (" + hint + ")");
            return false;
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            out.println("LIBLINEAR: installing it needs root; " + hint);
            return false;
        }
        return call(List.of("apt-get", "install", "-y", "liblinear-tools"));
    }

    private boolean installLibrary(String peer, Peers.Library library) throws IOException, InterruptedException {
        if (Peers.onPath("mvn") == null) {
            out.println(peer + ": its library comes with Maven, but mvn is not on the PATH");
            return false;
        }
        Path folder = Files.createDirectories(Peers.folder());
        return call(List.of(
                "mvn",
                "-B",
                "-q",
                "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                "-Dartifact=" + library.coordinates(),
                "-DoutputDirectory=" + folder));
    }

    private boolean call(List<String> command) throws IOException, InterruptedException {
        out.println(String.join(" ", command));
        int code =
                new ProcessBuilder(new ArrayList<>(command)).inheritIO().start().waitFor();
        if (code != 0) {
            out.println("that ended with exit code " + code);
        }
        return code == 0;
    }

    private static String place(Path path) {
        return path == null ? "not installed" : path.toString();
    }
}
