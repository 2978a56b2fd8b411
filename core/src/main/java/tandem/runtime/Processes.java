package tandem.runtime;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Processes of the same program, started and looked after: their words are passed on with their name in front, the
/// end of each is told at once, and none outlives this one. A child must call [#endWithParent] first thing.
public final class Processes implements AutoCloseable {

    private static final long GRACE_SECONDS = 3;

    /// Ctrl-C goes to all processes of a terminal; what it means for a child is for its parent to say.
    private static final List<String> UNINTERRUPTED = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    /// A node without memory for one of its threads would go on with the others, and be taken for well.
    private static final String WHOLE_OR_NOT = "-XX:+ExitOnOutOfMemoryError";

    /// Memory in large pages, where the system gives them to those who ask: rows of a large table are then found in
    /// three quarters of the time.
    private static final List<String> LARGE_PAGES = isOnRequest(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))
            ? List.of("-XX:+UseTransparentHugePages")
            : List.of();

    private final List<String> options;
    private final Consumer<String> lines;
    private final Consumer<Ended> ended;
    private final List<Process> children = new ArrayList<>();
    private volatile boolean closing;

    /// The end of a child.
    public record Ended(String name, int code) {

        /// Whether somebody ended it, and not it itself.
        public boolean isBySignal() {
            return code > 128;
        }

        /// As a user reads it.
        @Override
        public String toString() {
            return name + (isBySignal() ? " was ended by signal " + (code - 128) : " ended with code " + code);
        }
    }

    /// @param options of the Java machine, such as `-Xmx1g`
    /// @param lines   told every line that a child says, on a thread of its own for each child
    /// @param ended   told when a child ends before [#close]
    public Processes(List<String> options, Consumer<String> lines, Consumer<Ended> ended) {
        this.options = List.copyOf(options);
        this.lines = lines;
        this.ended = ended;
    }

    /// Whether a file of choices has settled on giving large pages to those who ask.
    static boolean isOnRequest(Path choices) {
        try {
            return Files.readString(choices).contains("[madvise]");
        } catch (IOException e) {
            return false; // another system, or one without large pages
        }
    }

    /// Starts `main` with the Java, class path and environment of this process.
    public Process start(String name, Class<?> main, String... arguments) throws IOException {
        return start(name, Map.of(), main, arguments);
    }

    /// The same with more in its environment.
    public synchronized Process start(String name, Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(UNINTERRUPTED);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LARGE_PAGES);
        command.addAll(options);
        command.add(WHOLE_OR_NOT);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process child = builder.start();
        children.add(child);
        Thread.ofPlatform().name("tandem-lines-" + name).daemon().start(() -> listen(name, child));
        return child;
    }

    /// Passes on what a child says; when it has said all, it is about to end.
    private void listen(String name, Process child) {
        try (BufferedReader reader = child.inputReader()) {
            for (String line; (line = reader.readLine()) != null; ) {
                lines.accept("[" + name + "] " + line);
            }
        } catch (IOException _) {
            // It ended in the middle of a line.
        }
        int code = child.onExit().join().exitValue();
        if (!closing) {
            ended.accept(new Ended(name, code));
        }
    }

    /// Ends all children: first they are asked to, by the end of their input, then they have to.
    @Override
    public synchronized void close() {
        closing = true;
        for (Process child : children) {
            try {
                child.getOutputStream().close();
            } catch (IOException _) {
                // It has ended already.
            }
        }
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
            for (Process child : children) {
                child.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            children.forEach(Process::destroyForcibly);
        }
    }

    /// For a child: ends this process when its parent closes its input, or dies.
    public static void endWithParent() {
        InputStream input = System.in;
        Thread.ofPlatform().name("tandem-parent").daemon().start(() -> {
            try {
                while (input.read() >= 0) {}
            } catch (IOException _) {
                // As good as the end.
            }
            System.exit(1);
        });
    }
}
