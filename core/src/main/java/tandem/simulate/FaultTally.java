package tandem.simulate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What came of the runs of some seeds with faults, in all.
///
/// @param seeds      how many runs there were
/// @param encoded    those in which all messages went through bytes
/// @param nodeFaults how many faults struck a node
/// @param kinds      how many faults of each kind there were, of nodes and others
/// @param pushes     how many updates were acknowledged
/// @param reads      how many reads were checked
/// @param events     how many messages and timers there were
/// @param found      what was wrong, by seed; the first so many of them
public record FaultTally(
        long seeds,
        long encoded,
        long nodeFaults,
        SortedMap<String, Long> kinds,
        long pushes,
        long reads,
        long events,
        long violations,
        List<Found> found) {

    public static final FaultTally NONE = new FaultTally(0, 0, 0, new TreeMap<>(), 0, 0, 0, 0, List.of());

    /// The most violations that are kept one by one.
    private static final int MOST = 20;

    /// Something that was wrong in the run of a seed.
    public record Found(long seed, String what) {}

    /// The same with one more run.
    public FaultTally with(FaultPlan plan, FaultRun.Verdict verdict) {
        boolean wrong = verdict.violation() != null;
        return plus(new FaultTally(
                1,
                plan.encoded() ? 1 : 0,
                verdict.nodeFaults(),
                named(verdict.struck()),
                verdict.pushes(),
                verdict.reads(),
                verdict.steps(),
                wrong ? 1 : 0,
                wrong ? List.of(new Found(plan.seed(), verdict.violation())) : List.of()));
    }

    public FaultTally plus(FaultTally other) {
        List<Found> all = new ArrayList<>(found);
        all.addAll(other.found);
        return new FaultTally(
                seeds + other.seeds,
                encoded + other.encoded,
                nodeFaults + other.nodeFaults,
                sum(kinds, other.kinds),
                pushes + other.pushes,
                reads + other.reads,
                events + other.events,
                violations + other.violations,
                List.copyOf(all.subList(0, Math.min(MOST, all.size()))));
    }

    private static SortedMap<String, Long> named(SortedMap<Fault.Kind, Integer> struck) {
        SortedMap<String, Long> kinds = new TreeMap<>();
        struck.forEach((kind, count) -> kinds.put(kind.name(), (long) count));
        return kinds;
    }

    private static SortedMap<String, Long> sum(SortedMap<String, Long> some, SortedMap<String, Long> others) {
        SortedMap<String, Long> all = new TreeMap<>(some);
        others.forEach((kind, count) -> all.merge(kind, count, Long::sum));
        return Collections.unmodifiableSortedMap(all);
    }

    public double pushesPerFault() {
        return nodeFaults == 0 ? 0 : (double) pushes / nodeFaults;
    }

    public double encodedShare() {
        return seeds == 0 ? 0 : (double) encoded / seeds;
    }
}
