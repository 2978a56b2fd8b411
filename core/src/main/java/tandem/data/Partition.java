package tandem.data;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import tandem.math.Hash;
import tandem.math.Mix;
import tandem.math.RadixSort;

/// Rows cut into parts that have many keys in common, by [Parsa], and keys given to the parts that need them.
public final class Partition {

    public static final int MOST_PARTS = Parsa.MOST_PARTS;

    /// Rows that are looked at together.
    public static final int BLOCK_ROWS = 100_000;

    /// Which part each row is of is in one array.
    private static final int MOST_ROWS = Integer.MAX_VALUE - 8;

    private static final int PIECE = 1 << 16;

    private final int parts;
    private final byte[] assigned;
    private final long[] keys;
    private final byte[] owners;
    private final Figures figures;

    private Partition(int parts, byte[] assigned, long[] keys, byte[] owners, Figures figures) {
        this.parts = parts;
        this.assigned = assigned;
        this.keys = keys;
        this.owners = owners;
        this.figures = figures;
    }

    /// What became of the traffic.
    ///
    /// @param rows   how many there are
    /// @param keys   how many distinct ones they have
    /// @param random rows and keys anywhere
    /// @param dealt  rows in parts, keys anywhere
    /// @param parsa  rows in parts, keys at parts that need them
    public record Figures(int parts, long rows, long keys, PartTraffic random, PartTraffic dealt, PartTraffic parsa) {}

    /// Cuts the rows of `data`, in the order of its first pass.
    ///
    /// @param blockRows how many rows are looked at together: more give better parts and take more memory
    /// @param progress  hears how far that is, from 0 to 1
    public static Partition of(Batches data, int parts, int blockRows, DoubleConsumer progress) throws IOException {
        Parsa parsa = new Parsa(parts, blockRows);
        KeyNumbers numbers = new KeyNumbers();
        List<long[]> anywhere = new ArrayList<>();
        long[] dealtRows = new long[parts];
        Batch batch = new Batch();
        Batches.Pass pass = data.pass(0, 0);
        int seen = 0;
        while (pass.next(batch)) {
            if (seen > MOST_ROWS - batch.rows()) {
                throw new IOException(
                        "more than " + MOST_ROWS + " rows cannot be cut into parts at once; cut the data first");
            }
            int[] local = local(batch, numbers);
            for (int row = 0; row < batch.rows(); row++, seen++) {
                int part = seen % parts;
                dealtRows[part]++;
                for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                    int key = local[batch.positions()[at]];
                    parsa.add(key);
                    need(anywhere, key, part);
                }
                parsa.end();
            }
            progress.accept(data.progress());
        }
        byte[] assigned = parsa.parts();
        long[] keys = numbers.keys();
        long[] needed = parsa.needed();
        byte[] owners = Parsa.owners(counts(data, numbers, assigned, needed), parts);
        byte[] random = new byte[keys.length];
        for (int k = 0; k < random.length; k++) {
            random[k] = (byte) Math.unsignedMultiplyHigh(Hash.number(1, keys[k]), parts);
        }
        long[] rows = new long[parts];
        for (byte part : assigned) {
            rows[part]++;
        }
        return new Partition(
                parts,
                assigned,
                keys,
                owners,
                new Figures(
                        parts,
                        seen,
                        keys.length,
                        PartTraffic.of(dealtRows, flat(anywhere, keys.length), random),
                        PartTraffic.of(rows, needed, random),
                        PartTraffic.of(rows, needed, owners)));
    }

    /// Reads the rows again, to see how often each part needs each key.
    private static PartCounts counts(Batches data, KeyNumbers numbers, byte[] assigned, long[] needed)
            throws IOException {
        PartCounts counts = new PartCounts(needed);
        Batch batch = new Batch();
        Batches.Pass pass = data.pass(0, 0);
        int seen = 0;
        while (pass.next(batch)) {
            int[] local = local(batch, numbers);
            for (int row = 0; row < batch.rows(); row++, seen++) {
                for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                    counts.add(local[batch.positions()[at]], assigned[seen]);
                }
            }
        }
        return counts;
    }

    /// The number of each key of a batch.
    private static int[] local(Batch batch, KeyNumbers numbers) {
        int[] local = new int[batch.keyCount()];
        for (int k = 0; k < local.length; k++) {
            local[k] = numbers.number(batch.keys()[k]);
        }
        return local;
    }

    private static void need(List<long[]> masks, int key, int part) {
        while (masks.size() <= key / PIECE) {
            masks.add(new long[PIECE]);
        }
        masks.get(key / PIECE)[key % PIECE] |= 1L << part;
    }

    private static long[] flat(List<long[]> masks, int count) {
        long[] all = new long[count];
        for (int key = 0; key < count; key++) {
            all[key] = masks.get(key / PIECE)[key % PIECE];
        }
        return all;
    }

    public Figures figures() {
        return figures;
    }

    /// The part of a row, by its place in the first pass.
    int part(long row) {
        return assigned[(int) row];
    }

    int parts() {
        return parts;
    }

    /// Keys by which the features of a part can be held together.
    public KeyPlaces places() {
        return KeyPlaces.of(keys, owners, parts);
    }

    /// The same rows in batches of one part each: batch `b` is of part `b % parts`, and stays with it in every pass.
    ///
    /// @param data   what was cut
    /// @param places which keys features have there
    /// @param cache  where the file with those batches goes
    public Batches regrouped(Batches data, KeyPlaces places, Path cache) throws IOException {
        PartCache.write(this, (CachedBatches) data, places, cache);
        return Batches.open(cache);
    }

    /// Refuses names of classes that would not be read as the same from what [#write] writes.
    public static void check(Labels labels) throws BadData {
        for (String name : labels.names()) {
            Optional<String> why = LibSvmParser.unreadable(name);
            if (why.isPresent()) {
                throw new BadData("label '" + name + "' cannot be written as LIBSVM, where " + why.get()
                        + "; rename it in the data, for example to " + name.replaceAll("[\\s:,#]", "_"));
            }
        }
    }

    /// Writes the rows of each part as LIBSVM text, `part-00001-of-0000N.svm` and so on, and `_keys.tsv`: which part
    /// each id belongs to. What cannot be written is a [FileSystemException].
    ///
    /// @param data what was cut
    public void write(Batches data, Path directory) throws IOException {
        check(data.labels());
        Files.createDirectories(directory);
        Batches.Pass pass = data.pass(0, 0);
        try (PartTexts files = new PartTexts(directory)) {
            Batch batch = new Batch();
            int seen = 0;
            while (pass.next(batch)) {
                for (int row = 0; row < batch.rows(); row++) {
                    files.write(part(seen++), line(batch, row, data.labels()));
                }
            }
            files.write(parts, "id\tpart\n");
            for (int k = 0; k < keys.length; k++) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted while parts were written");
                }
                files.write(parts, Long.toUnsignedString(Mix.unmix(keys[k])) + "\t" + (owners[k] + 1) + "\n");
            }
        }
    }

    /// The files of all parts, and of keys as the last.
    private final class PartTexts implements Closeable {

        private final Path directory;
        private final List<BufferedWriter> files = new ArrayList<>();

        PartTexts(Path directory) throws IOException {
            this.directory = directory;
            try {
                for (int part = 0; part < parts; part++) {
                    open(String.format(Locale.ROOT, "part-%05d-of-%05d.svm", part + 1, parts));
                }
                open("_keys.tsv");
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        private void open(String name) throws IOException {
            files.add(Files.newBufferedWriter(directory.resolve(name)));
        }

        void write(int file, String line) throws IOException {
            try {
                files.get(file).write(line);
            } catch (IOException e) {
                throw unwritten(e);
            }
        }

        /// All of them, also where one cannot be.
        @Override
        public void close() throws IOException {
            IOException failed = null;
            for (BufferedWriter file : files) {
                try {
                    file.close();
                } catch (IOException e) {
                    failed = unwritten(e);
                }
            }
            if (failed != null) {
                throw failed;
            }
        }

        private IOException unwritten(IOException e) {
            return new FileSystemException(directory.toString(), null, e.getMessage());
        }
    }

    private static String line(Batch batch, int row, Labels labels) {
        StringBuilder line = new StringBuilder(label(batch.labels()[row], labels));
        float weight = batch.weights()[row];
        if (weight != 1) {
            line.append(':').append(number(weight));
        }
        int count = batch.starts()[row + 1] - batch.starts()[row];
        long[] ids = new long[count];
        double[] values = new double[count];
        for (int e = 0; e < count; e++) {
            int at = batch.starts()[row] + e;
            ids[e] = Mix.unmix(batch.keys()[batch.positions()[at]]);
            values[e] = batch.values()[at];
        }
        RadixSort.sort(ids, values);
        for (int e = 0; e < count; e++) {
            line.append(' ').append(Long.toUnsignedString(ids[e])).append(':').append(number(values[e]));
        }
        return line.append('\n').toString();
    }

    /// Where only rows of weight 0 have a label, it is none, and any number stands for it.
    private static String label(double label, Labels labels) {
        if (labels.numeric()) {
            return Double.isNaN(label) ? "0" : number(label);
        }
        return label < 0 ? "0" : labels.names().get((int) label);
    }

    /// As short as gives back the same float, or the same double.
    private static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1 << 24) {
            return Long.toString((long) value);
        }
        return (float) value == value ? Float.toString((float) value) : Double.toString(value);
    }
}
