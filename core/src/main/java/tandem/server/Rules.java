package tandem.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tandem.wire.TableSpec;

/// What servers know by name: the update rules of tables, and functions over their rows. Names and numbers travel,
/// code does not.
public final class Rules {

    private final Map<String, Function<double[], UpdateRule>> byName = new TreeMap<>();
    private final Map<String, Function<double[], RowRule>> rowRules = new TreeMap<>();
    private final Map<String, ServerFunction> functions = new TreeMap<>();
    private final Map<String, ServerChange> changes = new TreeMap<>();

    /// The rule `add`, which adds what is pushed, and the functions of [VectorFunctions]: `dot`, `nonzeros`, `top`,
    /// and the changes `scale`, `axpy`, `copy`, `fill`.
    public Rules() {
        with("add", _ -> new Add());
        withFunction("dot", VectorFunctions.DOT);
        withFunction("nonzeros", VectorFunctions.NONZEROS);
        withFunction("top", VectorFunctions.TOP);
        withChange("scale", VectorFunctions.SCALE);
        withChange("axpy", VectorFunctions.ADD);
        withChange("copy", VectorFunctions.COPY);
        withChange("fill", VectorFunctions.FILL);
    }

    /// The same with another rule, made from the numbers of a table's settings.
    public Rules with(String name, Function<double[], UpdateRule> rule) {
        return put(byName, "rule", name, rule);
    }

    /// The same with another rule for rows of lengths of their own.
    public Rules withRows(String name, Function<double[], RowRule> rule) {
        return put(rowRules, "rule for rows", name, rule);
    }

    /// The same with another function that reads rows.
    public Rules withFunction(String name, ServerFunction function) {
        return put(functions, "function", name, function);
    }

    /// The same with another function that changes rows.
    public Rules withChange(String name, ServerChange change) {
        return put(changes, "change", name, change);
    }

    private <T> Rules put(Map<String, T> into, String what, String name, T one) {
        if (into.putIfAbsent(name, one) != null) {
            throw new IllegalArgumentException(
                    "there is a " + what + " called " + name + " already; choose another name");
        }
        return this;
    }

    /// Refuses a table whose rule is not there, or does not take its settings.
    public void check(TableSpec table) {
        if (table.variable()) {
            rowRule(table.rule(), table.settings());
        } else {
            named(table.rule(), table.settings());
        }
    }

    UpdateRule named(String name, double[] settings) {
        return find(byName, "rule", name).apply(settings);
    }

    RowRule rowRule(String name, double[] settings) {
        return find(rowRules, "rule for rows of lengths of their own", name).apply(settings);
    }

    ServerFunction function(String name) {
        return find(functions, "function", name);
    }

    ServerChange change(String name) {
        return find(changes, "change", name);
    }

    private static <T> T find(Map<String, T> from, String what, String name) {
        T one = from.get(name);
        if (one == null) {
            throw new IllegalArgumentException(
                    "no " + what + " is called " + name + "; there are " + String.join(", ", from.keySet()));
        }
        return one;
    }

    private record Add() implements UpdateRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public void update(float[] entries, int at, float gradient) {
            entries[at] += gradient;
        }

        @Override
        public void update(float[] entries, int at, float[] gradients, int from, int count) {
            for (int g = 0; g < count; g++) {
                entries[at + g] += gradients[from + g];
            }
        }

        @Override
        public void update(double[] entries, int at, double gradient) {
            entries[at] += gradient;
        }
    }
}
