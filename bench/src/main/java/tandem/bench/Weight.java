package tandem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import tandem.wire.Address;

/// What a process holds.
///
/// @param heapBytes in use after collecting garbage
record Weight(Address node, long pid, long heapBytes, long descriptors, long threads) {

    static Weight of(Address node, long pid, long heapBytes) {
        String threads = Machine.field("/proc/" + pid + "/status", "Threads", "0");
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return new Weight(node, pid, heapBytes, open.count(), Long.parseLong(threads));
        } catch (IOException _) {
            return new Weight(node, pid, heapBytes, 0, 0); // it has just ended
        }
    }
}
