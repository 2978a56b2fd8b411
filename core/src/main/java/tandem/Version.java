package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Which Tandem this is, as the build wrote it down.
public final class Version {

    /// For example `0.1.0`.
    public static final String CURRENT = read();

    private Version() {}

    private static String read() {
        var properties = new Properties();
        try (var in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
