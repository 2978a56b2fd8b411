package tandem.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/// Where examples are and how to read them.
///
/// `paths` are files, directories (the files in them), globs, or `-` for standard input. Ids keep their
/// low `hashBits` bits (64: all of them). `seed` decides the order of rows in the cache and the order of
/// batches in a pass. `weights` is a file with the weight of each row, one a line, or null.
public record Data(
        List<String> paths,
        Format format,
        BadLines badLines,
        LabelRule labelRule,
        long seed,
        int batchRows,
        int hashBits,
        Part part,
        String weights) {

    /// How many rows a batch has unless told otherwise.
    public static final int BATCH_ROWS = 512;

    /// How many it can have.
    public static final int MOST_BATCH_ROWS = 1 << 16;

    public Data {
        paths = List.copyOf(paths);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("no data; name a file, a directory or - for standard input");
        }
        if (batchRows < 1 || batchRows > MOST_BATCH_ROWS) {
            throw new IllegalArgumentException("batches of " + batchRows + " rows; use 1 to " + MOST_BATCH_ROWS);
        }
        if (hashBits < 1 || hashBits > 64) {
            throw new IllegalArgumentException(hashBits + " hash bits; ids have 64, so use 1 to 64");
        }
    }

    public static Data of(List<String> paths) {
        return new Data(
                paths,
                Format.unknown(),
                new BadLines.Fail(),
                new LabelRule.Collect(),
                1,
                BATCH_ROWS,
                64,
                Part.ALL,
                null);
    }

    public static Data of(String... paths) {
        return of(List.of(paths));
    }

    public Data withFormat(Format format) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withBadLines(BadLines badLines) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withLabelRule(LabelRule labelRule) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withSeed(long seed) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withBatchRows(int batchRows) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withHashBits(int hashBits) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withPart(Part part) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    public Data withWeights(String weights) {
        return new Data(paths, format, badLines, labelRule, seed, batchRows, hashBits, part, weights);
    }

    /// The rows to learn from, and the `fraction` of them held back; drawn by the seed.
    public Split split(double fraction) {
        if (!(fraction > 0 && fraction < 1)) {
            throw new IllegalArgumentException(
                    "a share of " + fraction + " held back for validation; it must be between 0 and 1, such as 0.1");
        }
        return new Split(withPart(new Part(fraction, 1, seed)), withPart(new Part(0, fraction, seed)));
    }

    /// Two parts of the same data that share no row.
    public record Split(Data train, Data validation) {}

    /// The same data with its format found out from the first rows, if it was not known.
    public Data known() throws IOException {
        return known(Sources.find(paths));
    }

    private Data known(List<Source> sources) throws IOException {
        return format instanceof Format.Unknown wanted ? withFormat(Detect.format(sources, wanted)) : this;
    }

    /// Reads the text once, on this thread, and keeps nothing: how many rows there are to learn from.
    public long count() throws IOException {
        List<Source> sources = Sources.find(paths);
        try (Reading reading = Reading.whole(known(sources), sources)) {
            Reading.Reader reader = reading.new Reader();
            boolean more = true;
            while (more) {
                more = reader.next();
            }
            return reading.rows();
        }
    }

    /// Batches straight from the text; nothing is kept.
    public Batches stream() throws IOException {
        List<Source> sources = Sources.find(paths);
        return new TextBatches(known(sources), sources);
    }

    /// Batches from the binary cache in `directory`, which is built first unless it is there and fits the data.
    /// `progress` hears how far building has come, from 0 to 1 (NaN: unknown), now and then, from any thread.
    public Batches cache(Path directory, DoubleConsumer progress, int threads) throws IOException {
        List<Source> sources = Sources.find(paths);
        return new Cache(known(sources), sources, directory).open(progress, threads);
    }

    /// Whether [#cache] would find a cache that fits, without building one.
    public boolean isCached(Path directory) throws IOException {
        List<Source> sources = Sources.find(paths);
        return new Cache(known(sources), sources, directory).isValid();
    }

    /// Whether it can be read more than once, as standard input cannot.
    public boolean isRepeatable() {
        return !paths.contains("-");
    }

    /// What tells each file from a later version of it, by path.
    public Map<String, String> fingerprints() throws IOException {
        Map<String, String> prints = new LinkedHashMap<>();
        for (CacheHeader.Input input : CacheHeader.inputs(this, Sources.find(paths))) {
            prints.put(input.path(), "%d bytes %016x %016x".formatted(input.bytes(), input.head(), input.tail()));
        }
        return prints;
    }
}
