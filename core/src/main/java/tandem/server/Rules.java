package tandem.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The update rules that a server can give to a table, by name: a name and some numbers travel, code does not.
public final class Rules {

    private final Map<String, Function<double[], UpdateRule>> byName = new TreeMap<>();

    /// `add`, which adds what is pushed.
    public Rules() {
        with("add", _ -> new Add());
    }

    /// The same with another rule, made from the numbers of a table's settings.
    public Rules with(String name, Function<double[], UpdateRule> rule) {
        if (byName.putIfAbsent(name, rule) != null) {
            throw new IllegalArgumentException("there is a rule called " + name + " already; choose another name");
        }
        return this;
    }

    UpdateRule named(String name, double[] settings) {
        Function<double[], UpdateRule> rule = byName.get(name);
        if (rule == null) {
            throw new IllegalArgumentException(
                    "no rule is called " + name + "; there are " + String.join(", ", byName.keySet()));
        }
        return rule.apply(settings);
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
        public void update(double[] entries, int at, double gradient) {
            entries[at] += gradient;
        }
    }
}
