package tandem.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tandem.report.AtomicFile;

/// A model on disk: `model.json` and its weights in safetensors files, as `docs/model.md` describes.
public final class ModelDirectory {

    /// How large a file of weights becomes before another is begun.
    public static final long SHARD_BYTES = 1L << 30;

    private ModelDirectory() {}

    /// Refuses a place that [#save] would refuse, so that this is known before training.
    public static void check(Path directory, boolean overwrite) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is a file; a model is a directory. Choose another --model");
        }
        String other = otherThanModel(directory);
        if (other != null) {
            throw new IOException(directory + " exists and has other files than a model's, such as " + other
                    + "; it will not be replaced. Choose another --model");
        }
        if (!overwrite && NewDirectory.isTaken(directory)) {
            throw new IOException(
                    directory + " exists. Use --overwrite to replace the model in it, or choose another --model");
        }
    }

    /// Whether there is nothing but a model.
    static boolean isReplaceable(Path place) throws IOException {
        try {
            return otherThanModel(place) == null;
        } catch (NoSuchFileException e) {
            return true;
        } catch (NotDirectoryException e) {
            return false;
        }
    }

    /// The name of a file in `directory` that is no model's, or null.
    private static String otherThanModel(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.equals(StoredModel.JSON) && !Shards.Shard.isName(name)) {
                    return name;
                }
            }
        }
        return null;
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
        write(model, directory, overwrite, shardBytes);
    }

    /// Writes a model that is not to be lost: where [#save] would refuse the place, it goes beside that, and what is
    /// thrown says where it is.
    public static void keep(LinearModel model, Path directory, boolean overwrite) throws IOException {
        write(model, directory, overwrite, SHARD_BYTES);
    }

    private static void write(LinearModel model, Path directory, boolean overwrite, long shardBytes)
            throws IOException {
        LinearModel stored = model.stored();
        try (NewDirectory aside = NewDirectory.besides(directory)) {
            List<Shards.Shard> shards = Shards.write(stored, aside.path(), shardBytes);
            writeForced(aside.path().resolve(StoredModel.JSON), ModelJson.encode(stored, shards));
            publish(aside, directory, overwrite);
        } catch (Elsewhere e) {
            throw e;
        } catch (IOException e) {
            throw unwritten(directory, e);
        }
    }

    /// Writes a factorisation machine, whole or not at all.
    public static void save(FactorModel model, Path directory, boolean overwrite) throws IOException {
        if (model.dimension() == 0) {
            save(model.weights(), directory, overwrite);
            return;
        }
        try (ModelDraft draft = ModelDraft.of(directory, overwrite)) {
            List<RangeFile> files = new ArrayList<>();
            for (int output = 0; output < model.weights().outputs(); output++) {
                files.add(model.write(output, draft.directory()));
            }
            draft.publish(model.card(), model.weights().intercepts(), files);
        }
    }

    /// Puts what is filled in its place, or says where else it is.
    static void publish(NewDirectory aside, Path directory, boolean overwrite) throws IOException {
        Path at = aside.publish(overwrite);
        if (!at.equals(aside.place())) {
            throw new Elsewhere(directory + " is there by now and was left as it is; this model is in " + at
                    + ". Move it where it should be");
        }
    }

    /// Nothing went wrong in writing, but the place was taken.
    static final class Elsewhere extends IOException {
        Elsewhere(String message) {
            super(message);
        }
    }

    static IOException unwritten(Path directory, IOException e) {
        return new IOException(
                directory + " could not be written: " + AtomicFile.reason(e) + ". Nothing was left half-written", e);
    }

    public static LinearModel load(Path directory) throws IOException {
        return StoredModel.at(directory).load();
    }

    static void writeForced(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
