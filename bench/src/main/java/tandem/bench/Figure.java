package tandem.bench;

import java.util.Arrays;
import java.util.Collection;

/// A number that several runs have: its median, and the least and most of it. NaN is what a run did not reach, and is
/// more than any number.
record Figure(String name, double median, double least, double most) {

    static Figure of(String name, Collection<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return new Figure(name, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    /// The median, then least and most in brackets where they differ.
    String text() {
        String middle = word(median);
        return word(least).equals(word(most)) ? middle : "%s (%s to %s)".formatted(middle, word(least), word(most));
    }

    /// With a digit more than usual below 1, where losses are.
    private static String word(double value) {
        if (Double.isNaN(value)) {
            return "never";
        }
        double size = Math.abs(value);
        return size >= 0.001 && size < 1 ? Outcome.fixed(4, value) : Outcome.number(value);
    }
}
