package tandem.data;

import java.util.List;
import java.util.TreeMap;

/// Counts the bad lines of one pass and stops it when there are too many. Shared by the reading threads.
final class Faults {

    private final BadLines policy;
    private final TreeMap<Long, String> first = new TreeMap<>();
    private long count;

    Faults(BadLines policy) {
        this.policy = policy;
    }

    /// Notes a bad line; `place` orders lines as they stand in the data.
    synchronized void add(String file, long line, long place, String what) throws BadData {
        String message = file + ":" + line + ": " + what;
        count++;
        if (!policy.tolerates(count)) {
            switch (policy) {
                case BadLines.Fail() -> throw new BadData(message);
                case BadLines.Skip(long limit) ->
                    throw new BadData(message + " (bad line number " + count + "; at most " + limit
                            + " may be skipped: raise that limit or mend the file)");
            }
        }
        first.put(place, message);
        if (first.size() > Skipped.EXAMPLES) {
            first.pollLastEntry();
        }
    }

    synchronized Skipped skipped() {
        return count == 0 ? Skipped.NONE : new Skipped(count, List.copyOf(first.values()));
    }
}
