package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import tandem.problem.Span;
import tandem.report.Progress;

/// A model in words: what it is, where it comes from, and its largest weights.
public final class Inspection {

    private record Weight(long id, int output, double value) {}

    private static final Comparator<Weight> BY_SIZE = Comparator.<Weight>comparingDouble(w -> Math.abs(w.value))
            .thenComparing((a, b) -> Long.compareUnsigned(b.id, a.id));

    /// What the setting `penalty` says already.
    private static final Set<String> IN_PENALTY = Set.of("l1", "l2");

    private final LinearModel model;
    private final LongFunction<String> names;
    private final StringBuilder text = new StringBuilder();

    private Inspection(LinearModel model, LongFunction<String> names) {
        this.model = model;
        this.names = names;
    }

    /// The text, with the `top` largest weights. `names` gives the name of a feature id, or null.
    public static String text(LinearModel model, int top, LongFunction<String> names) {
        return text(model, "", "", top, names);
    }

    /// The same of a factorisation machine, whose weights are given.
    public static String text(StoredModel machine, LinearModel weights, int top, LongFunction<String> names)
            throws IOException {
        int dimension = machine.card().dimension();
        String factors =
                dimension == 0 ? "" : dimension + " each of " + Progress.count(machine.factored()) + " features";
        Span span = machine.card().span();
        String within = span.equals(Span.ALL) ? "" : "from " + number(span.low()) + " to " + number(span.high());
        return text(weights, factors, within, top, names);
    }

    private static String text(LinearModel model, String factors, String span, int top, LongFunction<String> names) {
        Inspection inspection = new Inspection(model, names);
        inspection.describe();
        inspection.line("factors", factors);
        inspection.line("predicts", span);
        inspection.trace();
        inspection.show(top);
        return inspection.text.toString();
    }

    private void describe() {
        line("loss", model.loss());
        if (model.classes().size() == 2) {
            line("classes", model.classes().get(0) + ", " + model.classes().get(1) + " (positive)");
        } else if (!model.classes().isEmpty()) {
            line("classes", model.classes().size() + ": " + String.join(", ", model.classes()));
        }
        long nonZero = model.nonZero();
        long features = model.provenance().features();
        long all = features * model.outputs();
        String share = features == 0 ? "" : String.format(Locale.ROOT, " of %,d (%.3g %%)", all, 100.0 * nonZero / all);
        line("weights", Progress.count(nonZero) + share + " not zero, stored as " + model.precision());
        line(
                "intercept",
                Arrays.stream(model.intercepts()).mapToObj(Inspection::number).collect(Collectors.joining(", ")));
    }

    private void trace() {
        Provenance from = model.provenance();
        if (!from.version().isEmpty()) {
            line("trained", from.created() + " by Tandem " + from.version() + ", seed " + from.seed());
        }
        for (Provenance.Source source : from.data()) {
            line("data", source.path() + " (" + source.fingerprint() + ")");
        }
        if (!from.settings().isEmpty()) {
            line(
                    "settings",
                    from.settings().entrySet().stream()
                            .filter(entry ->
                                    !from.settings().containsKey("penalty") || !IN_PENALTY.contains(entry.getKey()))
                            .map(entry -> entry.getKey() + " " + entry.getValue())
                            .collect(Collectors.joining(", ")));
        }
        line("metrics", numbers(from.metrics()));
        line("certificate", numbers(from.certificate()));
        line("schema", model.schema().isNull() ? "" : model.schema().toString());
    }

    /// The ids of the `top` largest weights, those for which [#text] asks the names.
    public static long[] largestIds(LinearModel model, int top) {
        return largest(model, top).stream().mapToLong(Weight::id).distinct().toArray();
    }

    private static List<Weight> largest(LinearModel model, int top) {
        var heap = new PriorityQueue<>(BY_SIZE);
        for (int k = 0; k < model.outputs(); k++) {
            for (int i = 0; i < model.ids().length; i++) {
                double value = model.weights()[k][i];
                if (value != 0 && (heap.size() < top || Math.abs(value) >= Math.abs(heap.peek().value))) {
                    heap.add(new Weight(model.ids()[i], k, value));
                    if (heap.size() > top) {
                        heap.poll();
                    }
                }
            }
        }
        List<Weight> weights = new ArrayList<>(heap);
        weights.sort(BY_SIZE.reversed());
        return weights;
    }

    private void show(int top) {
        List<Weight> weights = largest(model, top);
        if (!weights.isEmpty()) {
            text.append("\nlargest weights\n");
        }
        for (Weight weight : weights) {
            String name = names.apply(weight.id);
            String label = model.outputs() > 1 ? "  " + Export.outputName(model, weight.output) : "";
            text.append(String.format(
                    Locale.ROOT,
                    "%14s  %s%s%s\n",
                    number(weight.value),
                    Long.toUnsignedString(weight.id),
                    name == null ? "" : "  " + name,
                    label));
        }
    }

    private void line(String key, String value) {
        if (!value.isEmpty()) {
            text.append(String.format(Locale.ROOT, "%-12s%s\n", key, value));
        }
    }

    /// The plain numbers of `tree`, by name.
    private static String numbers(JsonNode tree) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : tree.properties()) {
            if (entry.getValue().isNumber()) {
                JsonNode value = entry.getValue();
                parts.add(entry.getKey() + " "
                        + (value.isIntegralNumber() ? Progress.count(value.longValue()) : number(value.doubleValue())));
            }
        }
        return String.join(", ", parts);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6g", value);
    }
}
