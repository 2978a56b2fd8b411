package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.UnixDomainSocketAddress;
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
}
