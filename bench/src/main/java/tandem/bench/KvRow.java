package tandem.bench;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// One line of `bench kv`: the best of `runs` runs, the median beside it. NaN stands for what does not apply.
///
/// @param secondsPerRequest  in the fastest run
/// @param medianSeconds      the same in the median run
/// @param p50Micros          of a request, in the run where it was least
/// @param cpuNanosPerKey     over all processes, in the run where it was least
/// @param medianCpuNanos     the same in the median run
/// @param wireBytesPerKey    what travelled, both ways
record KvRow(
        String part,
        String system,
        double secondsPerRequest,
        double medianSeconds,
        double p50Micros,
        double p99Micros,
        double keysPerSecond,
        double megabytesPerSecond,
        double cpuNanosPerKey,
        double medianCpuNanos,
        double wireBytesPerKey,
        int runs)
        implements Measured {

    static KvRow of(String part, String system, List<KvTrial> trials) {
        KvTrial fastest = least(trials, KvTrial::seconds);
        KvTrial quickest = least(trials, KvTrial::p50Seconds);
        double perSecond = 1 / fastest.seconds();
        return new KvRow(
                part,
                system,
                fastest.secondsPerRequest(),
                median(trials, KvTrial::secondsPerRequest),
                quickest.p50Seconds() * 1e6,
                quickest.p99Seconds() * 1e6,
                fastest.keys() == 0 ? Double.NaN : fastest.keys() * perSecond,
                fastest.bytes() == 0 ? Double.NaN : fastest.bytes() / 1e6 * perSecond,
                least(trials, KvTrial::cpuNanosPerKey).cpuNanosPerKey(),
                median(trials, KvTrial::cpuNanosPerKey),
                fastest.wireBytes() == 0 ? Double.NaN : (double) fastest.wireBytes() / fastest.keys(),
                trials.size());
    }

    private static KvTrial least(List<KvTrial> trials, ToDoubleFunction<KvTrial> figure) {
        return trials.stream().min(Comparator.comparingDouble(figure)).orElseThrow();
    }

    private static double median(List<KvTrial> trials, ToDoubleFunction<KvTrial> figure) {
        double[] sorted = trials.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// The row of `system`, or null.
    static KvRow find(List<KvRow> rows, String system) {
        return rows.stream()
                .filter(row -> row.system.equals(system))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<Cell> cells() {
        boolean single = !Double.isNaN(p50Micros);
        return Arrays.asList(
                new Cell("system", system),
                new Cell("p50 µs", Outcome.number(p50Micros)),
                new Cell("p99 µs", Outcome.number(p99Micros)),
                new Cell("ms a request", single ? "" : Outcome.number(secondsPerRequest * 1e3)),
                new Cell("median", single ? "" : Outcome.number(medianSeconds * 1e3)),
                new Cell("MB/s", Outcome.number(megabytesPerSecond)),
                new Cell("M keys/s", single ? "" : Outcome.number(keysPerSecond / 1e6)),
                new Cell("CPU ns a key", Outcome.number(cpuNanosPerKey)),
                new Cell("median", Outcome.number(medianCpuNanos)),
                new Cell("wire bytes a key", Outcome.number(wireBytesPerKey)),
                new Cell("runs", String.valueOf(runs)));
    }
}
