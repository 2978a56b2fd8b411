package tandem.bench;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program run as a process of its own, measured from start to exit.
///
/// CPU time comes from what the kernel charges this process for children it has waited for, so one child
/// runs at a time. Peak memory is asked for every few milliseconds while the child lives.
public final class Child {

    /// What a child printed, standard error included, and what it took.
    record Run(Trial trial, String output) {

        /// The number that follows `label` the last time it is printed; NaN if it never is.
        double after(String label) {
            int at = output.lastIndexOf(label);
            if (at < 0) {
                return Double.NaN;
            }
            String rest = output.substring(at + label.length()).strip();
            int end = 0;
            while (end < rest.length() && "+-.0123456789eE".indexOf(rest.charAt(end)) >= 0) {
                end++;
            }
            return end == 0 ? Double.NaN : Double.parseDouble(rest.substring(0, end));
        }
    }

    private static final long POLL_MILLIS = 5;
    private static final double TICKS_A_SECOND = 100;

    private Child() {}

    /// Runs `command` in `folder` and waits; an exit code other than 0 is a failure.
    static Run run(List<String> command, Path folder) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "child", ".log");
        double cpu = waitedForSeconds();
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        long peak = 0;
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                peak = Math.max(peak, peakBytes(process.pid()));
            }
        } finally {
            process.destroyForcibly();
        }
        double wall = (System.nanoTime() - start) / 1e9;
        String output = Files.readString(log, StandardCharsets.UTF_8);
        Files.delete(log);
        if (process.exitValue() != 0) {
            throw new IOException("`%s` ended with exit code %d: %s"
                    .formatted(String.join(" ", command), process.exitValue(), lastLine(output)));
        }
        return new Run(Trial.of(wall, waitedForSeconds() - cpu).withPeakBytes(peak), output);
    }

    /// The command that runs `main` in a JVM like this one: same options, then `options`, same class path,
    /// then `more` of it.
    public static List<String> java(List<String> options, List<Path> more, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-agentlib") && !option.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(options);
        StringBuilder path = new StringBuilder(classPath());
        more.forEach(jar -> path.append(File.pathSeparator).append(jar));
        command.addAll(List.of("-cp", path.toString(), main));
        command.addAll(arguments);
        return command;
    }

    /// Test runners put the real class path aside.
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static long peakBytes(long pid) {
        String kilobytes = Machine.field("/proc/" + pid + "/status", "VmHWM", "0 kB");
        return Long.parseLong(kilobytes.split(" ")[0]) * 1024;
    }

    /// User and system time of all children that have ended.
    private static double waitedForSeconds() throws IOException {
        Path file = Path.of("/proc/self/stat");
        if (!Files.exists(file)) {
            return Double.NaN;
        }
        String stat = Files.readString(file);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_A_SECOND;
    }

    private static String lastLine(String output) {
        return output.lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("it printed nothing");
    }
}
