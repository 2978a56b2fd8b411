package tandem.app;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where a command talks: what it was asked for on `out`, everything else on `err`.
final class Console {

    /// Whoever read our output has closed it, as `head` does: no failure, only a reason to stop.
    static final class Closed extends IOException {
        Closed(IOException cause) {
            super("the reader of standard output has gone", cause);
        }
    }

    private final OutputStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final boolean shared;

    /// One of a test.
    Console(OutputStream out, PrintStream err, boolean terminal) {
        this(out, err, terminal, false);
    }

    /// @param terminal whether somebody watches a screen
    /// @param shared   whether it is that of the process, which other processes can have too
    Console(OutputStream out, PrintStream err, boolean terminal, boolean shared) {
        this.out = new Guarded(out);
        this.err = err;
        this.terminal = terminal;
        this.shared = shared;
    }

    boolean isShared() {
        return shared;
    }

    /// Whether standard error, where progress goes, is a screen that someone watches.
    static boolean isTerminal() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/2")).startsWith("/dev/pts")
                    && !"dumb".equals(System.getenv("TERM"));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.ofNullable(System.console())
                    .map(java.io.Console::isTerminal)
                    .orElse(false);
        }
    }

    boolean terminal() {
        return terminal;
    }

    /// Standard output for streams of data; the caller buffers and flushes.
    OutputStream out() {
        return out;
    }

    /// Prints a line of the result.
    void print(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Tells the user something beside the result.
    void say(String line) {
        err.println(line);
        err.flush();
    }

    /// Text for standard error without a line end.
    void draw(String text) {
        err.print(text);
        err.flush();
    }

    void flush() throws IOException {
        out.flush();
    }

    PrintWriter outWriter() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    PrintWriter errWriter() {
        return new PrintWriter(err, true, err.charset());
    }

    /// Tells a reader that has gone from a disk that is full.
    private static final class Guarded extends FilterOutputStream {

        Guarded(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                if (e.getMessage() != null && e.getMessage().contains("Broken pipe")) {
                    throw new Closed(e);
                }
                throw new IOException("standard output could not be written: " + e.getMessage(), e);
            }
        }
    }
}
