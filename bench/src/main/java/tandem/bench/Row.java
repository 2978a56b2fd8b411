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
        int runs) {

    /// The row of `system`, or null.
    static Row find(List<Row> rows, String system) {
        return rows.stream()
                .filter(row -> row.system().equals(system))
                .findFirst()
                .orElse(null);
    }
}
