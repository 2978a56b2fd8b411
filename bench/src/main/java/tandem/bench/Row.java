package tandem.bench;

import java.util.List;

/// One line of a report: the fastest of `runs` runs of a system. `firstSeconds` is its first run, which in
/// a JVM is a cold one. NaN, -1 and 0 bytes stand for what does not apply or is not known.
record Row(
        String part,
        String system,
        double examplesPerSecond,
        double megabytesPerSecond,
        double logloss,
        double wallSeconds,
        double medianSeconds,
        double firstSeconds,
        double cpuSeconds,
        long peakBytes,
        double objective,
        long nonZeros,
        int runs)
        implements Measured {

    /// The row of `system`, or null.
    static Row find(List<Row> rows, String system) {
        return rows.stream()
                .filter(row -> row.system().equals(system))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("best s", Outcome.number(wallSeconds)),
                new Cell("median s", Outcome.number(medianSeconds)),
                new Cell("first s", Outcome.number(firstSeconds)),
                new Cell("CPU s", Outcome.number(cpuSeconds)),
                new Cell("rows/s", Outcome.number(examplesPerSecond)),
                new Cell("MB/s", Outcome.number(megabytesPerSecond)),
                new Cell("logloss", Double.isNaN(logloss) ? "" : Outcome.fixed(5, logloss)),
                new Cell("objective", Double.isNaN(objective) ? "" : Outcome.fixed(3, objective)),
                new Cell("non-zeros", nonZeros < 0 ? "" : String.valueOf(nonZeros)),
                new Cell("peak MB", peakBytes == 0 ? "" : Outcome.fixed(0, peakBytes / 1e6)),
                new Cell("runs", String.valueOf(runs)));
    }
}
