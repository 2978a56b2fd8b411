package tandem.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/// What the library logs, on the command line: warnings only, as plain lines. Java makes one when the first
/// line is logged, so that starting does not pay for it.
public final class Logging {

    private static final String SETTINGS = """
        handlers=java.util.logging.ConsoleHandler
        .level=WARNING
        java.util.logging.SimpleFormatter.format=tandem: %5$s%n
        """;

    public Logging() throws IOException {
        LogManager.getLogManager()
                .readConfiguration(new ByteArrayInputStream(SETTINGS.getBytes(StandardCharsets.UTF_8)));
    }

    /// To be called before anything is logged.
    static void use() {
        System.setProperty("java.util.logging.config.class", Logging.class.getName());
    }
}
