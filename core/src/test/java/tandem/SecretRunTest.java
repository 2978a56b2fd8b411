package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.link.Place;
import tandem.link.Secret;

/// Runs of processes that share a secret.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecretRunTest {

    private static final String TEXT = "a secret of a test, which is long enough";
    private static final String NAME = "secret-" + ProcessHandle.current().pid();

    @TempDir
    Path directory;

    @Test
    void a_run_with_a_secret_learns_the_same_and_shows_it_to_nobody() throws IOException {
        ClusterBits cluster = new ClusterBits(directory, 6_000);
        String plain = ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(1, 1), 1, 2));
        Secret secret = Secret.given(null, Map.of(Secret.VARIABLE, TEXT));
        Where where = new Where.Processes(Where.Transport.TCP, NAME, new Place.Tcp("127.0.0.2", 0), secret);
        Looker looker = new Looker();
        assertEquals(
                plain,
                ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(2, 2).withWhere(where), 1, 2)
                        .withWatch(looker)));
        assertEquals(5, looker.nodes);
        assertTrue(looker.commands.size() >= 4, looker.commands::toString);
        assertFalse(looker.commands.toString().contains(TEXT), looker.commands::toString);
    }

    /// Looks at the run once, as its owner can.
    private static final class Looker implements Watch {

        private int nodes;
        private List<String> commands = List.of();

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            if (stage.startsWith("pass") && nodes == 0) {
                try {
                    JobControl control = JobControl.of(JobDirectory.usual(), NAME, Duration.ofSeconds(30));
                    nodes = control.status().nodes().size();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                commands = ProcessHandle.current()
                        .children()
                        .map(SecretRunTest::startedWith)
                        .toList();
            }
        }
    }

    /// The command line and the environment of a process.
    private static String startedWith(ProcessHandle process) {
        try {
            Path proc = Path.of("/proc", Long.toString(process.pid()));
            return Files.readString(proc.resolve("cmdline")) + Files.readString(proc.resolve("environ"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
