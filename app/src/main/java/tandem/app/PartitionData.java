package tandem.app;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.CacheUse;
import tandem.Version;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.data.PartTraffic;
import tandem.data.Partition;
import tandem.report.AtomicFile;
import tandem.report.Drafts;
import tandem.report.Progress;
import tandem.report.Report;

/// `partition`: data cut into parts that have many features in common.
@Command(
        name = "partition",
        header = "Cut data into parts of equal size whose examples have many features in common.",
        customSynopsis = Tandem.PROGRAM + " partition --data FILE… --parts N --out DIR [OPTIONS]%n",
        description = "Writes the examples of each part as LIBSVM text, _keys.tsv with the part that each feature"
                + " belongs to, and _partition.json: what would have to travel if each part were worked on by a node"
                + " that also holds its features, beside parts drawn by chance. train linear --placement parsa cuts"
                + " by itself.",
        sortOptions = false,
        footer = {"", "Example:", "  " + Tandem.PROGRAM + " partition --data clicks.svm --parts 8 --out parts"})
final class PartitionData implements Callable<Integer> {

    private static final String REPORT = "_partition.json";

    private final Console console;
    private final List<String> args;

    @ArgGroup(validate = false, heading = "%nData%n")
    private Examples examples = new Examples();

    @ArgGroup(validate = false, heading = "%nParts%n")
    private Parts parts = new Parts();

    /// In help a group without a heading stands before all that have one, unless it is within one of them.
    static final class Examples {
        @ArgGroup(validate = false)
        private DataOptions data = new DataOptions();

        @ArgGroup(validate = false)
        private FormatOptions format = new FormatOptions();

        @ArgGroup(validate = false)
        private WeightsOption weights = new WeightsOption();
    }

    static final class Parts {
        @Option(names = "--parts", paramLabel = "N", description = "How many parts, from 1 to 64.")
        private Integer count;

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "Where they go: a directory that is empty or not there yet.")
        private Path out;

        @Option(
                names = "--block",
                paramLabel = "N",
                description = "Examples that are looked at together; more give better parts and take more memory."
                        + " Default: 100000.")
        private Integer block;

        @Option(names = "--seed", paramLabel = "N", description = "Decides the order of examples. Default: 1.")
        private long seed = 1;

        @Option(
                names = "--cache",
                paramLabel = "DIR",
                description = "Where the data is kept in binary form. Default: ~/.cache/tandem, or where $TANDEM_CACHE"
                        + " says.")
        private Path cache;

        @Option(names = "--quiet", description = "No progress and no summary.")
        private boolean quiet;
    }

    PartitionData(Console console, String[] args) {
        this.console = console;
        this.args = List.of(args);
    }

    @Override
    public Integer call() throws IOException {
        List<String> paths = examples.data.paths("what to cut, such as --data clicks.svm");
        Check.given("--parts", parts.count, "how many parts, such as --parts 8");
        Check.given("--out", parts.out, "where the parts go, such as --out parts");
        Check.atLeast(1, "--parts", parts.count);
        Check.atLeast(1, "--block", parts.block);
        if (parts.count > Partition.MOST_PARTS) {
            throw new IllegalArgumentException(
                    "--parts is " + parts.count + "; there can be " + Partition.MOST_PARTS + " at most");
        }
        checkEmpty();
        Screen screen = new Screen(console, parts.quiet, () -> false);
        Partition.Figures figures;
        try (var _ = Interrupts.ofThread(console, "stopped; nothing was written to " + parts.out)) {
            figures = cut(paths, screen);
        }
        screen.clear();
        if (!parts.quiet) {
            print(figures);
        }
        return 0;
    }

    private Partition.Figures cut(List<String> paths, Screen screen) throws IOException {
        if (parts.cache != null && parts.cache.toString().equals("off")) {
            throw new IllegalArgumentException(
                    "--cache off: parts are cut from the binary form; name a directory, or leave it out");
        }
        Data data = examples.format
                .in(examples.data.at(new StandardInput().copied(paths)))
                .withSeed(parts.seed)
                .withWeights(examples.weights.file);
        long began = System.nanoTime();
        int threads = Runtime.getRuntime().availableProcessors();
        try (Batches batches = data.cache(
                parts.cache == null ? CacheUse.directory() : parts.cache,
                done -> screen.progress("reading", done, 0, Double.NaN),
                threads)) {
            Partition.check(batches.labels());
            Partition partition = Partition.of(
                    batches,
                    parts.count,
                    parts.block == null ? Partition.BLOCK_ROWS : parts.block,
                    done -> screen.progress("cutting", done, 0, Double.NaN));
            write(partition, batches, began);
            return partition.figures();
        }
    }

    /// Beside the place where it is to be, and then there.
    private void write(Partition partition, Batches batches, long began) throws IOException {
        Path place = Files.exists(parts.out) ? parts.out.toRealPath() : parts.out.toAbsolutePath();
        Files.createDirectories(place.getParent());
        Path draft = Drafts.of(place);
        try {
            Drafts.delete(draft);
            Files.createDirectory(draft);
            partition.write(batches, draft);
            report(partition.figures(), began).write(draft.resolve(REPORT));
            Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            throw new IOException(parts.out + " could not be written: " + AtomicFile.reason(e), e);
        } finally {
            Drafts.delete(draft);
        }
    }

    private Report report(Partition.Figures figures, long began) {
        return new Report(Words.command(args))
                .version(Version.current())
                .seed(parts.seed)
                .work((System.nanoTime() - began) / 1e9, figures.rows())
                .put("placement", figures)
                .put("machine", Machine.describe())
                .put("peakMemoryBytes", Machine.peakMemoryBytes());
    }

    private void checkEmpty() throws IOException {
        if (Files.isDirectory(parts.out)) {
            Check.replaceable("--out", parts.out);
            try (Stream<Path> there = Files.list(parts.out)) {
                if (there.findAny().isPresent()) {
                    throw new IllegalArgumentException(
                            "--out " + parts.out + " has files in it already; name a directory that is empty");
                }
            }
        } else if (Files.exists(parts.out)) {
            throw new IllegalArgumentException(
                    "--out " + parts.out + " is a file; name a directory that is empty or not there yet");
        }
        Check.creatable("--out", parts.out);
    }

    private void print(Partition.Figures figures) throws IOException {
        console.print(Progress.count(figures.rows()) + " examples with " + Progress.count(figures.keys())
                + " features in " + figures.parts() + " parts, in " + parts.out);
        console.print(
                String.format(Locale.ROOT, "%-34s%12s%12s%12s%12s", "", "examples", "features", "remote", "busiest"));
        line("by chance", figures.random());
        line("examples cut, features by chance", figures.dealt());
        line("examples and features cut", figures.parsa());
    }

    private void line(String what, PartTraffic traffic) throws IOException {
        console.print(String.format(
                Locale.ROOT,
                "%-34s%12s%12s%12s%12s",
                what,
                Progress.count(traffic.mostRows()),
                Progress.count(traffic.workingSet()),
                Progress.count(traffic.remote()),
                Progress.count(traffic.mostRemote())));
    }
}
