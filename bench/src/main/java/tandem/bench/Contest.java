package tandem.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/// Systems that do the same work in turns, so that a change in the machine meets all of them.
///
/// @param part what the work is called in the report
/// @param examples rows that one run goes through, or 0
/// @param bytes of text that one run goes through, or 0
/// @param rounds how often each runs
/// @param budgetSeconds no new round begins after so long; the first always runs
record Contest(String part, long examples, long bytes, int rounds, double budgetSeconds) {

    /// The trials of each system, in the order they ran, as one row each.
    List<Row> run(Map<String, Callable<Trial>> systems, Notes notes) throws Exception {
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        systems.keySet().forEach(system -> trials.put(system, new ArrayList<>()));
        long start = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            double seconds = (System.nanoTime() - start) / 1e9;
            if (round > 0 && seconds > budgetSeconds) {
                break;
            }
            for (var system : systems.entrySet()) {
                notes.progress("%s: round %d of %d, %s".formatted(part, round + 1, rounds, system.getKey()));
                trials.get(system.getKey()).add(system.getValue().call());
            }
        }
        List<Row> rows = new ArrayList<>();
        trials.forEach((system, runs) -> rows.add(row(system, runs)));
        return rows;
    }

    /// The fastest run, with the median of times and losses beside it.
    Row row(String system, List<Trial> runs) {
        Trial best = runs.stream()
                .min(Comparator.comparingDouble(Trial::wallSeconds))
                .orElseThrow();
        return new Row(
                part,
                system,
                examples == 0 ? Double.NaN : examples / best.wallSeconds(),
                bytes == 0 ? Double.NaN : bytes / 1e6 / best.wallSeconds(),
                median(runs, Trial::logloss),
                best.wallSeconds(),
                median(runs, Trial::wallSeconds),
                runs.getFirst().wallSeconds(),
                best.cpuSeconds(),
                best.peakBytes(),
                best.objective(),
                best.nonZeros(),
                runs.size());
    }

    private static double median(List<Trial> runs, ToDoubleFunction<Trial> of) {
        double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
