package tandem.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What the figures were measured on. `load` is how many programs wanted a core in the minute before: on
/// a busy machine only ratios and CPU times mean much.
public record Machine(String processor, int cores, long memoryBytes, String system, String jdk, double load) {

    public static Machine here() {
        Runtime runtime = Runtime.getRuntime();
        return new Machine(
                field("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
                runtime.availableProcessors(),
                memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    @Override
    public String toString() {
        return "%s, %d cores, %.0f GB, %s; JDK %s; load before %.1f"
                .formatted(processor, cores, memoryBytes / 1e9, system, jdk, load);
    }

    private static long memory() {
        String kilobytes = field("/proc/meminfo", "MemTotal", "0 kB");
        return Long.parseLong(kilobytes.split(" ")[0]) * 1024;
    }

    /// The value beside `name` in a file of the kernel, or `otherwise` where there is none.
    public static String field(String file, String name, String otherwise) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException | UncheckedIOException e) {
            // A process may end while its file is being read.
            return otherwise;
        }
    }
}
