package tandem.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.data.Clicks;

/// `bench linear`.
@Command(
        name = "linear",
        header = "How fast do linear models train, online and to the optimum?",
        description =
                "Generated clicks of 13 counts and 26 categorical values a row; beside LIBLINEAR, Vowpal Wabbit and"
                        + " xLearn.",
        sortOptions = false)
final class LinearBench implements Callable<Integer> {

    /// The questions, in the order they are answered.
    enum Question {
        cache,
        text,
        optimum,
        scaling
    }

    @Mixin
    private Settings settings = new Settings();

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Question> parts = List.of(Question.values());

    @Option(
            names = "--data",
            paramLabel = "FILE",
            split = ",",
            description = "Further LIBSVM files to find the optimum of, with --l1.")
    private List<Path> data = List.of();

    @Option(names = "--l1", paramLabel = "NUMBER", description = "L1 strength for --data. Default: ${DEFAULT-VALUE}.")
    private double l1 = 1;

    private final PrintStream out;
    private final Notes notes;

    LinearBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        Machine machine = Machine.here();
        Peers peers = settings.peers();
        Clicks clicks =
                Clicks.DEFAULT.withSeed(settings.seed).withRows(settings.rows).withFeatures(settings.features);
        List<Measured> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        try (Workspace work = new Workspace(settings.work)) {
            Path text = work.clicks("clicks.svm", clicks, notes);
            for (Question question : parts) {
                Part part = switch (question) {
                    case cache -> new CachePass(settings, work, text, peers, notes);
                    case text -> new TextPass(settings, work, text, peers, notes);
                    case optimum -> new Optimum(settings, work, sets(work, text), peers, notes);
                    case scaling -> new Scaling(settings, work, notes);
                };
                Part.Findings findings = part.run();
                rows.addAll(findings.rows());
                ratios.addAll(findings.ratios());
            }
        }
        Outcome outcome = new Outcome(
                "linear",
                "How fast do linear models train, online and to the optimum, beside other tools?",
                command(),
                machine,
                settings.seed,
                "%,d generated rows, ids up to %,d".formatted(settings.rows, settings.features),
                rows,
                ratios,
                settings.alone
                        ? List.of("all peers: --no-peers")
                        : peers.missing(List.of("LIBLINEAR", "Vowpal Wabbit", "xLearn")),
                notes.remarks());
        out.print(settings.printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    private String command() {
        StringBuilder words = new StringBuilder(settings.command("linear"));
        if (parts.size() < Question.values().length) {
            words.append(" --parts ").append(parts.stream().map(Question::name).collect(Collectors.joining(",")));
        }
        if (!data.isEmpty()) {
            words.append(" --data ")
                    .append(data.stream().map(Path::toString).collect(Collectors.joining(",")))
                    .append(" --l1 ")
                    .append(Outcome.number(l1));
        }
        return words.toString();
    }

    /// A small set, the large one, and what the user named.
    private List<Optimum.Set> sets(Workspace work, Path text) throws Exception {
        Clicks small = Clicks.DEFAULT
                .withSeed(settings.seed)
                .withRows(Math.max(100, settings.rows / 50))
                .withFeatures(20_000);
        List<Optimum.Set> sets = new ArrayList<>();
        sets.add(new Optimum.Set("%,d rows".formatted(small.rows()), work.clicks("small.svm", small, notes), 1, true));
        for (Path file : data) {
            sets.add(new Optimum.Set(file.getFileName().toString(), work.plain(file), l1, true));
        }
        sets.add(new Optimum.Set("%,d rows".formatted(settings.rows), text, 10, false));
        return sets;
    }
}
