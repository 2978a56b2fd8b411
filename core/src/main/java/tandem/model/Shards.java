package tandem.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// The weights of a model as files, each with a range of its ids.
final class Shards {

    /// A file of weights: how many ids it has, and what it must be to be whole.
    record Shard(String file, long ids, long bytes, String sha256) {

        /// Only names that Tandem gives, so that a model cannot point out of its directory.
        private static final Pattern NAME = Pattern.compile("weights-\\d{5,9}-of-\\d{5,9}\\.safetensors");

        static boolean isName(String file) {
            return NAME.matcher(file).matches();
        }
    }

    private static final Map<String, String> METADATA = Map.of("format", ModelJson.FORMAT);

    private Shards() {}

    /// Writes the weights of `model` into `directory`, with at most about `limitBytes` a file.
    static List<Shard> write(LinearModel model, Path directory, long limitBytes) throws IOException {
        int ids = model.ids().length;
        long idBytes = 8 + (long) model.outputs() * model.precision().bytes();
        int count = Math.toIntExact(Math.max(1, Math.ceilDiv(ids * idBytes, limitBytes)));
        List<Shard> shards = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            int from = (int) ((long) ids * s / count);
            int until = (int) ((long) ids * (s + 1) / count);
            String name = String.format(Locale.ROOT, "weights-%05d-of-%05d.safetensors", s + 1, count);
            shards.add(write(model, directory, name, from, until, s == 0));
        }
        return shards;
    }

    private static Shard write(LinearModel model, Path directory, String name, int from, int until, boolean first)
            throws IOException {
        long count = (long) until - from;
        Safetensors header = new Safetensors(List.of(), METADATA).with("ids", Safetensors.Type.U64, count);
        if (first) {
            header = header.with("intercepts", Safetensors.Type.F64, model.outputs());
        }
        Safetensors.Type type = Safetensors.Type.valueOf(model.precision().name());
        header = model.outputs() == 1
                ? header.with("weights", type, count)
                : header.with("weights", type, model.outputs(), count);
        try (SafetensorsWriter writer = new SafetensorsWriter(directory.resolve(name), header)) {
            writer.longs(model.ids(), from, until);
            if (first) {
                writer.weights(model.intercepts(), 0, model.outputs(), Precision.F64);
            }
            for (double[] row : model.weights()) {
                writer.weights(row, from, until, model.precision());
            }
            String sha256 = writer.finish();
            return new Shard(name, count, writer.bytes(), sha256);
        }
    }

    /// What shards hold together.
    record Content(long[] ids, double[][] weights, double[] intercepts) {}

    /// Reads `shards` back, each only after its checksum was found right.
    static Content read(List<Shard> shards, Path directory, int outputs) throws IOException {
        long total = 0;
        for (Shard shard : shards) {
            verify(shard, directory, outputs, true);
            total += shard.ids();
        }
        if (total > Integer.MAX_VALUE - 8) {
            throw new IOException("a model of " + total + " weights does not fit in one process");
        }
        long[] ids = new long[(int) total];
        double[][] weights = new double[outputs][(int) total];
        double[] intercepts = new double[outputs];
        int at = 0;
        boolean first = true;
        for (Shard shard : shards) {
            try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(shard.file()))) {
                long[] part = reader.longs("ids");
                double[] values = reader.doubles("weights");
                if (part.length != shard.ids() || values.length != (long) part.length * outputs) {
                    throw new IOException("it has " + part.length + " ids and " + values.length + " weights; "
                            + shard.ids() + " ids and " + outputs + " weights for each were expected");
                }
                System.arraycopy(part, 0, ids, at, part.length);
                for (int k = 0; k < outputs; k++) {
                    System.arraycopy(values, k * part.length, weights[k], at, part.length);
                }
                at += part.length;
                if (first) {
                    intercepts = reader.doubles("intercepts");
                    first = false;
                }
            } catch (IOException e) {
                throw damaged(shard, e.getMessage());
            }
        }
        return new Content(ids, weights, intercepts);
    }

    /// The intercepts, which the first of the shards has.
    static double[] intercepts(Shard first, Path directory) throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(first.file()))) {
            return reader.doubles("intercepts");
        } catch (IOException e) {
            throw damaged(first, e.getMessage());
        }
    }

    /// Shows the weights that are wanted, shard by shard.
    static void visit(
            List<Shard> shards, Path directory, int outputs, StoredModel.Wanted wanted, StoredModel.Visitor visitor)
            throws IOException {
        for (Shard shard : shards) {
            verify(shard, directory, outputs, true);
            try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(shard.file()))) {
                long[] ids = reader.longs("ids");
                double[] weights = reader.doubles("weights");
                if (weights.length != (long) ids.length * outputs) {
                    throw new IOException("it has " + ids.length + " ids and " + weights.length + " weights");
                }
                for (int k = 0; k < outputs; k++) {
                    double[] row = Arrays.copyOfRange(weights, k * ids.length, (k + 1) * ids.length);
                    StoredModel.show(k, ids.clone(), row, wanted, visitor);
                }
            } catch (IOException e) {
                throw damaged(shard, e.getMessage());
            }
        }
    }

    /// Refuses a file that is not as model.json has it; `thoroughly` reads all of it.
    static void verify(Shard shard, Path directory, int outputs, boolean thoroughly) throws IOException {
        Path file = directory.resolve(shard.file());
        if (!Files.isRegularFile(file)) {
            throw damaged(shard, "it is missing");
        }
        if (Files.size(file) != shard.bytes()) {
            throw damaged(shard, "it is " + Files.size(file) + " bytes long instead of " + shard.bytes());
        }
        if (thoroughly && !Checksum.of(file).equals(shard.sha256())) {
            throw damaged(shard, "its SHA-256 is not the one that model.json has");
        }
        // A count that the file is too short for is refused before memory is asked for it.
        if (shard.ids() < 0 || shard.ids() > shard.bytes() / (8 + (long) Precision.F32.bytes() * outputs)) {
            throw damaged(shard, shard.ids() + " ids do not fit in its " + shard.bytes() + " bytes");
        }
    }

    private static IOException damaged(Shard shard, String how) {
        return damaged(shard.file(), how);
    }

    static IOException damaged(String file, String how) {
        return new IOException(file + ": " + how + ". Restore the file from a copy or train again");
    }
}
