package tandem.runtime;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Processes of the same program, started and looked after by this one: their words are passed on with their name in
/// front, the end of each is told at once, and none outlives this one. A child must call [#endWithParent] first thing.
public final class Processes implements Keeper {

    private static final long GRACE_SECONDS = 3;

    /// Ctrl-C goes to all processes of a terminal, and so do the end of a terminal and what ends a service or the job
    /// of a queue; what that means for a child is for its parent to say.
    private static final List<String> UNINTERRUPTED =
            List.of("/bin/sh", "-c", "trap '' INT TERM HUP; exec \"$@\"", "sh");

    /// A node without memory for one of its threads would go on with the others, and be taken for well.
    private static final String WHOLE_OR_NOT = "-XX:+ExitOnOutOfMemoryError";

    /// Memory in large pages, where the system gives them to those who ask: rows of a large table are then found in
    /// three quarters of the time.
    private static final List<String> LARGE_PAGES = isOnRequest(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))
            ? List.of("-XX:+UseTransparentHugePages")
            : List.of();

    /// Whoever keeps this process from compiling at length, to be sooner through with something short, keeps its
    /// children from it too.
    private static final List<String> COMPILING = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("-XX:TieredStopAtLevel="))
            .toList();

    /// By name, those whose end nobody has settled.
    private final Map<String, Kept> kept = new LinkedHashMap<>();

    /// All of them, until the end.
    private final List<Process> all = new ArrayList<>();

    private Listener listener;
    private volatile boolean closing;

    private static final class Kept {
        final Child child;
        final Process process;

        /// Whether whoever listens knows that it has ended.
        boolean told;

        Kept(Child child, Process process) {
            this.child = child;
            this.process = process;
        }

        Ended ended() {
            told = true;
            return new Ended(child.name(), process.exitValue());
        }
    }

    /// Somebody is to [#attend] to them.
    public Processes() {}

    /// @param lines told every line that a child says
    /// @param ended told when a child ends before [#close]
    public Processes(Consumer<String> lines, Consumer<Ended> ended) {
        attend(new Listener() {
            @Override
            public void said(String line) {
                lines.accept(line);
            }

            @Override
            public void ended(Ended child) {
                ended.accept(child);
            }
        });
    }

    /// Whether a file of choices has settled on giving large pages to those who ask.
    static boolean isOnRequest(Path choices) {
        try {
            return Files.readString(choices).contains("[madvise]");
        } catch (IOException e) {
            return false; // another system, or one without large pages
        }
    }

    @Override
    public synchronized List<Child> known() {
        return kept.values().stream().map(one -> one.child).toList();
    }

    @Override
    public void attend(Listener other) {
        List<Ended> before;
        synchronized (this) {
            listener = other;
            before = kept.values().stream()
                    .filter(one -> !one.process.isAlive())
                    .map(Kept::ended)
                    .toList();
        }
        before.forEach(other::ended);
    }

    /// Starts `main` as the only process of its name.
    public Process start(String name, List<String> options, Class<?> main, String... arguments) throws IOException {
        Child child = new Child(name, 1, options, Map.of(), main.getName(), List.of(arguments));
        start(child);
        return process(name);
    }

    private synchronized Process process(String name) {
        return kept.get(name).process;
    }

    @Override
    public synchronized void start(Child child) throws IOException {
        if (closing) {
            return;
        }
        List<String> command = new ArrayList<>(UNINTERRUPTED);
        command.add(java());
        command.addAll(LARGE_PAGES);
        command.addAll(COMPILING);
        command.addAll(child.options());
        command.add(WHOLE_OR_NOT);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), child.main()));
        command.addAll(child.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(child.environment());
        Process process = builder.start();
        Kept one = new Kept(child, process);
        kept.put(child.name(), one);
        all.add(process);
        Thread.ofPlatform().name("tandem-lines-" + child.name()).daemon().start(() -> listen(one));
    }

    /// The Java that this process runs on.
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// Passes on what a child says; when it has said all, it is about to end.
    private void listen(Kept one) {
        try (BufferedReader reader = one.process.inputReader()) {
            for (String line; (line = reader.readLine()) != null; ) {
                Listener to = listener();
                if (to != null) {
                    to.said("[" + one.child.name() + "] " + line);
                }
            }
        } catch (IOException _) {
            // It ended in the middle of a line.
        }
        one.process.onExit().join();
        Listener to;
        Ended ended = null;
        synchronized (this) {
            boolean isNews = !closing && !one.told && kept.get(one.child.name()) == one;
            to = isNews ? listener : null;
            if (to != null) {
                ended = one.ended();
            }
        }
        if (to != null) {
            to.ended(ended);
        }
    }

    private synchronized Listener listener() {
        return listener;
    }

    @Override
    public synchronized void end(String name) {
        Kept one = kept.get(name);
        if (one != null) {
            one.process.destroyForcibly();
        }
    }

    @Override
    public synchronized void settle(String name, int life) {
        Kept one = kept.get(name);
        if (one != null && one.child.life() == life) {
            kept.remove(name);
        }
    }

    /// Ends all children: first they are asked to, by the end of their input, then they have to.
    @Override
    public synchronized void close() {
        closing = true;
        for (Process child : all) {
            try {
                child.getOutputStream().close();
            } catch (IOException _) {
                // It has ended already.
            }
        }
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
            for (Process child : all) {
                child.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            all.forEach(Process::destroyForcibly);
        }
    }

    /// For a child: ends this process when its parent closes its input, or dies.
    public static void endWithParent() {
        InputStream input = System.in;
        Thread.ofPlatform().name("tandem-parent").daemon().start(() -> {
            try {
                while (input.read() >= 0) {}
            } catch (IOException _) {
                // As good as the end.
            }
            System.exit(1);
        });
    }
}
