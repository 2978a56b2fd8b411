package tandem.data;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;

/// Generated click data shaped like Criteo's: 39 fields, 13 of them counts and 26 categorical with
/// power-law popularity, ids 1 to `features`, and labels drawn from a planted truth ([ClickTruth]).
///
/// Row n is the same whatever the number of rows or threads, so data held out from the same truth are
/// the same settings from another `firstRow` on.
///
/// @param seed decides the truth and the rows
/// @param rows how many to generate
/// @param firstRow number of the first one
/// @param features how large ids can be; few of the largest fields' values occur
/// @param clickRate share of rows labelled 1; the others are 0
/// @param interactions standard deviation, in log-odds, of what no linear model can express; 0 for none
public record Clicks(long seed, long rows, long firstRow, long features, double clickRate, double interactions) {

    public static final Clicks DEFAULT = new Clicks(1, 100_000, 0, 1_000_000, 0.25, 0.6);

    /// Positions within a field are computed in 64 bits, which holds up to here.
    public static final long MOST_FEATURES = 1L << 31;

    public Clicks {
        if (rows < 1) {
            throw new IllegalArgumentException("rows is " + rows + "; use 1 or more");
        }
        if (firstRow < 0) {
            throw new IllegalArgumentException("the first row is " + firstRow + "; rows are counted from 0");
        }
        if (features < ClickTruth.FEWEST_FEATURES || features > MOST_FEATURES) {
            throw new IllegalArgumentException("features is " + features + "; use " + ClickTruth.FEWEST_FEATURES
                    + " (what 13 counts and 26 categorical fields need) to " + MOST_FEATURES);
        }
        if (!(clickRate > 0 && clickRate < 1)) {
            throw new IllegalArgumentException(
                    "the click rate is " + clickRate + "; it is a share of the rows, so use a number between 0 and 1");
        }
        if (!(interactions >= 0 && interactions <= 100)) {
            throw new IllegalArgumentException("interactions is " + interactions + "; use 0 (none) to 100");
        }
    }

    public Clicks withSeed(long seed) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    public Clicks withRows(long rows) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    public Clicks withFirstRow(long firstRow) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    public Clicks withFeatures(long features) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    public Clicks withClickRate(double clickRate) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    public Clicks withInteractions(double interactions) {
        return new Clicks(seed, rows, firstRow, features, clickRate, interactions);
    }

    /// Other rows of the same truth: `rows` of them, following these.
    public Clicks next(long rows) {
        return withFirstRow(firstRow + this.rows).withRows(rows);
    }

    /// What the labels are drawn from, for making rows one by one.
    public ClickTruth truth() {
        return new ClickTruth(this);
    }

    /// Writes LIBSVM text to `file`, compressed if its name ends in `.gz` or `.zst`. The file appears
    /// under its name only when it is complete; a device or pipe is written directly. `progress` hears how
    /// many rows are written.
    public ClickSummary write(Path file, int threads, LongConsumer progress) throws IOException {
        try {
            return place(file, threads, progress);
        } catch (FileSystemException | InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    file + " could not be written: " + e.getMessage() + "; make room there, or choose another place",
                    e);
        }
    }

    private ClickSummary place(Path file, int threads, LongConsumer progress) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            try (OutputStream out = compressed(file.toString(), Files.newOutputStream(file))) {
                return write(out, threads, progress);
            }
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            ClickSummary summary;
            try (OutputStream out = compressed(file.toString(), Files.newOutputStream(part))) {
                summary = write(out, threads, progress);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return summary;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// Writes LIBSVM text to `out`.
    public ClickSummary write(OutputStream out, int threads, LongConsumer progress) throws IOException {
        return new ClickWriter(this, out, progress).run(threads);
    }

    private static OutputStream compressed(String name, OutputStream out) throws IOException {
        if (name.endsWith(".gz")) {
            return new BufferedOutputStream(new GZIPOutputStream(out, 1 << 16));
        }
        return name.endsWith(".zst") ? new ZstdOutputStream(out) : out;
    }
}
