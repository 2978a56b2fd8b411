package tandem.filter;

import java.util.Map;
import java.util.TreeMap;

/// How many bytes each filter was given, and what it made of them, by its name. Belongs to one thread.
public final class Tally {

    /// Bytes before and after.
    public record Bytes(long before, long after) {

        public Bytes plus(Bytes other) {
            return new Bytes(before + other.before, after + other.after);
        }
    }

    private final Map<String, Bytes> byName = new TreeMap<>();

    public void add(String name, long before, long after) {
        byName.merge(name, new Bytes(before, after), Bytes::plus);
    }

    /// By the names of the filters, ascending.
    public Map<String, Bytes> byName() {
        return new TreeMap<>(byName);
    }
}
