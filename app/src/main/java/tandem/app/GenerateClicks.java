package tandem.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.data.ClickSummary;
import tandem.data.Clicks;
import tandem.report.Progress;

/// `generate ctr`: click data whose truth is known.
@Command(
        name = "ctr",
        customSynopsis = Tandem.PROGRAM + " generate ctr --rows N --out FILE [OPTIONS]%n",
        header = "Click data shaped like Criteo's, as LIBSVM text.",
        description = {
            "Each row has 13 counts and 26 categorical ids with power-law popularity; the label is drawn from planted"
                + " weights and pairwise interactions. The same seed gives the same rows. Prints the logloss and AUC"
                + " of the true probabilities: no model can be expected to do better."
        },
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " generate ctr --rows 1000000 --features 1000000 --seed 7 --out ctr.svm",
            "  " + Tandem.PROGRAM + " generate ctr --rows 1000000 --out ctr.svm.zst --test-rows 0"
        })
final class GenerateClicks implements Callable<Integer> {

    private final Console console;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write; .gz and .zst are compressed, - is standard output.")
    private String out;

    @Option(names = "--rows", paramLabel = "N", description = "How many rows. Default: ${DEFAULT-VALUE}.")
    private long rows = Clicks.DEFAULT.rows();

    @Option(
            names = "--test-out",
            paramLabel = "FILE",
            description = "Where further rows of the same truth go, to test on. Default: --out with -test in its name.")
    private Path testOut;

    @Option(
            names = "--test-rows",
            paramLabel = "N",
            description = "How many of those; 0 for none. Default: a tenth of --rows.")
    private Long testRows;

    @Option(names = "--features", paramLabel = "N", description = "How large ids can be. Default: ${DEFAULT-VALUE}.")
    private long features = Clicks.DEFAULT.features();

    @Option(
            names = "--click-rate",
            paramLabel = "SHARE",
            description = "Share of rows with label 1. Default: ${DEFAULT-VALUE}.")
    private double clickRate = Clicks.DEFAULT.clickRate();

    @Option(
            names = "--interactions",
            paramLabel = "NUMBER",
            description =
                    "Standard deviation, in log-odds, of what no linear model can express. Default: ${DEFAULT-VALUE}.")
    private double interactions = Clicks.DEFAULT.interactions();

    @Option(
            names = "--first-row",
            paramLabel = "N",
            description = "Number of the first row. Default: ${DEFAULT-VALUE}.")
    private long firstRow = Clicks.DEFAULT.firstRow();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides the truth and the rows. Default: ${DEFAULT-VALUE}.")
    private long seed = Clicks.DEFAULT.seed();

    @Option(names = "--threads", paramLabel = "N", description = "Default: the number of cores.")
    private Integer threads;

    @Option(names = "--quiet", description = "No progress line.")
    private boolean quiet;

    GenerateClicks(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.given("--out", out, "where to write, such as --out ctr.svm");
        Check.atLeast(1, "--rows", rows);
        Check.atLeast(0, "--test-rows", testRows);
        Check.atLeast(1, "--threads", threads);
        boolean standardOut = out.equals("-");
        long further = testRows != null ? testRows : standardOut && testOut == null ? 0 : Math.max(1, rows / 10);
        if (further > 0 && testOut == null) {
            if (standardOut) {
                throw new IllegalArgumentException(
                        "--test-rows with --out - needs --test-out; name the file they go to");
            }
            testOut = beside(Path.of(out));
        }
        Clicks clicks = new Clicks(seed, rows, firstRow, features, clickRate, interactions);
        Clicks test = further == 0 ? null : clicks.next(further);
        if (!standardOut) {
            Check.writable("--out", Path.of(out));
        }
        if (test != null) {
            Check.writable("--test-out", testOut);
        }
        try (var _ = Interrupts.ofThread(console, "stopped; no file was written")) {
            ClickSummary summary = standardOut ? stream(clicks) : write(clicks, Path.of(out));
            String text = text(standardOut ? "standard output" : out, summary);
            if (standardOut) {
                console.say(text);
            } else {
                console.print(text);
            }
            if (test != null) {
                console.print(text(testOut.toString(), write(test, testOut)));
            }
        }
        return 0;
    }

    /// `ctr-test.svm.gz` for `ctr.svm.gz`.
    private static Path beside(Path file) {
        String name = file.getFileName().toString();
        int dot = name.indexOf('.', 1);
        int end = dot < 0 ? name.length() : dot;
        return file.resolveSibling(name.substring(0, end) + "-test" + name.substring(end));
    }

    private ClickSummary stream(Clicks clicks) throws IOException {
        OutputStream stream = new BufferedOutputStream(console.out(), 1 << 16);
        ClickSummary summary = clicks.write(stream, cores(), _ -> {});
        stream.flush();
        return summary;
    }

    private ClickSummary write(Clicks clicks, Path file) throws IOException {
        Screen screen = new Screen(console, quiet, () -> false);
        ClickSummary summary = clicks.write(
                file, cores(), n -> screen.progress("generating", (double) n / clicks.rows(), n, Double.NaN));
        screen.clear();
        return summary;
    }

    private int cores() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }

    static String text(String name, ClickSummary summary) {
        return String.format(
                Locale.ROOT,
                "%s: %s %s, %s ids, %.1f %% clicks; the best any model can expect: logloss %.4f%s",
                name,
                Progress.count(summary.rows()),
                summary.rows() == 1 ? "row" : "rows",
                Progress.count(summary.distinctFeatures()),
                100 * summary.clickRate(),
                summary.bayesLogloss(),
                // Rows of one class have none.
                Double.isNaN(summary.bayesAuc()) ? "" : String.format(Locale.ROOT, ", AUC %.4f", summary.bayesAuc()));
    }
}
