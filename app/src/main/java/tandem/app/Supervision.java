package tandem.app;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import tandem.runtime.Processes;
import tandem.runtime.RunDirectory;
import tandem.runtime.Supervisor;

/// A command whose work is done by a process below this one, with the same words and the same screen. If that dies,
/// another goes on in its place; what it began, servers and workers, belongs to this process and stays.
final class Supervision {

    /// Whoever dies so often does not die by accident.
    private static final Supervisor.Care CARE = new Supervisor.Care(10, 5_000);

    private final RunDirectory directory;
    private final Supervisor supervisor;
    private boolean cleared;

    private Supervision(Console console) throws IOException {
        directory = new RunDirectory();
        supervisor = new Supervisor(directory.path(), CARE, line -> console.say("tandem: " + line));
    }

    /// Does the command; its code.
    static int of(Console console, List<String> args) throws IOException {
        console.flush();
        Supervision supervision = new Supervision(console);
        // Ctrl-C is for the process below, which leaves everything whole; this one waits for it.
        Thread hook = new Thread(supervision::clear);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return supervision.supervisor.run(command(args));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            supervision.clear();
        }
    }

    /// The Java of this process, with its options and class path.
    private static ProcessBuilder command(List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Processes.java());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Tandem.class.getName()));
        command.addAll(args);
        return new ProcessBuilder(command).inheritIO();
    }

    private synchronized void clear() {
        if (cleared) {
            return;
        }
        cleared = true;
        supervisor.close();
        try {
            directory.close();
        } catch (IOException e) {
            System.getLogger("tandem.app")
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} could not be removed: {1}",
                            directory.path(),
                            e.getMessage());
        }
    }
}
