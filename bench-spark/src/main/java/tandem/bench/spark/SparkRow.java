package tandem.bench.spark;

import java.util.Comparator;
import java.util.List;
import tandem.bench.Measured;
import tandem.bench.Outcome;

/// One line of the report: the fastest of `runs` fits. `firstSeconds` is the first in its JVM. Compute, move and idle
/// add up to the time of both slots. NaN, -1 and 0 bytes stand for what does not apply.
///
/// @param objective mean loss and penalty of the training rows
/// @param above     by how much that is above the optimum, as a share of it; the worst of the runs
/// @param logloss   of rows that were held out
/// @param heapBytes the most that was on the heap after a collection
/// @param peakBytes the most memory the process had resident
record SparkRow(
        String part,
        String system,
        double wallSeconds,
        double medianSeconds,
        double firstSeconds,
        double cpuSeconds,
        double computeSeconds,
        double moveSeconds,
        double idleSeconds,
        double objective,
        double above,
        double logloss,
        long nonZeros,
        long heapBytes,
        long peakBytes,
        int runs)
        implements Measured {

    /// @param optimum NaN if there is none to compare with
    static SparkRow of(String part, String system, List<Answer> answers, double optimum) {
        List<Answer> sorted = answers.stream()
                .sorted(Comparator.comparingDouble(Answer::wallSeconds))
                .toList();
        Answer best = sorted.getFirst();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1
                ? sorted.get(middle).wallSeconds()
                : (sorted.get(middle - 1).wallSeconds() + sorted.get(middle).wallSeconds()) / 2;
        return new SparkRow(
                part,
                system,
                best.wallSeconds(),
                median,
                answers.getFirst().wallSeconds(),
                best.cpuSeconds(),
                best.split().compute(),
                best.split().move(),
                best.split().idle(),
                best.objective(),
                answers.stream()
                        .mapToDouble(answer -> answer.objective() / optimum - 1)
                        .max()
                        .orElse(Double.NaN),
                best.heldOut(),
                best.nonZeros(),
                answers.stream().mapToLong(Answer::heapBytes).max().orElse(0),
                answers.stream().mapToLong(Answer::peakBytes).max().orElse(0),
                answers.size());
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("best s", Outcome.number(wallSeconds)),
                new Cell("median s", Outcome.number(medianSeconds)),
                new Cell("first s", Outcome.number(firstSeconds)),
                new Cell("CPU s", Outcome.number(cpuSeconds)),
                new Cell("compute", Outcome.number(computeSeconds)),
                new Cell("move", Outcome.number(moveSeconds)),
                new Cell("idle", Outcome.number(idleSeconds)),
                new Cell("objective", Double.isNaN(objective) ? "" : Outcome.fixed(6, objective)),
                new Cell("above", Outcome.number(above)),
                new Cell("logloss", Outcome.fixed(5, logloss)),
                new Cell("non-zeros", String.valueOf(nonZeros)),
                new Cell("heap MB", Outcome.fixed(0, heapBytes / 1e6)),
                new Cell("peak MB", Outcome.fixed(0, peakBytes / 1e6)),
                new Cell("runs", String.valueOf(runs)));
    }
}
