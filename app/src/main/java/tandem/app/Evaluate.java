package tandem.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Evaluation;
import tandem.Version;
import tandem.data.Data;
import tandem.model.BatchScorer;
import tandem.report.Json;
import tandem.report.Metrics;
import tandem.report.Progress;
import tandem.report.Report;

/// `evaluate`: how good a model is on data with labels.
@Command(
        name = "evaluate",
        header = "Say how good a model is on data with labels.",
        customSynopsis = Tandem.PROGRAM + " evaluate --model DIR|--job NAME --data FILE… [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " evaluate --model m --data test.svm",
            "  " + Tandem.PROGRAM + " evaluate --model m --data test.svm --json | jq .metrics.auc"
        })
final class Evaluate implements Callable<Integer> {

    private final Console console;
    private final List<String> args;

    @ArgGroup(validate = false)
    private WhichModel model = new WhichModel();

    @ArgGroup(validate = false)
    private DataOptions data = new DataOptions();

    @ArgGroup(validate = false)
    private WeightsOption weights = new WeightsOption();

    @Option(names = "--json", description = "Print the report as JSON; docs/report.md describes it.")
    private boolean json;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report there as well.")
    private Path file;

    @Option(names = "--threads", paramLabel = "N", description = "Default: the number of cores.")
    private Integer threads;

    @Option(names = "--quiet", description = "No progress line.")
    private boolean quiet;

    Evaluate(Console console, String[] args) {
        this.console = console;
        this.args = List.of(args);
    }

    @Override
    public Integer call() throws IOException {
        model.check();
        List<String> paths = data.paths("what to test on, such as --data test.svm");
        Check.atLeast(1, "--threads", threads);
        if (file != null) {
            Check.writable("--report", file);
        }
        Data examples = data.at(paths).withWeights(weights.file);
        Set<String> read = examples.fingerprints().keySet();
        if (file != null) {
            Check.spares("--report", file, read, model.directory());
        }
        Screen screen = new Screen(console, quiet, () -> false);
        int cores = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        long began;
        Metrics metrics;
        try (BatchScorer scorer = model.open()) {
            began = System.nanoTime();
            metrics = Evaluation.of(scorer, examples, cores, screen).metrics();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        screen.clear();
        Report report = new Report(Words.command(args))
                .version(Version.current())
                .work(seconds, metrics.examples())
                .metrics(metrics)
                .put("machine", Machine.describe())
                .put("peakMemoryBytes", Machine.peakMemoryBytes());
        if (file != null) {
            report.write(file);
        }
        if (json) {
            console.print(Json.text(report.tree()).stripTrailing());
        } else {
            print(metrics);
        }
        return 0;
    }

    private void print(Metrics metrics) throws IOException {
        console.print(new MetricsTable().with(model.name(), Json.tree(metrics)).toString());
        if (!metrics.calibration().isEmpty()) {
            console.print(
                    String.format(Locale.ROOT, "%n%-12s%14s%14s%14s", "tenth", "predicted", "observed", "weight"));
            int number = 1;
            for (Metrics.Decile tenth : metrics.calibration()) {
                console.print(String.format(
                        Locale.ROOT,
                        "%-12d%14.4f%14.4f%14s",
                        number++,
                        tenth.predicted(),
                        tenth.observed(),
                        Progress.count(Math.round(tenth.weight()))));
            }
        }
    }
}
