package tandem.app;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Prediction;
import tandem.data.Data;
import tandem.model.BatchScorer;
import tandem.problem.Link;
import tandem.report.AtomicFile;
import tandem.report.Progress;

/// `predict`: a line for each example, in order.
@Command(
        name = "predict",
        header = "Predict labels, probabilities or scores for data.",
        customSynopsis = Tandem.PROGRAM + " predict --model DIR|--job NAME --data FILE… --out FILE [OPTIONS]%n",
        description = "Writes a line for each example, in the order of the data; the labels in the data are ignored.",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " predict --model m --data new.svm --out predictions.txt",
            "  zcat new.svm.gz | " + Tandem.PROGRAM
                    + " predict --model m --data - --out - --kind labels | sort | uniq -c"
        })
final class Predict implements Callable<Integer> {

    enum Kind {
        labels,
        probabilities,
        scores
    }

    private final Console console;

    @ArgGroup(validate = false)
    private WhichModel model = new WhichModel();

    @ArgGroup(validate = false)
    private DataOptions data = new DataOptions();

    @Option(names = "--out", paramLabel = "FILE", description = "Where to write; - is standard output.")
    private String out;

    @Option(
            names = "--kind",
            paramLabel = "NAME",
            description =
                    "labels (for a regression the number), probabilities or scores. With more than two classes the"
                            + " last two have a number for each. Default: probabilities if the model has them, else"
                            + " labels.")
    private Kind kind;

    @Option(names = "--quiet", description = "No progress line.")
    private boolean quiet;

    Predict(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        model.check();
        List<String> paths = data.paths("what to predict for, such as --data new.svm");
        Check.given("--out", out, "where to write, such as --out predictions.txt, or - for standard output");
        if (!out.equals("-")) {
            Check.writable("--out", Path.of(out));
        }
        Data examples = data.at(paths);
        Set<String> read = examples.fingerprints().keySet();
        if (!out.equals("-")) {
            Check.spares("--out", Path.of(out), read, model.directory());
        }
        try (BatchScorer scorer = model.open()) {
            predict(scorer, examples);
        }
        return 0;
    }

    private void predict(BatchScorer scorer, Data examples) throws IOException {
        if (out.equals("-")) {
            write(scorer, examples, console.out());
        } else {
            try (var _ = Interrupts.ofThread(console, "stopped; nothing was written to " + out)) {
                AtomicFile.write(
                        Path.of(out),
                        stream -> console.say(out + ": " + Progress.count(write(scorer, examples, stream))
                                + " lines of " + what(scorer).name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    private long write(BatchScorer scorer, Data examples, OutputStream stream) throws IOException {
        Screen screen = new Screen(console, quiet, Thread.currentThread()::isInterrupted);
        Writer writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
        long rows = Prediction.write(scorer, examples, what(scorer), writer, screen);
        writer.flush();
        screen.clear();
        return rows;
    }

    private Prediction.Kind what(BatchScorer scorer) {
        return switch (kind) {
            case labels -> Prediction.Kind.LABELS;
            case probabilities -> Prediction.Kind.PROBABILITIES;
            case scores -> Prediction.Kind.SCORES;
            case null -> scorer.card().link() == Link.LOGISTIC ? Prediction.Kind.PROBABILITIES : Prediction.Kind.LABELS;
        };
    }
}
