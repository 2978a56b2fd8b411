package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench solvers`.
@Command(
        name = "solvers",
        header = "How good and how fast are the solvers, and does what was published of them hold here?",
        description =
                "Time to the optimum beside LIBLINEAR, factorisation machines beside JavaFM, Vowpal Wabbit, libFM and"
                    + " xLearn where they are installed, and eight published results again, most of them in simulated"
                    + " time.",
        sortOptions = false)
final class SolversBench implements Callable<Integer> {

    /// The questions, in the order they are answered.
    enum Question {
        optimum,
        factors,
        tau,
        filters,
        emso,
        systems,
        difacto,
        parsa,
        adadelay,
        averaging
    }

    private static final String QUESTION =
            "How good and how fast are the solvers, and does what was published of them hold here?";

    @Mixin
    private SolverSettings settings = new SolverSettings();

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Question> parts = List.of(Question.values());

    private final PrintStream out;
    private final Notes notes;

    SolversBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        Machine machine = Machine.here();
        Peers peers = settings.peers();
        List<Measured> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        try (Workspace work = new Workspace(settings.work)) {
            for (Question question : parts) {
                Part part = switch (question) {
                    case optimum -> new NearOptimum(settings, work, peers, notes);
                    case factors -> new FactorRace(settings, work, peers, notes);
                    case tau -> new DelaySweep(settings, work, notes);
                    case filters -> new FilterStack(settings, work, notes);
                    case emso -> new BatchSizes(settings, work, notes);
                    case systems -> new ThreeSystems(settings, work, notes);
                    case difacto -> new FactorMemory(settings, work, notes);
                    case parsa -> new PlacedRows(settings, work, notes);
                    case adadelay -> new LateSteps(settings, notes);
                    case averaging -> new AverageSweep(settings, work, notes);
                };
                long start = System.nanoTime();
                Part.Findings findings = part.run();
                notes.progress("%s took %.0f s".formatted(question, (System.nanoTime() - start) / 1e9));
                rows.addAll(findings.rows());
                ratios.addAll(findings.ratios());
            }
        }
        Outcome outcome = new Outcome(
                "solvers",
                QUESTION,
                settings.command() + " --parts "
                        + parts.stream().map(Question::name).collect(Collectors.joining(",")),
                machine,
                settings.seed,
                "generated clicks, and rows drawn from a machine and from communities",
                rows,
                ratios,
                skipped(peers),
                notes.remarks());
        out.print(settings.printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    /// The tools that a part that was asked for would have been compared with.
    private List<String> skipped(Peers peers) {
        if (settings.alone) {
            return List.of("all peers: --no-peers");
        }
        List<String> missing = new ArrayList<>();
        if (parts.contains(Question.optimum)) {
            missing.addAll(peers.missing(List.of("LIBLINEAR")));
        }
        if (parts.contains(Question.factors)) {
            missing.addAll(peers.missing(List.of("Vowpal Wabbit", "xLearn", "libFM", "JavaFM")));
        }
        return missing;
    }
}
