package tandem.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tandem.data.Batches;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.runtime.RunDirectory;

/// Partitions that this executor has packed for rounds of averaging, from round to round. One that comes to another
/// executor is packed there anew, into the same batches.
final class PackedParts {

    private static final Map<String, Packed> ALL = new ConcurrentHashMap<>();

    private PackedParts() {}

    private record Packed(RunDirectory directory, Batches batches) {

        void close() {
            try (directory) {
                batches.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// The batches of a partition; its blocks are read if they have not been.
    static Batches of(String group, int part, PartTerms terms, long rows, Iterator<byte[]> blocks) throws IOException {
        try {
            return ALL.computeIfAbsent(group + " " + part, _ -> packed(part, terms, rows, blocks)).batches;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Packed packed(int part, PartTerms terms, long rows, Iterator<byte[]> blocks) {
        try {
            RunDirectory directory = new RunDirectory();
            Path file = directory.path().resolve("part");
            PartFile.write(file, part, terms, rows, blocks);
            return new Packed(directory, PartFile.open(file, part, terms));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Forgets the partitions of other jobs, or if `own` those of this one, as far as they are in this process.
    static void forget(String group, boolean own) {
        ALL.keySet().stream()
                .filter(name -> name.startsWith(group + " ") == own)
                .toList()
                .forEach(name -> {
                    Packed packed = ALL.remove(name);
                    if (packed != null) {
                        packed.close();
                    }
                });
    }
}
