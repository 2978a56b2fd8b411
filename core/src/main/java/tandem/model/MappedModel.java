package tandem.model;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tandem.data.Batch;
import tandem.math.Mix;
import tandem.math.Pairs;

/// Scores with a model that stays in its files, which the system pages in and out: its own memory is some bytes a
/// file and some a key of a batch. Any number of threads may use one.
public final class MappedModel implements BatchScorer {

    /// Keys are mixed, so they spread evenly and a guess by proportion is good. After so many guesses the range was
    /// not even, and is halved instead.
    private static final int GUESSES = 8;

    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble F64 =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ModelCard card;
    private final double[] intercepts;
    private final List<List<Range>> ranges = new ArrayList<>();

    /// The same for factors, if there are any.
    private final List<List<Range>> factors = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private long size;

    private MappedModel(ModelCard card, double[] intercepts) {
        this.card = card;
        this.intercepts = intercepts;
    }

    /// Opens the `files` of a model in `directory`; `verified` reads each once to see that it is whole.
    public static MappedModel open(
            ModelCard card, double[] intercepts, List<RangeFile> files, Path directory, boolean verified)
            throws IOException {
        MappedModel model = new MappedModel(card, intercepts);
        try {
            for (List<RangeFile> ofOutput : RangeFiles.byOutput(files, card.outputs())) {
                List<Range> opened = new ArrayList<>();
                List<Range> openedFactors = new ArrayList<>();
                for (RangeFile file : ofOutput) {
                    file.verify(directory, verified);
                    opened.add(model.map(file, directory));
                    if (card.dimension() > 0) {
                        openedFactors.add(model.mapFactors(file, directory));
                    }
                    model.size += file.ids();
                }
                model.ranges.add(opened);
                model.factors.add(openedFactors);
            }
            return model;
        } catch (IOException | RuntimeException e) {
            model.close();
            throw e;
        }
    }

    private Range map(RangeFile file, Path directory) throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(file.file()))) {
            MemorySegment ids = reader.map("ids", arena, Safetensors.Type.U64);
            Safetensors.Type type = Safetensors.Type.valueOf(card.precision().name());
            MemorySegment weights = reader.map("weights", arena, type);
            if (ids.byteSize() != 8 * file.ids() || weights.byteSize() != type.bytes * file.ids()) {
                throw new IOException("it has " + ids.byteSize() / 8 + " ids and " + weights.byteSize() / type.bytes
                        + " weights; " + file.ids() + " of each were expected");
            }
            return new Range(file.first(), file.ids(), ids, weights, type == Safetensors.Type.F64);
        } catch (IOException e) {
            throw file.damaged(e.getMessage());
        }
    }

    private Range mapFactors(RangeFile file, Path directory) throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(directory.resolve(file.file()))) {
            MemorySegment ids = reader.map(RangeFile.FACTOR_IDS, arena, Safetensors.Type.U64);
            MemorySegment values = reader.map(RangeFile.FACTORS, arena, Safetensors.Type.F32);
            long count = ids.byteSize() / Long.BYTES;
            if (values.byteSize() != count * card.dimension() * Float.BYTES) {
                throw new IOException("it has factors of " + count + " features, and " + values.byteSize() / Float.BYTES
                        + " numbers; each has " + card.dimension());
            }
            return new Range(file.first(), count, ids, values, false);
        } catch (IOException e) {
            throw file.damaged(e.getMessage());
        }
    }

    @Override
    public ModelCard card() {
        return card;
    }

    @Override
    public long size() {
        return size;
    }

    /// How many features have factors, over all outputs.
    long factored() {
        return factors.stream().flatMap(List::stream).mapToLong(Range::count).sum();
    }

    @Override
    public void scores(Batch batch, double[] into) {
        double[] weights = new double[batch.keyCount()];
        int outputs = card.outputs();
        for (int k = 0; k < outputs; k++) {
            find(k, batch, weights);
            for (int row = 0; row < batch.rows(); row++) {
                double sum = intercepts[k];
                for (int entry = batch.starts()[row]; entry < batch.starts()[row + 1]; entry++) {
                    sum += weights[batch.positions()[entry]] * batch.values()[entry];
                }
                into[row * outputs + k] = sum;
            }
            if (card.dimension() > 0) {
                addPairs(k, batch, into);
            }
        }
    }

    /// Adds what pairs of features mean together.
    private void addPairs(int output, Batch batch, double[] into) {
        int dimension = card.dimension();
        float[] values = new float[Math.multiplyExact(batch.keyCount(), dimension)];
        boolean[] has = new boolean[batch.keyCount()];
        walk(factors.get(output), batch, (at, range, place) -> {
            has[at] = place >= 0;
            for (int f = 0; f < dimension && has[at]; f++) {
                values[at * dimension + f] = range.weights.getAtIndex(F32, place * dimension + f);
            }
        });
        Pairs pairs = new Pairs(dimension);
        for (int row = 0; row < batch.rows(); row++) {
            pairs.clear();
            for (int entry = batch.starts()[row]; entry < batch.starts()[row + 1]; entry++) {
                int at = batch.positions()[entry];
                if (has[at]) {
                    pairs.add(values, at * dimension, batch.values()[entry]);
                }
            }
            into[row * card.outputs() + output] += pairs.value();
        }
    }

    @Override
    public int known(Batch batch) {
        double[] weights = new double[batch.keyCount()];
        boolean[] known = new boolean[batch.keyCount()];
        for (int k = 0; k < card.outputs(); k++) {
            find(k, batch, weights);
            for (int i = 0; i < known.length; i++) {
                known[i] |= weights[i] != 0;
            }
        }
        int count = 0;
        for (boolean one : known) {
            count += one ? 1 : 0;
        }
        return count;
    }

    /// The weights of the keys of a batch.
    private void find(int output, Batch batch, double[] weights) {
        walk(ranges.get(output), batch, (at, range, place) -> weights[at] = place < 0 ? 0 : range.weight(place));
    }

    /// Hears where the key number `at` of a batch is in the range that it belongs to; negative if it is not there.
    private interface Found {
        void at(int at, Range range, long place);
    }

    /// Looks up the keys of a batch, which rise, so that files are gone through once from front to back.
    private static void walk(List<Range> all, Batch batch, Found found) {
        long[] keys = batch.keys();
        int at = 0;
        for (int r = 0; r < all.size(); r++) {
            Range range = all.get(r);
            boolean last = r + 1 == all.size();
            long lastKey = last ? -1 : all.get(r + 1).firstKey - 1;
            long before = range.firstKey;
            long from = 0;
            for (; at < batch.keyCount() && Long.compareUnsigned(keys[at], lastKey) <= 0; at++) {
                long place = range.search(keys[at], from, before, lastKey);
                found.at(at, range, place);
                from = place < 0 ? ~place : place;
                before = keys[at];
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    /// The weights of a file, by mixed key.
    private record Range(long firstKey, long count, MemorySegment ids, MemorySegment weights, boolean doubles) {

        double weight(long place) {
            return doubles ? weights.getAtIndex(F64, place) : weights.getAtIndex(F32, place);
        }

        /// Where `key` is, or −1 − the place where it would be. Keys before place `from` are less than `lowKey`, and
        /// all are at most `highKey`.
        long search(long key, long from, long lowKey, long highKey) {
            long low = from;
            long high = count;
            long least = lowKey;
            long most = highKey;
            for (int probes = 0; low < high; probes++) {
                long place = probes < GUESSES
                        ? low + Math.min(high - low - 1, (long) (share(key, least, most) * (high - low)))
                        : low + (high - low) / 2;
                long found = Mix.mix(ids.getAtIndex(U64, place));
                int order = Long.compareUnsigned(found, key);
                if (order == 0) {
                    return place;
                }
                if (order < 0) {
                    low = place + 1;
                    least = found;
                } else {
                    high = place;
                    most = found;
                }
            }
            return ~low;
        }

        /// How far `key` is on the way from `least` to `most`, from 0 to 1.
        private static double share(long key, long least, long most) {
            return (double) ((key - least) >>> 1) / Math.max(1, (most - least) >>> 1);
        }
    }
}
