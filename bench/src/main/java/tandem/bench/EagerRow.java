package tandem.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// One line of the part `eager` of `bench consistency`: medians over `runs` seeds.
///
/// @param passes    to the target; NaN if it was not reached
/// @param seconds   virtual, to the target
/// @param megabytes sent and received by workers in all
/// @param published the same as others have measured it, in words
record EagerRow(
        String part,
        String system,
        double passes,
        double seconds,
        double staleness,
        double stalenessVariance,
        double megabytes,
        String published,
        int runs)
        implements Measured {

    static EagerRow of(String part, String system, String published, List<EagerRace.Result> results) {
        return new EagerRow(
                part,
                system,
                median(results, EagerRace.Result::passes),
                median(results, EagerRace.Result::seconds),
                median(results, EagerRace.Result::staleness),
                median(results, EagerRace.Result::variance),
                median(results, EagerRace.Result::bytes) / 1e6,
                published,
                results.size());
    }

    private static double median(List<EagerRace.Result> results, ToDoubleFunction<EagerRace.Result> of) {
        double[] all = results.stream().mapToDouble(of).toArray();
        Arrays.sort(all);
        return all[all.length / 2];
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("passes", Outcome.number(passes)),
                new Cell("virtual s", Outcome.number(seconds)),
                new Cell("staleness", Outcome.number(staleness)),
                new Cell("variance", Outcome.number(stalenessVariance)),
                new Cell("MB", Outcome.number(megabytes)),
                new Cell("runs", String.valueOf(runs)),
                new Cell("published", published));
    }
}
