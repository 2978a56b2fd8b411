package tandem.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tandem.problem.Diverged;

/// A model directory while it is being filled, by many at once: each writes the files of its own ranges, and who knows
/// all of them publishes it. Until then the old model is in its place, or none; what is not published is deleted.
public final class ModelDraft implements Closeable {

    private final Path place;
    private final boolean overwrite;
    private final NewDirectory aside;

    private ModelDraft(Path place, boolean overwrite, NewDirectory aside) {
        this.place = place;
        this.overwrite = overwrite;
        this.aside = aside;
    }

    /// One of this process that will be at `place`.
    public static ModelDraft of(Path place, boolean overwrite) throws IOException {
        return of(place, overwrite, ProcessHandle.current().pid());
    }

    /// One that will be at `place`, which is refused at once if a model may not go there.
    ///
    /// @param owner the process that it is of use to as long as that runs
    public static ModelDraft of(Path place, boolean overwrite, long owner) throws IOException {
        ModelDirectory.check(place, overwrite);
        try {
            return new ModelDraft(place, overwrite, NewDirectory.besides(place, owner));
        } catch (IOException e) {
            throw ModelDirectory.unwritten(place, e);
        }
    }

    /// The one that a process which is no more began with the same arguments, and may have published.
    public static ModelDraft again(Path place, boolean overwrite, long owner) throws IOException {
        return new ModelDraft(place, overwrite, NewDirectory.again(place, owner));
    }

    /// Where the files of ranges are written, and are in the end.
    public Path directory() {
        return aside.isPublished() ? place : aside.path();
    }

    /// Puts files whose keys lie anywhere together, so that each has the keys of its range; the files to publish then.
    public List<RangeFile> joined(List<RangeFile> files, ModelCard card) throws IOException {
        return aside.isPublished() ? StoredModel.at(place).ranges() : RangeFiles.joined(files, directory(), card);
    }

    /// Puts the model in its place, with these files and no others. They are held against what their writers said of
    /// them. If the place has been taken meanwhile and what is there may not be replaced, the model goes beside it,
    /// and what is thrown says where.
    public void publish(ModelCard card, double[] intercepts, List<RangeFile> files) throws IOException {
        if (aside.isPublished()) {
            return;
        }
        RangeFiles.byOutput(files, card.outputs());
        for (int k = 0; k < intercepts.length; k++) {
            if (!Double.isFinite(intercepts[k])) {
                throw Diverged.weight("an intercept is " + intercepts[k]);
            }
        }
        try {
            for (RangeFile file : files) {
                Path path = directory().resolve(file.file());
                if (!Files.isRegularFile(path) || Files.size(path) != file.bytes()) {
                    throw new IOException(file.file() + " is not as it was written");
                }
            }
            sweep(files.stream().map(RangeFile::file).toList());
            ModelDirectory.writeForced(
                    directory().resolve(StoredModel.JSON), ModelJson.encode(card, intercepts, files));
            ModelDirectory.publish(aside, place, overwrite);
        } catch (ModelDirectory.Elsewhere e) {
            throw e;
        } catch (IOException e) {
            throw ModelDirectory.unwritten(place, e);
        }
    }

    /// Removes what was written and is not wanted.
    private void sweep(List<String> kept) throws IOException {
        try (Stream<Path> all = Files.list(directory())) {
            for (Path file : all.toList()) {
                if (!kept.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        aside.close();
    }
}
