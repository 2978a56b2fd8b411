package tandem.bench;

import java.util.List;

/// What came of one kind of chaos.
///
/// @param rounds        how often it struck
/// @param exactRounds   rounds after which every row was what had been pushed
/// @param limitSeconds  how long pushes may stand still
/// @param withinLimit   rounds in which they did not stand still longer
/// @param medianSeconds how long they did; and below, in 99 of 100 rounds and at most
record ChaosRow(
        String part,
        String system,
        int rounds,
        int exactRounds,
        double limitSeconds,
        int withinLimit,
        double medianSeconds,
        double p99Seconds,
        double maxSeconds)
        implements Measured {

    static ChaosRow of(ChaosKind kind, List<Havoc.Blow> blows) {
        double[] seconds =
                blows.stream().mapToDouble(Havoc.Blow::seconds).sorted().toArray();
        return new ChaosRow(
                "every few seconds something is done to a cluster that counts",
                kind.what(),
                blows.size(),
                (int) blows.stream().filter(Havoc.Blow::isExact).count(),
                kind.limitSeconds(),
                (int) blows.stream()
                        .filter(blow -> blow.seconds() <= kind.limitSeconds())
                        .count(),
                quantile(seconds, 0.5),
                quantile(seconds, 0.99),
                quantile(seconds, 1));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("rounds", Integer.toString(rounds)),
                new Cell("exact", Integer.toString(exactRounds)),
                new Cell("pushes stood still, s: median", Outcome.fixed(2, medianSeconds)),
                new Cell("99 %", Outcome.fixed(2, p99Seconds)),
                new Cell("most", Outcome.fixed(2, maxSeconds)),
                new Cell("limit", Outcome.fixed(1, limitSeconds)),
                new Cell("within", Integer.toString(withinLimit)));
    }
}
