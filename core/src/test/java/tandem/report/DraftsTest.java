package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DraftsTest {

    /// Beyond what any system numbers its processes by.
    private static final long NOBODY = 4_000_000_000L;

    @TempDir
    Path dir;

    @Test
    void drafts_of_the_same_place_go_once_their_process_is_gone() throws IOException {
        long alive = ProcessHandle.current().parent().orElseThrow().pid();
        for (String name : List.of(
                ".r.json." + NOBODY + ".part",
                ".r.json." + alive + ".part",
                ".s.json." + NOBODY + ".part",
                ".r.json." + NOBODY + ".old",
                "r.json")) {
            Files.writeString(dir.resolve(name), "x");
        }
        AtomicFile.write(dir.resolve("r.json"), out -> out.write('y'));
        assertEquals(
                Set.of(
                        ".r.json." + NOBODY + ".old",
                        ".r.json." + alive + ".part",
                        ".s.json." + NOBODY + ".part",
                        "r.json"),
                names());
    }

    private Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }
}
