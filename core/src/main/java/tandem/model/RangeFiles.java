package tandem.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.math.SortedIds;

/// The files of a model that many wrote together, by output and range.
final class RangeFiles {

    private RangeFiles() {}

    /// The files of each output in the order of their keys. Refuses a list that leaves a gap or names a range twice.
    static List<List<RangeFile>> byOutput(List<RangeFile> files, int outputs) throws IOException {
        List<List<RangeFile>> all = new ArrayList<>();
        for (int k = 0; k < outputs; k++) {
            int output = k;
            List<RangeFile> ordered = files.stream()
                    .filter(file -> file.output() == output)
                    .sorted(Comparator.comparing(RangeFile::first, Long::compareUnsigned))
                    .toList();
            if (ordered.isEmpty() || ordered.getFirst().first() != 0) {
                throw new IOException("model.json: the files of output " + k + " do not start at key 0;"
                        + " restore it from a copy or train again");
            }
            for (int f = 1; f < ordered.size(); f++) {
                if (ordered.get(f).first() == ordered.get(f - 1).first()) {
                    throw new IOException("model.json: two files of output " + k + " start at key "
                            + ordered.get(f).firstKey() + "; restore it from a copy or train again");
                }
            }
            all.add(ordered);
        }
        return all;
    }

    /// All weights of all outputs, in memory, each file only after its checksum was found right.
    static Shards.Content read(List<RangeFile> files, Path directory, int outputs, double[] intercepts)
            throws IOException {
        long[][] ids = new long[outputs][];
        double[][] weights = new double[outputs][];
        List<List<RangeFile>> ordered = byOutput(files, outputs);
        for (int k = 0; k < outputs; k++) {
            Content content = read(ordered.get(k), directory);
            ids[k] = content.ids;
            weights[k] = content.weights;
            RadixSort.sort(ids[k], weights[k]);
        }
        long[] all = Arrays.stream(ids).reduce(SortedIds::union).orElseThrow();
        for (int k = 0; k < outputs; k++) {
            weights[k] = SortedIds.spread(ids[k], weights[k], all);
        }
        return new Shards.Content(all, weights, intercepts);
    }

    /// Puts the files of each output, whose keys may lie anywhere, into one that has all keys for its range. One output
    /// is in memory at a time.
    static List<RangeFile> joined(List<RangeFile> files, Path directory, ModelCard card) throws IOException {
        List<RangeFile> all = new ArrayList<>();
        for (List<RangeFile> ofOutput : byOutput(files, card.outputs())) {
            Content content = read(ofOutput, directory);
            long[] keys = content.ids;
            Arrays.setAll(keys, k -> Mix.mix(keys[k]));
            RadixSort.sort(keys, content.weights);
            List<FactorRows> factors = new ArrayList<>();
            for (int f = 0; f < ofOutput.size() && card.dimension() > 0; f++) {
                factors.add(factors(ofOutput.get(f), directory, card.dimension()));
            }
            KeyRange range = new KeyRange(all.size(), all.size() + 1, card.outputs(), 0);
            all.add(RangeFile.write(
                    directory, range, keys, content.weights, card.precision(), FactorRows.joined(factors)));
        }
        return all;
    }

    /// The weights of one output, file after file, each only after its checksum was found right.
    private static Content read(List<RangeFile> ofOutput, Path directory) throws IOException {
        long total = 0;
        for (RangeFile file : ofOutput) {
            file.verify(directory, true);
            total += file.ids();
        }
        if (total > Integer.MAX_VALUE - 8) {
            throw new IOException("a model of " + total + " weights does not fit in one process");
        }
        Content all = new Content(new long[(int) total], new double[(int) total]);
        int at = 0;
        for (RangeFile file : ofOutput) {
            Content content = read(file, directory);
            System.arraycopy(content.ids, 0, all.ids, at, content.ids.length);
            System.arraycopy(content.weights, 0, all.weights, at, content.ids.length);
            at += content.ids.length;
        }
        return all;
    }

    /// Shows the weights whose keys are wanted, file by file, without those in which none can be.
    static void visit(
            List<RangeFile> files, Path directory, int outputs, StoredModel.Wanted wanted, StoredModel.Visitor visitor)
            throws IOException {
        for (RangeFile file : wanted(files, outputs, wanted)) {
            file.verify(directory, true);
            Content content = read(file, directory);
            StoredModel.show(file.output(), content.ids, content.weights, wanted, visitor);
        }
    }

    /// The same for factors, of which those are shown too that only lie in a file with others.
    static void visitFactors(
            List<RangeFile> files,
            Path directory,
            ModelCard card,
            StoredModel.Wanted wanted,
            StoredModel.FactorVisitor visitor)
            throws IOException {
        for (RangeFile file : wanted(files, card.outputs(), wanted)) {
            file.verify(directory, true);
            visitor.visit(file.output(), factors(file, directory, card.dimension()));
        }
    }

    /// The files in which something is that is wanted, by output and in the order of their keys.
    private static List<RangeFile> wanted(List<RangeFile> files, int outputs, StoredModel.Wanted wanted)
            throws IOException {
        List<RangeFile> all = new ArrayList<>();
        for (List<RangeFile> ordered : byOutput(files, outputs)) {
            for (int f = 0; f < ordered.size(); f++) {
                RangeFile file = ordered.get(f);
                long last = f + 1 == ordered.size() ? -1 : ordered.get(f + 1).first() - 1;
                if (wanted.wants(file.output(), file.first(), last)) {
                    all.add(file);
                }
            }
        }
        return all;
    }

    private static FactorRows factors(RangeFile file, Path directory, int dimension) throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(file.file()))) {
            long[] keys = reader.longs(RangeFile.FACTOR_IDS);
            Arrays.setAll(keys, k -> Mix.mix(keys[k]));
            double[] read = reader.doubles(RangeFile.FACTORS);
            float[] values = new float[read.length];
            for (int v = 0; v < values.length; v++) {
                values[v] = (float) read[v];
            }
            return new FactorRows(dimension, keys, values);
        } catch (IOException | IllegalArgumentException e) {
            throw file.damaged(e.getMessage());
        }
    }

    private record Content(long[] ids, double[] weights) {}

    private static Content read(RangeFile file, Path directory) throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(file.file()))) {
            long[] part = reader.longs("ids");
            double[] values = reader.doubles("weights");
            if (part.length != file.ids() || values.length != part.length) {
                throw new IOException("it has " + part.length + " ids and " + values.length + " weights; " + file.ids()
                        + " of each were expected");
            }
            return new Content(part, values);
        } catch (IOException e) {
            throw file.damaged(e.getMessage());
        }
    }
}
