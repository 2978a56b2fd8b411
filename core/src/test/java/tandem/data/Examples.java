package tandem.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tandem.math.Mix;

/// Data files for tests, and batches unpacked to text for comparing.
final class Examples {

    private Examples() {}

    /// Rows as canonical text, ids ascending: `label[:weight] id:value …`.
    static List<String> rows(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            StringBuilder row = new StringBuilder(random.nextInt(3) == 0 ? "1" : "-1");
            row.append(random.nextInt(4) == 0 ? ":2.5" : "");
            long id = 0;
            for (int e = random.nextInt(20); e > 0; e--) {
                id += 1 + random.nextInt(50);
                row.append(' ')
                        .append(id)
                        .append(':')
                        .append(random.nextBoolean() ? "1" : LabelBook.text(random.nextInt(1, 99) / 8.0));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    static Path write(Path directory, String name, List<String> rows) throws IOException {
        return Files.writeString(directory.resolve(name), String.join("\n", rows) + "\n", StandardCharsets.UTF_8);
    }

    /// Every row of a batch, as in [#rows]; checks that the batch is well formed.
    static List<String> unpack(Batch batch) {
        for (int k = 1; k < batch.keyCount(); k++) {
            if (Long.compareUnsigned(batch.keys()[k - 1], batch.keys()[k]) >= 0) {
                throw new AssertionError("keys out of order");
            }
        }
        List<String> rows = new ArrayList<>();
        for (int r = 0; r < batch.rows(); r++) {
            StringBuilder row = new StringBuilder(LabelBook.text(batch.labels()[r]));
            row.append(batch.weights()[r] == 1 ? "" : ":" + batch.weights()[r]);
            for (int e = batch.starts()[r]; e < batch.starts()[r + 1]; e++) {
                long id = Mix.unmix(batch.keys()[batch.positions()[e]]);
                row.append(' ').append(Long.toUnsignedString(id)).append(':').append(LabelBook.text(batch.values()[e]));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    /// For caches that are to be sound or refused.
    @SuppressWarnings("DoNotCallSuggester") // handed over, for a cache to call
    static CacheFile.Opened unrepaired(CacheFile.Opened damaged, String what) throws IOException {
        throw new IOException(what);
    }

    /// All rows of a pass, read by one thread.
    static List<String> all(Batches batches, int pass) throws IOException {
        List<String> rows = new ArrayList<>();
        Batch batch = new Batch();
        Batches.Pass reading = batches.pass(pass, 0);
        while (reading.next(batch)) {
            rows.addAll(unpack(batch));
        }
        return rows;
    }
}
