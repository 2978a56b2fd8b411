package tandem.model;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import tandem.math.Mix;
import tandem.problem.Diverged;
import tandem.report.AtomicFile;

/// A model on disk that is known but not loaded: its weights are read where and as far as they are needed.
public final class StoredModel {

    static final String JSON = "model.json";

    private final Path directory;
    private final ModelJson json;

    private StoredModel(Path directory, ModelJson json) {
        this.directory = directory;
        this.json = json;
    }

    /// Reads `model.json` and nothing else.
    public static StoredModel at(Path directory) throws IOException {
        Path file = directory.resolve(JSON);
        if (!Files.isRegularFile(file)) {
            throw new IOException(missing(directory));
        }
        try {
            return new StoredModel(directory, ModelJson.decode(Files.readString(file)));
        } catch (IOException e) {
            throw new IOException(file + ": " + AtomicFile.reason(e), e);
        }
    }

    public Path directory() {
        return directory;
    }

    public ModelCard card() {
        return json.card();
    }

    /// Whether it was written range by range, so that it can be read so as well.
    public boolean isRanged() {
        return json.isRanged();
    }

    /// The files of one that was.
    List<RangeFile> ranges() {
        return json.ranges();
    }

    /// One an output.
    public double[] intercepts() throws IOException {
        if (json.isRanged()) {
            return json.intercepts();
        }
        try {
            return Shards.intercepts(json.shards().getFirst(), directory);
        } catch (IOException e) {
            throw inside(e);
        }
    }

    /// All of it, in memory. Only of a linear model.
    public LinearModel load() throws IOException {
        if (card().dimension() > 0) {
            throw new IOException(directory + " is a factorisation machine, whose scores are not those of its weights"
                    + " alone; use predict, evaluate, inspect and export, or from Java StoredModel.scorer()");
        }
        return loadWeights();
    }

    /// Its weights, in memory, without the factors that there may be beside them.
    public LinearModel loadWeights() throws IOException {
        try {
            ModelCard card = card();
            Shards.Content content = json.isRanged()
                    ? RangeFiles.read(json.ranges(), directory, card.outputs(), json.intercepts())
                    : Shards.read(json.shards(), directory, card.outputs());
            return new LinearModel(
                    card.loss(),
                    card.classes(),
                    content.ids(),
                    content.weights(),
                    content.intercepts(),
                    card.precision(),
                    card.schema(),
                    card.provenance());
        } catch (IOException | IllegalArgumentException | Diverged e) {
            throw inside(e);
        }
    }

    /// Its weights and, beside those of a factorisation machine, its factors, all of it in memory.
    public FactorModel loadFactors() throws IOException {
        LinearModel weights = loadWeights();
        int dimension = card().dimension();
        if (dimension == 0) {
            return FactorModel.linear(weights);
        }
        List<List<FactorRows>> rows = new ArrayList<>();
        for (int k = 0; k < weights.outputs(); k++) {
            rows.add(new ArrayList<>());
        }
        visitFactors((_, _, _) -> true, (output, factors) -> rows.get(output).add(factors));
        long[] ids = LongStream.concat(
                        Arrays.stream(weights.ids()),
                        rows.stream()
                                .flatMap(List::stream)
                                .flatMapToLong(
                                        some -> Arrays.stream(some.keys()).map(Mix::unmix)))
                .map(id -> id ^ Long.MIN_VALUE)
                .sorted()
                .distinct()
                .map(id -> id ^ Long.MIN_VALUE)
                .toArray();
        float[][] factors = new float[rows.size()][Math.multiplyExact(ids.length, dimension)];
        for (int k = 0; k < factors.length; k++) {
            for (FactorRows some : rows.get(k)) {
                some.spread(ids, factors[k]);
            }
        }
        return new FactorModel(weights.over(ids), dimension, factors, card().span());
    }

    /// How many features have factors, over all outputs; 0 in a linear model.
    public long factored() throws IOException {
        if (card().dimension() == 0) {
            return 0;
        }
        try (MappedModel mapped = MappedModel.open(card(), json.intercepts(), json.ranges(), directory, false)) {
            return mapped.factored();
        } catch (IOException e) {
            throw inside(e);
        }
    }

    /// Scores with it: from its files, in memory that does not grow with it, if it was written range by range;
    /// otherwise from memory.
    public BatchScorer scorer() throws IOException {
        if (!json.isRanged()) {
            return new Scorer(load());
        }
        try {
            return MappedModel.open(card(), json.intercepts(), json.ranges(), directory, true);
        } catch (IOException e) {
            throw inside(e);
        }
    }

    /// Shows the weights that are not zero and whose keys somebody wants, file by file. A file in which none can be is
    /// passed over, and every other is read after its checksum was found right.
    public void visit(Wanted wanted, Visitor visitor) throws IOException {
        try {
            if (json.isRanged()) {
                RangeFiles.visit(json.ranges(), directory, card().outputs(), wanted, visitor);
            } else {
                Shards.visit(json.shards(), directory, card().outputs(), wanted, visitor);
            }
        } catch (IOException e) {
            throw inside(e);
        }
    }

    /// Shows the factors, file by file as far as somebody wants their keys, each file after its checksum was found
    /// right.
    public void visitFactors(Wanted wanted, FactorVisitor visitor) throws IOException {
        if (card().dimension() > 0) {
            try {
                RangeFiles.visitFactors(json.ranges(), directory, card(), wanted, visitor);
            } catch (IOException e) {
                throw inside(e);
            }
        }
    }

    /// Sees the factors of a file, and for which output they are.
    @FunctionalInterface
    public interface FactorVisitor {
        void visit(int output, FactorRows factors) throws IOException;
    }

    /// Whether somebody wants a key from `first` to `last`, as unsigned, of an output.
    @FunctionalInterface
    public interface Wanted {
        boolean wants(int output, long first, long last);
    }

    /// Sees the first `count` of `keys` and their weights for an output. The arrays are used again.
    @FunctionalInterface
    public interface Visitor {
        void visit(int output, long[] keys, double[] weights, int count);
    }

    /// Hands on those of some ids that are wanted; both arrays are used for it.
    static void show(int output, long[] ids, double[] weights, Wanted wanted, Visitor visitor) {
        int count = 0;
        for (int i = 0; i < ids.length; i++) {
            long key = Mix.mix(ids[i]);
            if (weights[i] != 0 && wanted.wants(output, key, key)) {
                weights[count] = weights[i];
                ids[count++] = key;
            }
        }
        visitor.visit(output, ids, weights, count);
    }

    private IOException inside(Exception e) {
        return new IOException(directory + "/" + e.getMessage(), e);
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
}
