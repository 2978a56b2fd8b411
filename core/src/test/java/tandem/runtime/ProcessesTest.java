package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessesTest {

    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m");

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Keeper.Ended> ended = new LinkedBlockingQueue<>();

    private Processes processes() {
        return new Processes(lines::add, ended::add);
    }

    /// Says its arguments on both outputs, and ends with the first as code.
    static final class Speaker {
        public static void main(String[] arguments) {
            System.out.println(arguments[1]);
            System.err.println(arguments[2]);
            System.exit(Integer.parseInt(arguments[0]));
        }
    }

    /// Says its process id and stays, as long as its parent does.
    static final class Stayer {
        public static void main(String[] arguments) throws InterruptedException {
            Processes.endWithParent();
            System.out.println(ProcessHandle.current().pid());
            new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES);
        }
    }

    /// Has a thread that takes memory until there is no more, and stays.
    static final class Greedy {
        public static void main(String[] arguments) throws InterruptedException {
            Processes.endWithParent();
            Thread.ofPlatform().daemon().start(() -> {
                List<byte[]> all = new ArrayList<>();
                while (true) {
                    all.add(new byte[1 << 20]);
                }
            });
            new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES);
        }
    }

    /// Starts a stayer, passes on what it says, and stays too.
    static final class Parent {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            Processes.endWithParent();
            new Processes(System.out::println, _ -> {}).start("grandchild", OPTIONS, Stayer.class);
            new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void large_pages_are_asked_for_only_where_asking_is_the_way(@TempDir Path folder) throws Exception {
        Path choices = folder.resolve("enabled");
        assertFalse(Processes.isOnRequest(choices));
        Files.writeString(choices, "always madvise [never]\n");
        assertFalse(Processes.isOnRequest(choices));
        Files.writeString(choices, "always [madvise] never\n");
        assertTrue(Processes.isOnRequest(choices));
    }

    @Test
    void what_a_child_says_is_passed_on_and_its_end_is_told() throws Exception {
        try (Processes processes = processes()) {
            processes.start("server 1", OPTIONS, Speaker.class, "3", "ready", "or not");
            assertEquals("[server 1] ready", next(lines));
            assertEquals("[server 1] or not", next(lines));
            assertEquals("server 1 ended with code 3", next(ended).toString());
        }
    }

    @Test
    void an_interrupt_is_for_the_parent_alone() throws Exception {
        try (Processes processes = processes()) {
            Process child = processes.start("worker 2", OPTIONS, Stayer.class);
            String pid = next(lines).replace("[worker 2] ", "");
            assertEquals(0, new ProcessBuilder("kill", "-INT", pid).start().waitFor());
            assertFalse(child.waitFor(1, TimeUnit.SECONDS), "it ended");
        }
    }

    @Test
    void a_killed_child_is_told_of_with_its_signal() throws Exception {
        try (Processes processes = processes()) {
            Process child = processes.start("worker 2", OPTIONS, Stayer.class);
            assertEquals("[worker 2] " + child.pid(), next(lines));
            child.destroyForcibly();
            assertEquals("worker 2 was ended by signal 9", next(ended).toString());
        }
    }

    @Test
    void a_child_that_runs_out_of_memory_in_one_thread_ends() throws Exception {
        try (Processes processes = processes()) {
            processes.start("worker 2", OPTIONS, Greedy.class);
            assertEquals("worker 2 ended with code 3", next(ended).toString());
        }
    }

    @Test
    void closing_ends_the_children_and_that_is_no_news() throws Exception {
        Process child;
        try (Processes processes = processes()) {
            child = processes.start("worker 0", OPTIONS, Stayer.class);
            assertEquals("[worker 0] " + child.pid(), next(lines));
        }
        assertFalse(child.isAlive());
        assertEquals(1, child.exitValue());
        assertNull(ended.poll());
    }

    @Test
    void a_child_ends_when_its_parent_is_killed() throws Exception {
        try (Processes processes = processes()) {
            Process parent = processes.start("parent", OPTIONS, Parent.class);
            String[] words = next(lines).split(" ");
            ProcessHandle grandchild =
                    ProcessHandle.of(Long.parseLong(words[words.length - 1])).orElseThrow();
            parent.destroyForcibly();
            grandchild.onExit().get(30, TimeUnit.SECONDS);
            assertFalse(grandchild.isAlive());
        }
    }

    private static <T> T next(LinkedBlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }
}
