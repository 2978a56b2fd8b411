package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;
import tandem.wire.Address;

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
        Where where = new Where.Processes(Where.Transport.TCP, NAME, new Place.Tcp("127.0.0.2", 0), secret(TEXT));
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

    @Test
    void a_worker_and_a_server_join_from_elsewhere_and_nothing_changes() throws Exception {
        ClusterBits cluster = new ClusterBits(directory, 6_000);
        String plain = ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(1, 1), 1, 3));
        Where where = new Where.Processes(Where.Transport.TCP, NAME, new Place.Tcp("127.0.0.2", 0), secret(TEXT));
        Joiners joiners = new Joiners();
        assertEquals(
                plain,
                ClusterBits.bits(cluster.job(ClusterBits.PLAN.withNodes(1, 1).withWhere(where), 1, 3)
                        .withWatch(joiners)));
        for (Thread node : joiners.nodes) {
            node.join();
        }
        assertEquals(List.of(), List.copyOf(joiners.failures));
        assertEquals(
                2,
                joiners.notes.stream()
                        .filter(note -> note.contains("goes: the job is through"))
                        .count(),
                joiners.notes::toString);
    }

    private static Trust secret(String text) throws IOException {
        return Trust.of(Secret.given(null, Map.of(Secret.VARIABLE, text)));
    }

    /// Joins a run that is under way, once, and waits until it takes part.
    private static final class Joiners implements Watch {

        private final List<Thread> nodes = new ArrayList<>();
        private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        private final Queue<String> notes = new ConcurrentLinkedQueue<>();
        private boolean joined;

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            if (!stage.startsWith("pass") || joined) {
                return;
            }
            joined = true;
            try {
                Place there = Place.of(JobDirectory.usual().job(NAME).coordinator());
                start(node(Address.Role.WORKER, there));
                start(node(Address.Role.SERVER, there));
                JobControl control = JobControl.of(JobDirectory.usual(), NAME, Duration.ofSeconds(30));
                while (control.status().nodes().size() < 5 && failures.isEmpty()) {
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Volunteer node(Address.Role role, Place there) throws IOException {
            return new Volunteer(
                    role, (Place.Tcp) there, new Place.Tcp("127.0.0.3", 0), secret(TEXT), null, Duration.ofSeconds(30));
        }

        private void start(Volunteer node) {
            nodes.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    node.run(notes::add);
                } catch (Exception e) {
                    failures.add(e);
                }
            }));
        }
    }
}
