package tandem.model;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tandem.problem.Hinge;
import tandem.problem.Huber;
import tandem.problem.Logistic;
import tandem.problem.Loss;
import tandem.problem.Quantile;
import tandem.problem.Sigmoid;
import tandem.problem.Squared;
import tandem.problem.SquaredHinge;
import tandem.report.Progress;

/// A model as the text file that LIBLINEAR's `predict` reads: a few settings, then a line of weights for
/// each feature from 1 to the largest, and one for the intercept if there is one.
final class LiblinearText {

    private static final long LARGEST = Integer.MAX_VALUE - 1;

    private LiblinearText() {}

    static void write(LinearModel model, Writer out) throws IOException {
        int features = features(model);
        boolean intercept = IntStream.range(0, model.outputs()).anyMatch(k -> model.intercepts()[k] != 0);
        out.write("solver_type " + solver(model) + "\n");
        out.write("nr_class " + Math.max(2, model.classes().size()) + "\n");
        if (!model.classes().isEmpty()) {
            out.write("label " + labels(model.classes()) + "\n");
        }
        out.write("nr_feature " + features + "\n");
        out.write("bias " + (intercept ? 1 : -1) + "\n");
        out.write("w\n");
        String zeros = "0 ".repeat(model.outputs()) + "\n";
        int at = 0;
        for (int feature = 1; feature <= features; feature++) {
            if (at == model.ids().length || model.ids()[at] != feature) {
                out.write(zeros);
                continue;
            }
            for (double[] row : model.weights()) {
                out.write(row[at] + " ");
            }
            out.write('\n');
            at++;
        }
        if (intercept) {
            for (double value : model.intercepts()) {
                out.write(value + " ");
            }
            out.write('\n');
        }
    }

    /// The largest id that training saw: one whose weight is 0 is still a feature of the model.
    private static int features(LinearModel model) {
        long[] ids = model.ids();
        String seen = model.provenance().largestId();
        long largest = seen.isEmpty() ? 0 : Long.parseUnsignedLong(seen);
        if (ids.length > 0) {
            if (ids[0] == 0) {
                throw new IllegalArgumentException("the model has a feature 0; LIBLINEAR counts features from 1."
                        + " Train on data that do so, or export as json or csv");
            }
            long last = ids[ids.length - 1];
            largest = Long.compareUnsigned(last, largest) > 0 ? last : largest;
        }
        if (Long.compareUnsigned(largest, LARGEST) > 0) {
            throw new IllegalArgumentException("the largest feature id is " + Long.toUnsignedString(largest)
                    + "; LIBLINEAR has a line for each up to it and counts to " + Progress.count(LARGEST)
                    + " at most. Train with --hash-bits 24 or fewer, or export as json or csv");
        }
        return (int) largest;
    }

    /// LIBLINEAR's name for the loss and penalty, or the nearest it has: what `predict` makes of the weights
    /// depends only on whether there are classes and probabilities.
    private static String solver(LinearModel model) {
        boolean l1 = Double.parseDouble(model.provenance().settings().getOrDefault("l1", "0")) > 0;
        return switch (Loss.named(model.loss())) {
            case Logistic _ -> l1 ? "L1R_LR" : "L2R_LR";
            case SquaredHinge _, Sigmoid _ -> l1 ? "L1R_L2LOSS_SVC" : "L2R_L2LOSS_SVC";
            case Hinge _ -> "L2R_L1LOSS_SVC_DUAL";
            case Squared _, Huber _ -> "L2R_L2LOSS_SVR";
            case Quantile _ -> "L2R_L1LOSS_SVR_DUAL";
            default ->
                throw new IllegalArgumentException("the model was trained with " + model.loss()
                        + " loss, which LIBLINEAR has no kind of model for. Export as json or csv");
        };
    }

    /// LIBLINEAR has whole numbers for labels, and of two comes first the one that a positive score means.
    /// Other names become 1 and -1, or their places from 0 where there are more.
    private static String labels(List<String> classes) {
        boolean whole = classes.stream().allMatch(name -> name.matches("[+-]?\\d{1,9}(\\.0*)?"));
        if (classes.size() == 2) {
            return whole ? number(classes.get(1)) + " " + number(classes.get(0)) : "1 -1";
        }
        return IntStream.range(0, classes.size())
                .map(k -> whole ? number(classes.get(k)) : k)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    private static int number(String name) {
        return (int) Double.parseDouble(name);
    }
}
