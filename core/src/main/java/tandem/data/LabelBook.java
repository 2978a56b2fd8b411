package tandem.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Collects the distinct labels of the data while it is read. Shared by the reading threads.
///
/// A label that is a name travels as a NaN that carries the number under which the name was first
/// written here; [#code] turns that into what a batch carries once all labels are known. A name is written while its
/// line is read, and is a label only once the line has turned out to be a row.
final class LabelBook {

    private static final long NAMED = 0x7ff8_0000_0000_0000L;

    private final Map<String, Integer> written = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /// The names, by number, that rows have.
    private final BitSet met = new BitSet();

    private final TreeMap<Double, String> numbers = new TreeMap<>();
    private boolean many;

    /// What there is to learn from: the first label of a row that counts, and whether there are others.
    private double one;

    private boolean any;
    private boolean several;

    /// The stand-in for a name; refuses more names than classes may have.
    synchronized double write(String name) throws BadLine {
        Integer index = written.get(name);
        if (index == null) {
            if (names.size() == Labels.LIMIT) {
                throw new BadLine("label '" + name + "' is the " + (Labels.LIMIT + 1)
                        + "th different name; names are classes, at most " + Labels.LIMIT
                        + " of them. If this is no label, choose the format or the label column");
            }
            index = names.size();
            written.put(name, index);
            names.add(name);
        }
        return Double.longBitsToDouble(NAMED | (index + 1));
    }

    /// Notes the labels of rows that have been read, those of other parts of the data included.
    synchronized void note(Rows rows) {
        double last = Double.NaN;
        double before = Double.NaN;
        for (int r = 0; r < rows.count; r++) {
            double label = rows.labels[r];
            if (index(label) >= 0) {
                met.set(index(label));
            } else if (!many && label != last && label != before && !Double.isNaN(label)) {
                before = last;
                last = label;
                numbers.putIfAbsent(label + 0.0, text(label + 0.0));
                many = numbers.size() > Labels.LIMIT;
            }
        }
    }

    /// Notes rows to learn from; those of weight 0 teach nothing.
    synchronized void learn(Rows rows) {
        for (int r = 0; r < rows.count && !several; r++) {
            if (rows.weights[r] > 0) {
                several = any && !isSame(one, rows.labels[r]);
                one = any ? one : rows.labels[r];
                any = true;
            }
        }
    }

    private static boolean isSame(double a, double b) {
        return a == b || Double.doubleToRawLongBits(a) == Double.doubleToRawLongBits(b);
    }

    /// Refuses, as soon as it is so, a mixture of names and more numbers than classes may be.
    synchronized void check() throws BadData {
        if (!met.isEmpty() && (many || met.cardinality() + numbers.size() > Labels.LIMIT)) {
            throw new BadData("more than " + Labels.LIMIT + " different labels, some of them names such as '"
                    + names.get(met.nextSetBit(0)) + "'; a label is either a number or one of at most " + Labels.LIMIT
                    + " names: mend the labels, or choose the label column");
        }
    }

    /// The labels noted so far; if all rows to learn from have the same, only that one, and if there are none, none.
    synchronized Labels labels() {
        if (!several) {
            return any ? only(one) : Labels.NONE;
        }
        if (met.isEmpty()) {
            return many ? new Labels(List.of(), true, true) : new Labels(List.copyOf(numbers.values()), true, false);
        }
        List<String> all = new ArrayList<>(numbers.values());
        met.stream().mapToObj(names::get).forEach(all::add);
        all.sort(null);
        return new Labels(all, false, false);
    }

    private Labels only(double label) {
        int index = index(label);
        return index >= 0
                ? new Labels(List.of(names.get(index)), false, false)
                : new Labels(List.of(text(label + 0.0)), true, false);
    }

    /// Replaces labels as read by those that a batch carries.
    void code(Rows rows, Labels labels) {
        if (labels.numeric()) {
            return;
        }
        double[] codes = new double[names.size()];
        Arrays.setAll(codes, i -> labels.names().indexOf(names.get(i)));
        for (int r = 0; r < rows.count; r++) {
            int index = index(rows.labels[r]);
            rows.labels[r] = index >= 0 ? codes[index] : labels.names().indexOf(text(rows.labels[r]));
        }
    }

    /// The number under which a stand-in was written; -1 if `label` is not one.
    static int index(double label) {
        long bits = Double.doubleToRawLongBits(label);
        return (bits & NAMED) == NAMED ? (int) bits - 1 : -1;
    }

    /// A number as people write it: 1 rather than 1.0.
    static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
