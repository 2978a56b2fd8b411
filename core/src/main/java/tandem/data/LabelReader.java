package tandem.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tandem.math.Hash;

/// Reads the label of a row: a number, or the name of a class. Remembers names, so that a name met again
/// costs one probe and no lock. One a thread.
final class LabelReader {

    private static final int SLOTS = 1 << 12;
    private static final int LONGEST_NAME = 200;

    private final Naming naming;
    private final LabelRule rule;

    /// The numbers that are expected, ascending; null if any may come.
    private final double[] numbers;

    private final byte[][] names = new byte[SLOTS][];
    private final double[] codes = new double[SLOTS];

    /// What stands for a name.
    @FunctionalInterface
    interface Naming {
        double code(String name) throws BadLine;
    }

    /// `collected` codes the names that are met where none are expected.
    LabelReader(LabelRule rule, Naming collected) {
        this.rule = rule;
        naming = switch (rule) {
            case LabelRule.Collect() -> collected;
            case LabelRule.Expect(Labels labels) -> name -> expected(labels, name);
            case LabelRule.Against(String positive) -> name -> name.equals(positive) ? 1 : 0;
            case LabelRule.Ignore() -> name -> Double.NaN;
        };
        numbers = rule instanceof LabelRule.Expect(Labels labels) && labels.numeric() && !labels.many()
                ? labels.names().stream()
                        .mapToDouble(Double::parseDouble)
                        .sorted()
                        .toArray()
                : null;
    }

    private static double expected(Labels labels, String name) throws BadLine {
        int index = labels.numeric() ? -1 : labels.names().indexOf(name);
        if (index < 0) {
            throw new BadLine("label '" + name + "'; the labels here are "
                    + (labels.many()
                            ? "numbers"
                            : String.join(
                                    ", ",
                                    labels.names()
                                            .subList(
                                                    0,
                                                    Math.min(10, labels.names().size()))))
                    + ". Check that this data goes with the model");
        }
        return index;
    }

    /// Whether labels are not looked at.
    boolean ignores() {
        return rule instanceof LabelRule.Ignore;
    }

    double read(byte[] text, int from, int to) throws BadLine {
        if (rule instanceof LabelRule.Ignore) {
            return Double.NaN;
        }
        double number = Decimal.parse(text, from, to);
        if (!Double.isNaN(number)) {
            if (Double.isInfinite(number)) {
                throw new BadLine("label " + BadLine.quote(text, from, to)
                        + "; it is too large for a 64-bit floating-point number. Scale the labels");
            }
            return number(number + 0.0);
        }
        if (from == to) {
            throw new BadLine("the label is empty; give every row a label, or leave the row out");
        }
        if (Decimal.isNotFinite(text, from, to)) {
            throw new BadLine("label " + BadLine.quote(text, from, to)
                    + "; a label must be a finite number or a name. Leave out rows whose label is unknown");
        }
        // Other names may be any number of different ones, so they are not remembered.
        return rule instanceof LabelRule.Against
                ? naming.code(new String(text, from, to - from, StandardCharsets.UTF_8))
                : named(text, from, to);
    }

    private double number(double number) throws BadLine {
        return switch (rule) {
            case LabelRule.Against _ -> naming.code(LabelBook.text(number));
            case LabelRule.Expect(Labels labels)
            when !labels.numeric() || numbers != null && Arrays.binarySearch(numbers, number) < 0 ->
                expected(labels, LabelBook.text(number));
            case LabelRule.Collect _, LabelRule.Expect _, LabelRule.Ignore _ -> number;
        };
    }

    private double named(byte[] text, int from, int to) throws BadLine {
        int slot = (int) Hash.bytes(0, text, from, to) & (SLOTS - 1);
        while (names[slot] != null) {
            if (Arrays.equals(names[slot], 0, names[slot].length, text, from, to)) {
                return codes[slot];
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        check(text, from, to);
        double code = naming.code(new String(text, from, to - from, StandardCharsets.UTF_8));
        names[slot] = Arrays.copyOfRange(text, from, to);
        codes[slot] = code;
        return code;
    }

    private static void check(byte[] text, int from, int to) throws BadLine {
        if (to - from > LONGEST_NAME) {
            throw new BadLine("label " + BadLine.quote(text, from, to) + " is " + (to - from)
                    + " bytes long; names of classes have at most " + LONGEST_NAME + ". Is this the right format?");
        }
        for (int i = from; i < to; i++) {
            if (text[i] >= 0 && text[i] < ' ') {
                throw new BadLine("label " + BadLine.quote(text, from, to)
                        + " holds control characters; this does not look like text. Is this the right file?");
            }
        }
    }
}
