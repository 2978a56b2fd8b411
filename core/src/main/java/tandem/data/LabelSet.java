package tandem.data;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.math.Hash;

/// The distinct labels of rows that are read in many places, each of which collects its own; [#add] brings them
/// together. One thread at a time.
///
/// Until all labels are known, a name travels as a NaN that carries a hash of the name, the same wherever it is met.
public final class LabelSet {

    private static final long NAMED = 0x7ff8_0000_0000_0000L;
    private static final long HASHED = 0x0007_ffff_ffff_ffffL;

    /// The code of a label that only rows of weight 0 have.
    private static final int NONE = -1;

    @JsonProperty
    private final TreeSet<Double> numbers = new TreeSet<>();

    @JsonProperty
    private final TreeSet<String> names = new TreeSet<>();

    @JsonProperty
    private boolean many;

    /// The stand-in for a name.
    static double standIn(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Double.longBitsToDouble(NAMED | Hash.bytes(0, bytes, 0, bytes.length) & HASHED);
    }

    /// Notes the labels of rows, some of which are these names. Rows of weight 0 teach nothing, so theirs do not count.
    void note(Rows rows, String[] named) {
        TreeMap<Long, String> met = new TreeMap<>();
        for (String name : named) {
            met.put(Double.doubleToRawLongBits(standIn(name)), name);
        }
        for (int r = 0; r < rows.count; r++) {
            double label = rows.labels[r];
            if (!(rows.weights[r] > 0)) {
                continue;
            }
            if (Double.isNaN(label)) {
                names.add(met.get(Double.doubleToRawLongBits(label)));
            } else if (!many) {
                numbers.add(label + 0.0);
            }
        }
        trim();
    }

    /// Beyond the limit nobody wants to know more.
    private void trim() {
        many |= numbers.size() > Labels.LIMIT;
        if (many) {
            numbers.clear();
        }
        while (names.size() > Labels.LIMIT + 1) {
            names.pollLast();
        }
    }

    /// Adds the labels that another place has met.
    public LabelSet add(LabelSet other) {
        numbers.addAll(other.numbers);
        names.addAll(other.names);
        many |= other.many;
        trim();
        return this;
    }

    /// All labels, once all are known.
    public Labels labels() throws BadData {
        if (names.isEmpty()) {
            return many
                    ? new Labels(List.of(), true, true)
                    : new Labels(numbers.stream().map(LabelBook::text).toList(), true, false);
        }
        if (many || names.size() + numbers.size() > Labels.LIMIT) {
            throw new BadData("more than " + Labels.LIMIT + " different labels, some of them names such as '"
                    + names.first() + "'; a label is either a number or one of at most " + Labels.LIMIT
                    + " names: mend the labels, or choose the label column");
        }
        List<String> all = new ArrayList<>(names);
        numbers.forEach(number -> all.add(LabelBook.text(number)));
        all.sort(null);
        return new Labels(all, false, false);
    }

    /// Replaces the labels of rows by those that a batch carries.
    static void code(Rows rows, Labels labels) {
        if (labels.numeric()) {
            return;
        }
        Map<Long, Integer> codes = new TreeMap<>();
        for (int k = 0; k < labels.names().size(); k++) {
            codes.put(Double.doubleToRawLongBits(standIn(labels.names().get(k))), k);
        }
        for (int r = 0; r < rows.count; r++) {
            double label = rows.labels[r];
            long name = Double.doubleToRawLongBits(Double.isNaN(label) ? label : standIn(LabelBook.text(label)));
            rows.labels[r] = codes.getOrDefault(name, NONE);
        }
    }
}
