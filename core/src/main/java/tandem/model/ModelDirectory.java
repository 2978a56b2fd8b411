package tandem.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import tandem.report.AtomicFile;

/// A model on disk: `model.json` and its weights in safetensors files, as `docs/model.md` describes.
public final class ModelDirectory {

    /// How large a file of weights becomes before another is begun.
    public static final long SHARD_BYTES = 1L << 30;

    private static final String JSON = "model.json";

    private ModelDirectory() {}

    /// Refuses a place that [#save] would refuse, so that this is known before training.
    public static void check(Path directory, boolean overwrite) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is a file; a model is a directory. Choose another --model");
        }
        boolean empty = true;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                empty = false;
                String name = file.getFileName().toString();
                if (!name.equals(JSON) && !Shards.Shard.isName(name)) {
                    throw new IOException(directory + " exists and has other files than a model's, such as " + name
                            + "; it will not be replaced. Choose another --model");
                }
            }
        }
        if (!empty && !overwrite) {
            throw new IOException(
                    directory + " exists. Use --overwrite to replace the model in it, or choose another --model");
        }
    }

    /// Writes `model`, whole or not at all; ids whose weights are all zero are left out.
    public static void save(LinearModel model, Path directory, boolean overwrite) throws IOException {
        save(model, directory, overwrite, SHARD_BYTES);
    }

    /// Writes `model` with about `shardBytes` at most in each file of weights.
    public static void save(LinearModel model, Path directory, boolean overwrite, long shardBytes) throws IOException {
        if (shardBytes < 1) {
            throw new IllegalArgumentException("the size of a shard is " + shardBytes + " bytes; use 1 or more");
        }
        check(directory, overwrite);
        LinearModel stored = model.stored();
        try {
            NewDirectory.write(directory, part -> {
                List<Shards.Shard> shards = Shards.write(stored, part, shardBytes);
                writeForced(part.resolve(JSON), ModelJson.encode(stored, shards));
            });
        } catch (IOException e) {
            throw new IOException(
                    directory + " could not be written: " + AtomicFile.reason(e) + ". Nothing was left half-written",
                    e);
        }
    }

    public static LinearModel load(Path directory) throws IOException {
        Path file = directory.resolve(JSON);
        if (!Files.isRegularFile(file)) {
            throw new IOException(missing(directory));
        }
        ModelJson json;
        try {
            json = ModelJson.decode(Files.readString(file));
        } catch (IOException e) {
            throw new IOException(file + ": " + AtomicFile.reason(e), e);
        }
        try {
            Shards.Content content = Shards.read(json.shards(), directory, json.outputs());
            return new LinearModel(
                    json.loss(),
                    json.classes(),
                    content.ids(),
                    content.weights(),
                    content.intercepts(),
                    json.precision(),
                    json.schema(),
                    json.provenance());
        } catch (IOException | IllegalArgumentException | Diverged e) {
            throw new IOException(directory + "/" + e.getMessage(), e);
        }
    }

    private static String missing(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Path place = directory.toAbsolutePath();
            Path parent = place.getParent();
            if (parent != null && Files.isDirectory(parent)) {
                try (DirectoryStream<Path> left =
                        Files.newDirectoryStream(parent, "." + place.getFileName() + ".*.old")) {
                    for (Path old : left) {
                        return directory + " does not exist, but replacing it was interrupted: the old model is " + old
                                + ". Rename that to use it";
                    }
                }
            }
            return directory + " does not exist; name the directory that train --model wrote";
        }
        return directory + " has no model.json; name the directory that train --model wrote";
    }

    private static void writeForced(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
