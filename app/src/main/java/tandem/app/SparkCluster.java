package tandem.app;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tandem.CacheUse;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// `spark`: a standalone cluster of Spark's own on this machine, whose processes stay until they are told to stop.
@Command(
        name = "spark",
        header = "Start or stop a Spark cluster on this machine, for trying things.",
        customSynopsis = Tandem.PROGRAM + " spark start|stop [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "Only this machine can reach it. One such cluster runs at a time.",
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " spark start --workers 2",
            "  " + Tandem.PROGRAM + " train linear --data F --runtime spark --master spark://127.0.0.1:7077 --model m",
            "  " + Tandem.PROGRAM + " spark stop"
        })
final class SparkCluster implements Callable<Integer> {

    private static final String HOST = "127.0.0.1";
    private static final int PORT = 7077;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long LOOK_MILLIS = 100;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ACTION", description = "start or stop.")
    private String action;

    @Option(names = "--workers", paramLabel = "N", description = "How many machines it looks like. Default: 2.")
    private Integer workers;

    @Option(names = "--cores", paramLabel = "N", description = "Cores of each. Default: 1.")
    private Integer cores;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Memory of each, such as 2g. Default: 2g.")
    private String memory;

    @Option(names = "--port", paramLabel = "N", description = "Where the cluster is reached. Default: 7077.")
    private Integer port;

    /// A process of the cluster: another with its number has begun at another time.
    record Daemon(String name, long pid, long startedMillis) {

        static Daemon of(String name, ProcessHandle process) {
            return new Daemon(name, process.pid(), started(process));
        }

        private static long started(ProcessHandle process) {
            return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        }

        /// The process, if it is still there.
        ProcessHandle process() {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> started(process) == startedMillis)
                    .orElse(null);
        }
    }

    /// @param master where it is reached
    record Started(String master, List<Daemon> daemons) {}

    SparkCluster(Console console) {
        this.console = console;
    }

    private static Path directory() {
        return CacheUse.directory().resolve("spark-cluster");
    }

    private static Path list() {
        return directory().resolve("processes.json");
    }

    @Override
    public Integer call() throws IOException {
        switch (action) {
            case "start" -> start();
            case "stop" -> stop();
            case null, default ->
                throw new ParameterException(
                        spec.commandLine(), (action == null ? "" : "\"" + action + "\": ") + "say start or stop");
        }
        return 0;
    }

    private void start() throws IOException {
        Check.atLeast(1, "--workers", workers);
        Check.atLeast(1, "--cores", cores);
        if (System.getenv("SPARK_HOME") == null) {
            throw new IllegalArgumentException("Spark is not here; start a cluster with ./tandem spark start");
        }
        Started before = known();
        if (before != null && before.daemons.stream().anyMatch(one -> one.process() != null)) {
            throw new IllegalArgumentException("a cluster runs already, at " + before.master
                    + "; train on that, or end it with " + Tandem.PROGRAM + " spark stop");
        }
        int at = port == null ? PORT : port;
        checkFree(at);
        gather();
        String master = "spark://" + HOST + ":" + at;
        List<Daemon> daemons = new ArrayList<>();
        boolean done = false;
        try {
            daemons.add(launch(
                    "master",
                    List.of(
                            "org.apache.spark.deploy.master.Master",
                            "--host",
                            HOST,
                            "--port",
                            Integer.toString(at),
                            "--webui-port",
                            "0"),
                    "I have been elected leader"));
            for (int w = 1; w <= (workers == null ? 2 : workers); w++) {
                daemons.add(launch(
                        "worker-" + w,
                        List.of(
                                "org.apache.spark.deploy.worker.Worker",
                                "--host",
                                HOST,
                                "--cores",
                                Integer.toString(cores == null ? 1 : cores),
                                "--memory",
                                memory == null ? "2g" : memory,
                                "--webui-port",
                                "0",
                                "-d",
                                directory().resolve("worker-" + w).toString(),
                                master),
                        "Successfully registered with master"));
            }
            Json.write(list(), Json.tree(new Started(master, daemons)));
            done = true;
        } finally {
            if (!done) {
                end(daemons);
            }
        }
        console.print(master);
    }

    /// Lists the jars of Spark where its processes look for them. What Tandem has built since may take their place, so
    /// they are named by where they really are.
    private static void gather() throws IOException {
        Path jars = home().resolve("jars");
        if (Files.exists(jars)) {
            RunDirectory.remove(jars);
        }
        Files.createDirectories(jars);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (Files.isSymbolicLink(jar)) {
                Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toRealPath());
            }
        }
    }

    private static Path home() {
        return directory().resolve("home");
    }

    private static void checkFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(HOST, port));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "port " + port + " of this machine is in use; choose another with --port", e);
        }
    }

    /// Starts a process and waits until it says that it is ready.
    private static Daemon launch(String name, List<String> words, String ready) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--") || option.startsWith("-D") || option.contains("Unrecognized"))
                .forEach(command::add);
        Collections.addAll(command, "-Xmx512m", "-XX:+UseSerialGC", "-cp", home().resolve("jars") + "/*");
        command.addAll(words);
        Path log = directory().resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        builder.environment().put("SPARK_HOME", home().toString());
        Process process = builder.start();
        long deadline = System.nanoTime() + START_NANOS;
        while (!Files.readString(log).contains(ready)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroy();
                throw new IOException("the " + name + " of the cluster "
                        + (process.isAlive()
                                ? "is not ready after " + TimeUnit.NANOSECONDS.toSeconds(START_NANOS) + " s"
                                : "has ended")
                        + "; what it said is in " + log);
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                process.destroy();
                throw new IOException("interrupted", e);
            }
        }
        return Daemon.of(name, process.toHandle());
    }

    private void stop() throws IOException {
        Started running = known();
        if (running == null) {
            console.say("tandem: no cluster of this command runs");
            return;
        }
        int ended = end(running.daemons);
        Files.deleteIfExists(list());
        console.say(String.format(Locale.ROOT, "tandem: %d processes of %s ended", ended, running.master));
    }

    /// The last first, so that nobody misses the master.
    private static int end(List<Daemon> daemons) {
        List<ProcessHandle> there = new ArrayList<>(daemons.reversed().stream()
                .map(Daemon::process)
                .filter(Objects::nonNull)
                .toList());
        there.forEach(ProcessHandle::destroy);
        there.forEach(process -> {
            try {
                process.onExit().get(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                process.destroyForcibly();
            }
        });
        return there.size();
    }

    private static Started known() {
        try {
            return Files.exists(list()) ? Json.read(Files.readAllBytes(list()), Started.class) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
