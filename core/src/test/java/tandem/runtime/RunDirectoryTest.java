package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunDirectoryTest {

    @TempDir
    private Path parent;

    /// Makes a directory, says which, and stays.
    static final class Maker {
        public static void main(String[] arguments) throws IOException {
            RunDirectory made = new RunDirectory(Path.of(arguments[0]));
            Files.writeString(made.path().resolve("journal"), "x");
            System.out.println(made.path());
            System.in.read();
            made.close();
        }
    }

    @Test
    void one_that_another_thread_looks_at_is_left_to_it() throws IOException {
        Path left = Files.createDirectory(parent.resolve("tandem-run-left"));
        try (FileChannel owner =
                FileChannel.open(left.resolve("owner"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            owner.lock();
            new RunDirectory(parent).close();
            assertTrue(Files.exists(left), "it was removed");
        }
        new RunDirectory(parent).close();
        assertFalse(Files.exists(left), "it is still there");
    }

    /// No process has so large a number.
    @Test
    void one_whose_process_was_killed_before_it_was_locked_goes_and_one_that_is_being_made_stays() throws IOException {
        Path left = Files.createDirectory(parent.resolve("tandem-new-4000000000-1"));
        Path making = Files.createDirectory(
                parent.resolve("tandem-new-" + ProcessHandle.current().pid() + "-1"));
        new RunDirectory(parent).close();
        assertFalse(Files.exists(left), "it is still there");
        assertTrue(Files.exists(making), "one that is being made was removed");
    }

    @Test
    void it_goes_when_it_is_closed_or_with_the_next_once_its_process_was_killed() throws Exception {
        Files.createDirectory(parent.resolve("tandem-other"));
        Process maker = new ProcessBuilder(
                        Processes.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Maker.class.getName(),
                        parent.toString())
                .start();
        try (BufferedReader said = maker.inputReader()) {
            Path made = Path.of(said.readLine());
            try (RunDirectory one = new RunDirectory(parent);
                    RunDirectory another = new RunDirectory(parent)) {
                assertTrue(Files.exists(made), "one of another process was removed");
                assertTrue(Files.exists(one.path()) && Files.exists(another.path()), "one of this process was removed");
                maker.destroyForcibly().waitFor();
                try (RunDirectory _ = new RunDirectory(parent)) {
                    assertFalse(Files.exists(made), "one that was left behind is still there");
                    assertTrue(Files.exists(one.path().resolve("owner")));
                }
            }
        } finally {
            maker.destroyForcibly();
        }
        try (Stream<Path> left = Files.list(parent)) {
            assertEquals(List.of(parent.resolve("tandem-other")), left.toList());
        }
    }
}
