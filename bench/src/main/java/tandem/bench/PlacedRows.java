package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Placement;
import tandem.Solver;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.report.Chart;
import tandem.simulate.Network;

/// What does it save to put examples with features in common on one worker (Parsa)? Published (Li, Andersen and Smola
/// 2015): 90 % less network traffic, 1.6 times faster.
record PlacedRows(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final Network GIGABIT = new Network(100_000, 0, 1.25e8, 0, 0);
    private static final int WORKERS = 8;
    private static final int PASSES = 3;
    private static final String TRAFFIC = "MB in training";
    private static final String SECONDS = "virtual s";
    private static final String REMOTE = "remote features";

    private enum Kind {
        clicks,
        communities
    }

    @Override
    public Findings run() throws Exception {
        List<SeedsRow> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        List<Chart.Line> lines = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            String part = "parsa: %s, 8 workers, 2 servers, 1 Gbit/s, 3 passes of ftrl, simulated".formatted(kind);
            List<Map<String, Double>> any = new ArrayList<>();
            List<Map<String, Double>> parsa = new ArrayList<>();
            for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
                notes.progress("parsa: %s, seed %d".formatted(kind, seed));
                Data data = data(kind, seed);
                JsonNode placed = train(data, Placement.PARSA, seed);
                any.add(figures(train(data, Placement.ANY, seed), placed.at("/placement/random/remote")));
                parsa.add(figures(placed, placed.at("/placement/parsa/remote")));
            }
            SeedsRow before = SeedsRow.of(part, "any", "", any);
            SeedsRow after = SeedsRow.of(part, "parsa", "90 % less traffic, 1.6 times faster", parsa);
            rows.add(before);
            rows.add(after);
            lines.add(new Chart.Line(
                    kind.name(), new double[] {0, 1}, new double[] {before.median(TRAFFIC), after.median(TRAFFIC)}));
            ratios.addAll(conclude(kind, before, after));
        }
        settings.draw("solvers-parsa", new Chart("traffic in training", "0: any, 1: parsa", "MB", lines));
        return new Findings(rows, ratios);
    }

    private Data data(Kind kind, long seed) throws Exception {
        Path file = switch (kind) {
            case clicks ->
                work.clicks(
                        "placed-%d.svm".formatted(seed),
                        Clicks.DEFAULT
                                .withSeed(seed)
                                .withRows(settings.scaled(40_000))
                                .withFeatures(100_000),
                        notes);
            case communities ->
                new Communities(settings.scaled(40_000), 16, 2_000, seed)
                        .write(work.file("communities-%d.svm".formatted(seed)));
        };
        return Data.of(file.toString());
    }

    private JsonNode train(Data data, Placement placement, long seed) throws Exception {
        Linear linear = Linear.DEFAULT
                .withSeed(seed)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(PASSES));
        return LinearTraining.of(linear, data)
                .withCache(new CacheUse.Auto(work.folder()))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(WORKERS, 2)
                        .withBatchRows(256)
                        .withWhere(new Where.Simulated(GIGABIT, 25, 0, 1))
                        .withPlacement(placement))
                .run()
                .report()
                .tree();
    }

    private static Map<String, Double> figures(JsonNode report, JsonNode remote) {
        Map<String, Double> found = new LinkedHashMap<>();
        found.put(REMOTE, remote.asDouble());
        found.put(
                TRAFFIC,
                (report.at("/bytes/sent").asDouble()
                                + report.at("/bytes/received").asDouble())
                        / 1e6);
        found.put(SECONDS, report.path("seconds").asDouble());
        found.put("loss", report.at("/metrics/logloss").asDouble());
        return found;
    }

    private List<Ratio> conclude(Kind kind, SeedsRow any, SeedsRow parsa) {
        double remote = 100 * (1 - parsa.median(REMOTE) / any.median(REMOTE));
        double traffic = 100 * (1 - parsa.median(TRAFFIC) / any.median(TRAFFIC));
        double faster = any.median(SECONDS) / parsa.median(SECONDS);
        notes.remark(
                "parsa, %s: %s: %s %% fewer features of other nodes and %s %% fewer bytes in training (published 90"
                                .formatted(
                                        kind,
                                        Verdict.of(remote >= 80, faster >= 1.4),
                                        Outcome.number(remote),
                                        Outcome.number(traffic))
                        + " %% less traffic), %s times faster (published 1.6)".formatted(Outcome.number(faster)));
        return List.of(
                Ratio.plain(any.part(), "% fewer features of other nodes", remote),
                Ratio.plain(any.part(), "% fewer bytes in training", traffic),
                Ratio.plain(any.part(), "times faster", faster));
    }
}
