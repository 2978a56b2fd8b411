package tandem.model;

import java.io.IOException;
import java.util.List;
import tandem.data.Labels;

/// Which class of a model a label in some data stands for: the same name or the same number. Where the
/// model's two classes are among -1, 0 and 1, any of these will do, as -1 and 0 both mean the negative one.
public final class Classes {

    private final List<String> classes;
    private final Labels labels;
    private final double[] numbers;
    private final boolean signs;

    public Classes(LinearModel model, Labels labels) {
        classes = model.classes();
        this.labels = labels;
        numbers = classes.stream().mapToDouble(Classes::number).toArray();
        boolean unit = true;
        for (double number : numbers) {
            unit &= Math.abs(number) == 1 || number == 0;
        }
        signs = unit && numbers.length == 2;
    }

    /// The index of the class that `code`, the label as a batch carries it, stands for.
    public int index(double code) throws IOException {
        int index = labels.numeric() ? byNumber(code) : classes.indexOf(labels.names().get((int) code));
        if (index < 0) {
            String label = labels.numeric() ? Double.toString(code) : labels.names().get((int) code);
            throw new IOException("the data have the label " + label + "; the model knows " + String.join(", ", classes)
                    + ". Use data with the labels it was trained on");
        }
        return index;
    }

    private int byNumber(double code) {
        for (int k = 0; k < numbers.length; k++) {
            if (numbers[k] == code) {
                return k;
            }
        }
        return signs && (code == -1 || code == 0 || code == 1) ? (code > 0 ? 1 : 0) : -1;
    }

    private static double number(String name) {
        try {
            return Double.parseDouble(name);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
