package tandem.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tandem.math.Mix;
import tandem.report.AtomicFile;

/// A file of weights of one output: those whose mixed keys lie in a range, ascending by key. Each is written by who
/// holds that range, and nobody needs the others.
///
/// @param firstKey the least key it may have, as unsigned decimal text; it ends where the next of its output begins
/// @param ids      how many weights it has
public record RangeFile(String file, int output, String firstKey, long ids, long bytes, String sha256) {

    public RangeFile {
        Objects.requireNonNull(file);
        Long.parseUnsignedLong(firstKey);
        if (output < 0 || ids < 0) {
            throw new IllegalArgumentException(ids + " ids of output " + output);
        }
    }

    static final String FACTOR_IDS = "factorIds";
    static final String FACTORS = "factors";
    static final Map<String, String> METADATA = Map.of("format", ModelJson.FORMAT);

    /// Writes the weights of a range into `directory`, over an earlier file of the same range.
    ///
    /// @param keys ascending as unsigned
    public static RangeFile write(Path directory, KeyRange range, long[] keys, double[] weights, Precision precision)
            throws IOException {
        return write(directory, range, keys, weights, precision, FactorRows.NONE);
    }

    /// The same with the factors of the range.
    static RangeFile write(
            Path directory, KeyRange range, long[] keys, double[] weights, Precision precision, FactorRows factors)
            throws IOException {
        return write(directory, range, range.file(), keys, weights, precision, factors);
    }

    /// The same beside its place, until it is [#accepted]: a writer that was taken for lost in an earlier epoch, and
    /// goes on, writes over nothing.
    public static RangeFile writeAside(
            Path directory,
            KeyRange range,
            long epoch,
            long[] keys,
            double[] weights,
            Precision precision,
            FactorRows factors)
            throws IOException {
        return write(directory, range, aside(range.file(), epoch), keys, weights, precision, factors);
    }

    /// Puts what was written aside in an epoch into its place, over an earlier file of the same range.
    public void accepted(Path directory, long epoch) throws IOException {
        Files.move(directory.resolve(aside(file, epoch)), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String aside(String file, long epoch) {
        return file + "." + epoch;
    }

    private static RangeFile write(
            Path directory,
            KeyRange range,
            String name,
            long[] keys,
            double[] weights,
            Precision precision,
            FactorRows factors)
            throws IOException {
        Safetensors header = new Safetensors(List.of(), METADATA)
                .with("ids", Safetensors.Type.U64, keys.length)
                .with("weights", Safetensors.Type.valueOf(precision.name()), keys.length);
        if (factors.dimension() > 0) {
            header = header.with(FACTOR_IDS, Safetensors.Type.U64, factors.keys().length)
                    .with(FACTORS, Safetensors.Type.F32, factors.keys().length, factors.dimension());
        }
        Path place = directory.resolve(name);
        Path part = directory.resolve(name + ".part");
        try {
            Files.deleteIfExists(part);
            try (SafetensorsWriter writer = new SafetensorsWriter(part, header)) {
                for (long key : keys) {
                    writer.number(Mix.unmix(key));
                }
                writer.weights(weights, 0, weights.length, precision);
                for (long key : factors.keys()) {
                    writer.number(Mix.unmix(key));
                }
                writer.floats(factors.values());
                String sha256 = writer.finish();
                Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
                return new RangeFile(
                        range.file(),
                        range.output(),
                        Long.toUnsignedString(range.firstKey()),
                        keys.length,
                        writer.bytes(),
                        sha256);
            }
        } catch (IOException e) {
            throw new IOException(place + " could not be written: " + AtomicFile.reason(e), e);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    long first() {
        return Long.parseUnsignedLong(firstKey);
    }

    /// Refuses a file that is not what it was when it was written; `thoroughly` reads all of it.
    void verify(Path directory, boolean thoroughly) throws IOException {
        Shards.verify(new Shards.Shard(file, ids, bytes, sha256), directory, 1, thoroughly);
    }

    IOException damaged(String how) {
        return Shards.damaged(file, how);
    }
}
