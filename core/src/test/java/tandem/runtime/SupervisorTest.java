package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SupervisorTest {

    /// Is connected at once, and has not said a word when it ends.
    static final class Slow {
        public static void main(String[] arguments) throws Exception {
            Path place = Path.of(System.getenv(Supervised.VARIABLE));
            try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(place))) {
                new Semaphore(0).tryAcquire(1, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void one_that_takes_long_to_start_is_not_taken_for_dead(@TempDir Path directory) throws Exception {
        List<String> notes = new ArrayList<>();
        try (Supervisor supervisor = new Supervisor(directory, new Supervisor.Care(1, 200), notes::add)) {
            int code = supervisor.run(new ProcessBuilder(
                    Processes.java(), "-cp", System.getProperty("java.class.path"), Slow.class.getName()));
            assertEquals(0, code, notes::toString);
        }
        assertEquals(List.of(), notes);
    }

    /// Would take its time to leave everything whole.
    static final class Thorough {
        public static void main(String[] arguments) throws Exception {
            Supervised above = Supervised.given(System.getenv());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            new Semaphore(above.isFirst() ? 0 : 1).acquire();
        }
    }

    /// The nodes are gone with the one above.
    @Test
    void a_coordinator_does_not_outlive_the_process_above_it(@TempDir Path directory) throws Exception {
        Path place = directory.resolve("supervisor");
        try (ServerSocketChannel above =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(place))) {
            ProcessBuilder command = new ProcessBuilder(
                    Processes.java(), "-cp", System.getProperty("java.class.path"), Thorough.class.getName());
            command.environment().put(Supervised.VARIABLE, place.toString());
            Process coordinator = command.inheritIO().start();
            try (Lines lines = new Lines(above.accept())) {
                lines.send(new Supervisor.News(1, List.of(), null, null, false));
                lines.next(Supervisor.Wish.class);
            }
            boolean ended = coordinator.waitFor(10, TimeUnit.SECONDS);
            coordinator.destroyForcibly();
            assertTrue(ended);
        }
    }
}
