package tandem.bench.spark;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.bench.Machine;
import tandem.bench.Notes;
import tandem.bench.Outcome;
import tandem.bench.Ratio;
import tandem.bench.Workspace;

/// `bench spark`.
@Command(
        name = "spark",
        header = "How soon is Tandem as good as Spark's MLlib, on the same data frame?",
        description = "Generated clicks as a data frame of sparse vectors in local[2], a session for each system.",
        sortOptions = false)
final class SparkBench implements Callable<Integer> {

    /// The questions: logistic regression with an L1 and with an L2 penalty, and factorisation machines.
    enum Question {
        l1,
        l2,
        factors
    }

    private static final int FEW = 100_000;
    private static final double FEW_TARGET = 3;
    private static final int MANY = 10_000_000;
    private static final double MANY_TARGET = 10;

    /// How many features MLlib is tried with when it could not take as many as there were.
    private static final double LESS = 0.3;

    private static final int LEAST = 100;

    @Mixin
    private SparkSettings settings = new SparkSettings();

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Question> parts = List.of(Question.values());

    private final PrintStream out;
    private final Notes notes;
    private final List<SparkRow> rows = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    SparkBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        Machine machine = Machine.here();
        try (Workspace work = new Workspace(settings.work)) {
            for (Question question : parts) {
                switch (question) {
                    case l1 -> logistic(work, 1);
                    case l2 -> logistic(work, 0);
                    case factors -> keep(new FactorPart(clicks(work, FEW * settings.scale), FEW_TARGET, notes).run());
                }
            }
        }
        Outcome outcome = new Outcome(
                "spark",
                "How soon is Tandem as good as Spark's MLlib, on the same data frame?",
                command(),
                machine,
                settings.seed,
                "%,d generated rows, and a fifth as many held out".formatted(settings.rows),
                rows,
                ratios,
                missing,
                notes.remarks());
        out.print(settings.printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    private void logistic(Workspace work, double l1Share) throws IOException {
        keep(new LogisticPart(clicks(work, FEW * settings.scale), l1Share, FEW_TARGET, notes).run());
        double features = MANY * settings.scale;
        Findings found;
        do {
            found = new LogisticPart(clicks(work, features), l1Share, MANY_TARGET, notes).run();
            keep(found);
            features *= LESS;
        } while (found.missing() != null && features > FEW * settings.scale);
    }

    private Clicked clicks(Workspace work, double features) throws IOException {
        return Clicked.of(settings, work, (int) Math.max(LEAST, Math.round(features)), notes);
    }

    private void keep(Findings found) {
        rows.addAll(found.rows());
        ratios.addAll(found.ratios());
        // A run takes long, and may be interrupted.
        found.ratios().forEach(ratio -> notes.progress("  " + ratio));
        if (found.missing() != null) {
            missing.add(found.missing());
        }
    }

    private String command() {
        return parts.size() == Question.values().length
                ? settings.command()
                : settings.command() + " --parts "
                        + parts.stream().map(Question::name).collect(Collectors.joining(","));
    }
}
