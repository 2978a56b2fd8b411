package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class AtomicFileTest {

    /// A file or directory that is mounted from its own file system shows only when it is to be replaced.
    @Test
    void a_mount_point_comes_with_what_to_do() {
        assertEquals(
                "Device or resource busy; a mount point cannot be replaced: choose another place, such as one below it",
                AtomicFile.reason(new FileSystemException("m", null, "Device or resource busy")));
    }
}
