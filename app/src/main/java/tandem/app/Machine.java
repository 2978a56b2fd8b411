package tandem.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a report says about the machine.
final class Machine {

    private Machine() {}

    static Map<String, Object> describe() {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("heapBytes", Runtime.getRuntime().maxMemory());
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        machine.put("java", Runtime.version().toString());
        return machine;
    }

    /// The most memory this process had resident, or null where the system does not say.
    static Long peakMemoryBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
        } catch (IOException e) {
            return null;
        }
        return null;
    }
}
