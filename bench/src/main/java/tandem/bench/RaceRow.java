package tandem.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// One line of `bench consistency`: medians over `runs` seeds, with the least and most seconds.
///
/// @param seconds   virtual, to the objective; NaN if it was not reached, or not asked for
/// @param idle      the share of their time that workers waited
/// @param tasks     tasks done by all workers
/// @param objective over the last half of the run
/// @param published the same as others have measured it, in words
record RaceRow(
        String part,
        String system,
        double seconds,
        double leastSeconds,
        double mostSeconds,
        double idle,
        double tasks,
        double objective,
        double staleness,
        double stalenessVariance,
        String published,
        int runs)
        implements Measured {

    static RaceRow of(String part, String system, String published, List<Race.Result> results) {
        double[] seconds = sorted(results, Race.Result::seconds);
        return new RaceRow(
                part,
                system,
                median(results, Race.Result::seconds),
                seconds[0],
                seconds[seconds.length - 1],
                median(results, Race.Result::idle),
                median(results, Race.Result::tasks),
                median(results, Race.Result::objective),
                median(results, Race.Result::staleness),
                median(results, Race.Result::variance),
                published,
                results.size());
    }

    private static double median(List<Race.Result> results, ToDoubleFunction<Race.Result> of) {
        return sorted(results, of)[results.size() / 2];
    }

    private static double[] sorted(List<Race.Result> results, ToDoubleFunction<Race.Result> of) {
        double[] all = results.stream().mapToDouble(of).toArray();
        Arrays.sort(all);
        return all;
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("virtual s", Outcome.number(seconds)),
                new Cell("least", Outcome.number(leastSeconds)),
                new Cell("most", Outcome.number(mostSeconds)),
                new Cell("idle %", Outcome.number(100 * idle)),
                new Cell("tasks", Outcome.number(tasks)),
                new Cell("objective", Outcome.fixed(4, objective)),
                new Cell("staleness", Outcome.number(staleness)),
                new Cell("variance", Outcome.number(stalenessVariance)),
                new Cell("runs", String.valueOf(runs)),
                new Cell("published", published));
    }
}
