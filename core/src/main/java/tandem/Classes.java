package tandem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tandem.data.LabelRule;
import tandem.data.Labels;
import tandem.problem.Loss;
import tandem.worker.Target;

/// Which problems the labels of a data set make: one for numbers and for two classes, one against the rest
/// for each of more.
///
/// @param names    the classes as text, the negative one first when there are two; empty for regression
/// @param problems what the labels mean in each problem
record Classes(List<String> names, List<Target> problems) {

    private static final List<String> SIGNS = List.of("-1", "1");
    private static final Labels EITHER = new Labels(List.of("-1", "0", "1"), true, false);
    private static final Labels NUMBERS = new Labels(List.of(), true, true);
    private static final String REST = "not ";

    /// The numbers themselves, if `loss` can take them.
    static Classes regression(Labels labels, Loss loss) {
        if (!labels.numeric()) {
            throw new UnfitLabels(
                    "the labels are names (such as " + labels.names().getFirst() + "), but the loss " + loss.name()
                            + " needs numbers; use a loss for classes, such as logistic");
        }
        return new Classes(List.of(), List.of(label -> {
            if (Double.isNaN(label)) {
                throw new OtherLabels("a name");
            }
            if (!loss.accepts(label)) {
                throw new UnfitLabels("found label " + label + ", which the loss " + loss.name()
                        + " cannot take; it models counts, so labels are 0 or more");
            }
            return label;
        }));
    }

    /// Two classes as text has them when it is read only once: 1 is positive, 0 and -1 are negative.
    static Classes signs() {
        return new Classes(SIGNS, List.of(Classes::sign));
    }

    /// The same with the classes as the data turned out to call them.
    Classes named(Labels labels) {
        return names.equals(SIGNS) && labels.names().equals(List.of("0", "1"))
                ? new Classes(labels.names(), problems)
                : this;
    }

    /// Refuses what turned out not to be two classes with 1 as the positive one.
    static void checkSigns(Labels labels) {
        refuseFew(labels);
        if (!labels.names().equals(SIGNS) && !labels.names().equals(List.of("0", "1"))) {
            throw new OtherLabels(String.join(", ", labels.names()));
        }
    }

    /// Whether some labels are names and others numbers, which may mean that a line is no example.
    static boolean isMixed(Labels labels) {
        return !labels.numeric() && labels.names().stream().anyMatch(Classes::isNumber);
    }

    private static double sign(double label) {
        if (label == 1) {
            return 1;
        }
        if (label == 0 || label == -1) {
            return -1;
        }
        throw new OtherLabels(Double.isNaN(label) ? "a name" : Double.toString(label));
    }

    /// A label that was not expected among -1, 0 and 1, or among numbers.
    static final class OtherLabels extends IllegalArgumentException {
        OtherLabels(String found) {
            super("found " + found + " as a label; here labels are 1 and one of 0 and -1. When training, leave out "
                    + "--cache off, so that all labels are collected first");
        }
    }

    static Classes of(Labels labels, String positive) {
        List<String> names = labels.names();
        if (labels.many()) {
            throw new UnfitLabels("there are more than " + Labels.LIMIT
                    + " distinct labels, which look like numbers to predict; use a loss such as squared");
        }
        refuseFew(labels);
        if (positive != null) {
            int index = names.indexOf(positive.startsWith("+") ? positive.substring(1) : positive);
            if (index < 0) {
                throw new UnfitLabels(
                        "the positive label " + positive + " is not in the data, which has " + some(names));
            }
            String negative = names.size() == 2 ? names.get(1 - index) : REST + names.get(index);
            return new Classes(List.of(negative, names.get(index)), List.of(Target.against(labels.code(index))));
        }
        if (names.size() == 2) {
            return new Classes(names, List.of(Target.against(labels.code(1))));
        }
        return new Classes(
                names,
                IntStream.range(0, names.size())
                        .mapToObj(k -> Target.against(labels.code(k)))
                        .toList());
    }

    /// Refuses the labels of one class, from which nothing can be learned.
    private static void refuseFew(Labels labels) {
        refuseNone(labels);
        if (labels.names().size() == 1) {
            throw new UnfitLabels("every example has the label "
                    + labels.names().getFirst()
                    + ", those of weight 0 aside; a classifier needs examples of two classes");
        }
    }

    /// Refuses data in which no example counts.
    static void refuseNone(Labels labels) {
        if (labels.names().isEmpty() && !labels.many()) {
            throw new UnfitLabels("every example has the weight 0; give those to learn from a weight above 0");
        }
    }

    /// The classes that a model knows, for data whose labels are read by [#rule].
    static Classes of(List<String> names) {
        if (names.isEmpty()) {
            return new Classes(names, List.of(Target.number()));
        }
        if (isRest(names)) {
            return new Classes(names, List.of(Target.against(1)));
        }
        Labels labels = labels(names);
        if (names.size() > 2) {
            return new Classes(
                    names,
                    names.stream()
                            .map(name ->
                                    Target.against(labels.code(labels.names().indexOf(name))))
                            .toList());
        }
        return names.equals(SIGNS)
                ? signs()
                : new Classes(
                        names, List.of(Target.against(labels.code(labels.names().indexOf(names.get(1))))));
    }

    /// How to read the labels of data that a model with these classes is tried on.
    static LabelRule rule(List<String> names) {
        return isRest(names)
                ? new LabelRule.Against(names.get(1))
                : new LabelRule.Expect(expected(names, labels(names)));
    }

    /// The labels that data may have which goes with the classes `names`, made from `labels`: any numbers where numbers
    /// are predicted, and 0 as well as -1 beside 1.
    static Labels expected(List<String> names, Labels labels) {
        if (names.isEmpty()) {
            return NUMBERS;
        }
        boolean signs =
                names.size() == 2 && names.get(1).equals("1") && EITHER.names().contains(names.get(0));
        return signs ? EITHER : labels;
    }

    /// Whether these are one class and all others, as when one label of many is chosen as the positive one.
    private static boolean isRest(List<String> names) {
        return names.size() == 2 && names.get(0).equals(REST + names.get(1));
    }

    private static Labels labels(List<String> names) {
        boolean numeric = names.stream().allMatch(Classes::isNumber);
        List<String> sorted = new ArrayList<>(names);
        if (!numeric) {
            sorted.sort(null);
        }
        return new Labels(sorted, numeric, false);
    }

    private static boolean isNumber(String name) {
        try {
            Double.parseDouble(name);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String some(List<String> names) {
        return names.size() <= 10
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, 10)) + " and " + (names.size() - 10) + " more";
    }
}
