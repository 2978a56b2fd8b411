package tandem.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import tandem.Groups;
import tandem.Penalty;
import tandem.problem.Ball;
import tandem.problem.Separable;
import tandem.problem.Simplex;

/// The options that penalise weights or keep them in a set.
final class PenaltyOptions {

    private static final double USUAL_L2 = 1;

    @Option(
            names = "--l1",
            paramLabel = "NUMBER",
            description = "Strength of the L1 penalty, which makes weights exactly 0. Default: 0.")
    private Double l1;

    @Option(
            names = "--l2",
            paramLabel = "NUMBER",
            description = "Strength of the L2 penalty, NUMBER/2 times the squared weights. Default: 1, or 0 if --l1 is"
                    + " given.")
    private Double l2;

    @Option(
            names = "--box",
            paramLabel = "LOW,HIGH",
            parameterConsumer = Dashed.class,
            description = "Keep every weight between LOW and HIGH, such as -1,1.")
    private String box;

    @Option(names = "--non-negative", description = "Keep every weight at 0 or above.")
    private boolean nonNegative;

    @Option(
            names = "--ball",
            paramLabel = "RADIUS",
            description = "Keep the L2 norm of all weights at most RADIUS. Batch solver.")
    private Double ball;

    @Option(
            names = "--simplex",
            paramLabel = "TOTAL",
            description = "Keep weights at 0 or above and their sum at TOTAL. Batch solver.")
    private Double simplex;

    @Option(
            names = "--group-lasso",
            paramLabel = "NUMBER",
            description = "Strength of the penalty on the norm of each group of --groups. Solvers batch and dbpg.")
    private Double groupLasso;

    @Option(
            names = "--groups",
            paramLabel = "FILE",
            description = "Which ids make a group, one group a line, such as `age: 1-5 9`.")
    private Path groups;

    Penalty penalty() throws IOException {
        Check.notNegative("--l1", l1, "a penalty");
        Check.notNegative("--l2", l2, "a penalty");
        Check.notNegative("--group-lasso", groupLasso, "a penalty");
        Check.positive("--ball", ball, "a radius");
        Check.positive("--simplex", simplex, "a sum of weights");
        List<String> sets = sets();
        if (sets.size() > 1) {
            throw new IllegalArgumentException(
                    sets.get(0) + " and " + sets.get(1) + " cannot be used together; keep one of them");
        }
        if ((groupLasso == null) != (groups == null)) {
            throw new IllegalArgumentException(
                    groups == null
                            ? "--group-lasso needs the groups; name their file with --groups"
                            : "--groups is used by --group-lasso only; add its strength, such as --group-lasso 1");
        }
        if (ball != null) {
            return new Penalty.Plain(new Ball(ball));
        }
        if (simplex != null) {
            return new Penalty.Plain(new Simplex(simplex));
        }
        return groupLasso == null ? new Penalty.Plain(separable()) : new Penalty.Grouped(groupLasso, readGroups());
    }

    /// The files that they name.
    List<String> files() {
        return groups == null ? List.of() : List.of(groups.toString());
    }

    /// What was given of which at most one may be; --l1, --l2 and a box go together.
    private List<String> sets() {
        List<String> given = new ArrayList<>();
        if (l1 != null || l2 != null) {
            given.add(l1 != null ? "--l1" : "--l2");
        } else if (box != null || nonNegative) {
            given.add(box != null ? "--box" : "--non-negative");
        }
        if (ball != null) {
            given.add("--ball");
        }
        if (simplex != null) {
            given.add("--simplex");
        }
        if (groupLasso != null) {
            given.add("--group-lasso");
        }
        return given;
    }

    private Separable separable() {
        double strength = l2 != null ? l2 : l1 != null ? 0 : USUAL_L2;
        Separable penalty = Separable.NONE.withL1(l1 == null ? 0 : l1).withL2(strength);
        if (box != null && nonNegative) {
            throw new IllegalArgumentException("--box and --non-negative cannot be used together; write --box 0,HIGH");
        }
        if (nonNegative) {
            return penalty.between(0, Double.POSITIVE_INFINITY);
        }
        return box == null ? penalty : boxed(penalty);
    }

    private Separable boxed(Separable penalty) {
        String[] ends = box.split(",", -1);
        double low;
        double high;
        try {
            low = Double.parseDouble(ends[0]);
            high = Double.parseDouble(ends[ends.length - 1]);
        } catch (NumberFormatException e) {
            low = Double.NaN;
            high = Double.NaN;
        }
        if (ends.length != 2 || !(low <= 0 && high >= 0)) {
            throw new IllegalArgumentException(
                    "--box is '" + box + "'; it takes two numbers around 0, the lower one first, such as -1,1");
        }
        return penalty.between(low, high);
    }

    private Groups readGroups() throws IOException {
        if (!Files.isRegularFile(groups)) {
            throw new IOException("--groups " + groups + ": there is no such file; check the name");
        }
        return Groups.read(groups);
    }
}
