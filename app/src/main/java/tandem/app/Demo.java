package tandem.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Trained;
import tandem.data.ClickSummary;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.ModelDirectory;
import tandem.report.Progress;

/// `demo`: the main job from nothing, in less than half a minute.
@Command(
        name = "demo",
        header = "Generate click data, train on it, and show how good the model is.",
        customSynopsis = Tandem.PROGRAM + " demo [--out DIR] [--rows N]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false)
final class Demo implements Callable<Integer> {

    private static final long FEATURES = 1_000_000;

    private final Console console;

    @Option(names = "--out", paramLabel = "DIR", description = "Where everything goes. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("tandem-demo");

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows to train on; a fifth more to test on. Default: ${DEFAULT-VALUE}.")
    private long rows = 500_000;

    private final int threads = Runtime.getRuntime().availableProcessors();

    Demo(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.atLeast(100, "--rows", rows);
        directory();
        Clicks clicks = Clicks.DEFAULT.withRows(rows).withFeatures(FEATURES).withSeed(7);
        Clicks later = clicks.next(rows / 5);
        try (var interrupts = new Interrupts(console, Thread.currentThread()::interrupt, () -> "stopped")) {
            Screen screen = new Screen(console, false, interrupts::stopping);
            console.print("Clicks on ads: 39 fields a row, " + Progress.count(FEATURES)
                    + " possible ids, and a truth that only the generator knows.");
            generate(clicks, "train.svm", screen);
            ClickSummary truth = generate(later, "test.svm", screen);
            console.print("\nTraining FTRL, one pass, " + threads + " threads …");
            Trained trained = train(screen);
            save(trained);
            show(trained.report().tree(), truth);
        }
        return 0;
    }

    private void directory() throws IOException {
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw new IllegalArgumentException("--out " + out + " is a file; name a directory");
        }
        Check.creatable("--out", out);
        Files.createDirectories(out);
    }

    private ClickSummary generate(Clicks clicks, String name, Screen screen) throws IOException {
        Path file = out.resolve(name);
        ClickSummary summary = clicks.write(
                file, threads, n -> screen.progress("generating " + name, (double) n / clicks.rows(), n, Double.NaN));
        screen.clear();
        console.print(String.format(
                Locale.ROOT,
                "  %-24s %s rows, %s distinct ids, %d MB, %.1f %% clicks",
                file,
                Progress.count(summary.rows()),
                Progress.count(summary.distinctFeatures()),
                summary.bytes() / 1_000_000,
                100 * summary.clickRate()));
        return summary;
    }

    private Trained train(Screen screen) throws IOException {
        Data test = Data.of(out.resolve("test.svm").toString());
        Trained trained = LinearTraining.of(
                        Linear.DEFAULT.withSolver(
                                Solver.Online.of(Solver.Rule.FTRL).withPasses(1)),
                        Data.of(out.resolve("train.svm").toString()))
                .withValidation(test)
                .withWatch(screen)
                .run();
        screen.clear();
        return trained;
    }

    private void save(Trained trained) throws IOException {
        ModelDirectory.save(trained.model(), out.resolve("model"), true);
        trained.report()
                .put("command", Words.command("demo"))
                .put("machine", Machine.describe())
                .put("peakMemoryBytes", Machine.peakMemoryBytes())
                .write(out.resolve("report.json"));
        trained.curve()
                .picture("Learning curve: FTRL on generated clicks", "logloss")
                .write(out.resolve("curve.png"));
    }

    private void show(JsonNode report, ClickSummary truth) throws IOException {
        JsonNode metrics = report.path("metrics");
        double share = metrics.path("labelMean").asDouble();
        double constant = -(share * Math.log(share) + (1 - share) * Math.log(1 - share));
        console.print(String.format(
                Locale.ROOT,
                "  %s examples in %.1f s, read from text: %s a second%n",
                Progress.count(report.path("examples").asLong()),
                report.path("seconds").asDouble(),
                Progress.count(Math.round(report.path("examplesPerSecond").asDouble()))));
        console.print("On " + Progress.count(truth.rows()) + " rows it has not seen:         logloss     AUC");
        row("always the click rate", constant, 0.5);
        row(
                "the trained model",
                metrics.path("logloss").asDouble(),
                metrics.path("auc").asDouble());
        row("the truth (best possible)", truth.bayesLogloss(), truth.bayesAuc());
        console.print(
                "\nIn " + out + ": model (the model), report.json (all numbers), curve.png (the learning curve)\n");
        console.print("Next:");
        String model = out.resolve("model").toString();
        console.print("  " + Words.command("inspect", "--model", model));
        console.print("  "
                + Words.command(
                        "evaluate",
                        "--model",
                        model,
                        "--data",
                        out.resolve("test.svm").toString()));
        console.print("  "
                + Words.command("train", "linear", "--data", "YOUR-FILE", "--split", "0.1", "--model", "my-model"));
    }

    private void row(String name, double logloss, double auc) throws IOException {
        console.print(String.format(Locale.ROOT, "  %-38s %8.4f  %6.4f", name, logloss, auc));
    }
}
