package tandem.filter;

import java.util.Map;
import java.util.TreeMap;

/// How many bytes each filter was given, and what it made of them, by its name. Belongs to one thread.
public final class Tally {

    private final Map<String, Count> byName = new TreeMap<>();

    /// Bytes before and after.
    public record Bytes(long before, long after) {

        public Bytes plus(Bytes other) {
            return new Bytes(before + other.before, after + other.after);
        }
    }

    /// What one filter has counted so far.
    static final class Count {

        private long before;
        private long after;

        void add(long bytesBefore, long bytesAfter) {
            before += bytesBefore;
            after += bytesAfter;
        }
    }

    Count of(String name) {
        return byName.computeIfAbsent(name, _ -> new Count());
    }

    /// What was counted of each filter that had anything to do, by name.
    public Map<String, Bytes> byName() {
        Map<String, Bytes> all = new TreeMap<>();
        byName.forEach((name, count) -> {
            if (count.before > 0 || count.after > 0) {
                all.put(name, new Bytes(count.before, count.after));
            }
        });
        return all;
    }
}
