package tandem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tandem.model.RangeFile;
import tandem.report.Json;
import tandem.wire.Reached;

/// What a checkpoint of a run on servers and workers says of itself, beside its files: where the run was, and what each
/// file must be.
///
/// @param settings what must be the same for a run to go on from here
/// @param shards   how many shards the weights of a problem are cut into, for good
/// @param reached  how far each stream had come
/// @param place    where in the passes that was
/// @param saved    the problems that are done, whose weights are files of the model
/// @param best     how the problem in hand did best so far
/// @param rows     the files of the rows of all shards
record Manifest(
        int format,
        String settings,
        int shards,
        Reached reached,
        Place place,
        List<SavedProblem> saved,
        Best best,
        List<ShardFile> rows) {

    /// Whatever is left out of a file is null, and refused.
    Manifest {
        Stream.of(settings, reached, place, best).forEach(Objects::requireNonNull);
        saved = List.copyOf(saved);
        rows = List.copyOf(rows);
    }

    static final int FORMAT = 4;
    static final String FILE = "manifest.json";
    private static final String SUM = "manifest.sha256";
    private static final Pattern WEIGHTS = Pattern.compile("weights-\\d{5,9}-of-\\d{5,9}\\.safetensors");

    /// @param rounds passes that came before, over all problems
    /// @param course where a solver is that goes to the optimum; null for others, and before it has begun
    record Place(int problem, int pass, long rounds, CourseState course) {

        static final Place FIRST = new Place(0, 0, 0);

        Place(int problem, int pass, long rounds) {
            this(problem, pass, rounds, null);
        }

        /// Iterations so far, as a report counts them.
        long iterations() {
            return course == null ? rounds : course.done();
        }
    }

    /// @param loss        the least on held-out examples; infinite if there has been none
    /// @param worsePasses passes since then
    /// @param weights     the weights then; null if they are those in hand
    record Best(double loss, int worsePasses, SavedProblem weights) {

        static final Best NONE = new Best(Double.POSITIVE_INFINITY, 0, null);
    }

    /// The same with files of rows.
    Manifest with(List<ShardFile> files) {
        return new Manifest(format, settings, shards, reached, place, saved, best, files);
    }

    /// Files of weights that were put into the model so far.
    Stream<RangeFile> weights() {
        return Stream.concat(saved.stream(), Stream.ofNullable(best.weights))
                .flatMap(problem -> problem.files().stream());
    }

    /// Writes it and its checksum into the directory that has the files.
    void write(Path directory) throws IOException {
        byte[] bytes = Json.bytes(this);
        Generations.writeForced(directory.resolve(FILE), bytes);
        Generations.writeForced(directory.resolve(SUM), sum(bytes));
    }

    /// As `sha256sum -c` reads it.
    private static byte[] sum(byte[] bytes) {
        String hex = HexFormat.of().formatHex(ShardFile.sha256Digest().digest(bytes));
        return (hex + "  " + FILE + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// The one of a checkpoint, once it and all files are found to be what was written.
    static Manifest read(Path directory) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve(FILE));
        if (!Arrays.equals(sum(bytes), Files.readAllBytes(directory.resolve(SUM)))) {
            throw new IOException(FILE + " is damaged: it is not what " + SUM + " says");
        }
        Manifest manifest = decode(bytes);
        manifest.verify(directory);
        return manifest;
    }

    /// The one that is written so; of its files nothing is known yet.
    static Manifest decode(byte[] bytes) throws IOException {
        Manifest manifest;
        try {
            manifest = Json.read(bytes, Manifest.class);
        } catch (IllegalArgumentException e) {
            throw new IOException(FILE + " is of another version of Tandem, or none of a checkpoint", e);
        }
        if (manifest == null || manifest.format != FORMAT) {
            throw new IOException(FILE + " has format " + (manifest == null ? 0 : manifest.format)
                    + "; this version reads " + FORMAT);
        }
        return manifest;
    }

    /// Refuses files that are not as it says.
    void verify(Path directory) throws IOException {
        TreeSet<String> names = new TreeSet<>(List.of(FILE, SUM));
        for (ShardFile file : rows) {
            names.add(file.place().file());
            ShardFile.verify(file.place().in(directory), file.bytes(), file.sha256());
        }
        for (RangeFile file : weights().toList()) {
            if (!WEIGHTS.matcher(file.file()).matches()) {
                throw new IOException("it names a file that no run writes");
            }
            names.add(file.file());
            ShardFile.verify(directory.resolve(file.file()), file.bytes(), file.sha256());
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<String> there =
                    files.map(file -> file.getFileName().toString()).sorted().toList();
            if (!there.equals(List.copyOf(names))) {
                throw new IOException("it has other files than it says");
            }
        }
    }
}
