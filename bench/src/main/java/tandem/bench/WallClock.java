package tandem.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The time of day of child processes, which can be made to jump while they run: a few lines of C stand between them
/// and the system (`clock.c`), compiled where a compiler is.
final class WallClock {

    private final Path shift;
    private final Path library;

    private WallClock(Path shift, Path library) {
        this.shift = shift;
        this.library = library;
    }

    /// Makes one in `directory`; null where there is no compiler for it.
    static WallClock in(Path directory) throws IOException {
        Path source = directory.resolve("clock.c");
        Path library = directory.resolve("clock.so");
        try (InputStream text = WallClock.class.getResourceAsStream("clock.c")) {
            Files.copy(text, source);
        }
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!compiler.waitFor(30, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IOException _) {
            return null;
        }
        WallClock clock = new WallClock(directory.resolve("clock"), library);
        Files.write(clock.shift, new byte[Long.BYTES]);
        return clock;
    }

    /// What a process needs in its environment to be under this clock.
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "TANDEM_CLOCK", shift.toString());
    }

    /// Makes it so much later than it is, for everyone at once.
    void jumpTo(Duration ahead) throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(ahead.toSeconds())
                .flip();
        try (FileChannel file = FileChannel.open(shift, StandardOpenOption.WRITE)) {
            file.write(seconds);
        }
    }
}
