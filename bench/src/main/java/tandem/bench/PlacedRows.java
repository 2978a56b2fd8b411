package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
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

/// What does it save to put examples with features in common on one worker, and these features on the server beside it
/// (Parsa)? Worker i and server i are one machine, wherever examples and features are, so that by chance an eighth of
/// what is asked for is near. Published (Li, Andersen and Smola 2015): 90 % less network traffic, 1.6 times faster.
record PlacedRows(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final Network GIGABIT = new Network(100_000, 0, 1.25e8, 0, 0);
    private static final int MACHINES = 8;
    private static final int PASSES = 3;
    private static final String TRAFFIC = "MB between machines";
    private static final String LOCAL = "MB within";
    private static final String SECONDS = "virtual s";
    private static final String REMOTE = "remote features";

    /// Where a report says how many features of other nodes there are.
    private static final Map<Placement, String> REMOTE_BY =
            Map.of(Placement.ANY, "random", Placement.EXAMPLES, "dealt", Placement.PARSA, "parsa");

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
            Map<Placement, SeedsRow> found = measure(kind);
            rows.addAll(found.values());
            lines.add(new Chart.Line(
                    kind.name(),
                    new double[] {0, 1, 2},
                    found.values().stream()
                            .mapToDouble(row -> row.median(TRAFFIC))
                            .toArray()));
            ratios.addAll(conclude(kind, found));
        }
        settings.draw(
                "solvers-parsa",
                new Chart("traffic between machines", "0: any, 1: examples placed, 2: features too", "MB", lines));
        return new Findings(rows, ratios);
    }

    private Map<Placement, SeedsRow> measure(Kind kind) throws Exception {
        String part = "parsa: %s, 8 machines with a worker and a server, 1 Gbit/s, 3 passes of ftrl, simulated"
                .formatted(kind);
        Map<Placement, List<Map<String, Double>>> figures = new EnumMap<>(Placement.class);
        for (Placement placement : Placement.values()) {
            figures.put(placement, new ArrayList<>());
        }
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            notes.progress("parsa: %s, seed %d".formatted(kind, seed));
            Data data = data(kind, seed);
            JsonNode cut = null;
            for (Placement placement : List.of(Placement.PARSA, Placement.EXAMPLES, Placement.ANY)) {
                JsonNode report = train(data, placement, seed);
                cut = cut == null ? report.get("placement") : cut;
                figures.get(placement).add(figures(report, cut.at("/" + REMOTE_BY.get(placement) + "/remote")));
            }
        }
        Map<Placement, SeedsRow> rows = new EnumMap<>(Placement.class);
        figures.forEach((placement, bySeed) -> rows.put(
                placement,
                SeedsRow.of(
                        part,
                        placement.label(),
                        placement == Placement.PARSA ? "90 % less traffic, 1.6 times faster" : "",
                        bySeed)));
        return rows;
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
                        .withNodes(MACHINES, MACHINES)
                        .withBatchRows(256)
                        .withWhere(new Where.Simulated(GIGABIT, 25, 0, 1).withPairs())
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
        found.put(LOCAL, report.at("/bytes/local").asDouble() / 1e6);
        found.put(SECONDS, report.path("seconds").asDouble());
        found.put("loss", report.at("/metrics/logloss").asDouble());
        return found;
    }

    private List<Ratio> conclude(Kind kind, Map<Placement, SeedsRow> found) {
        SeedsRow any = found.get(Placement.ANY);
        SeedsRow parsa = found.get(Placement.PARSA);
        double remote = 100 * (1 - parsa.median(REMOTE) / any.median(REMOTE));
        double traffic = 100 * (1 - parsa.median(TRAFFIC) / any.median(TRAFFIC));
        double examples = 100 * (1 - found.get(Placement.EXAMPLES).median(TRAFFIC) / any.median(TRAFFIC));
        double faster = any.median(SECONDS) / parsa.median(SECONDS);
        notes.remark(
                "parsa, %s: %s: %s %% fewer features of other nodes, %s %% fewer bytes between machines (published 90"
                                .formatted(
                                        kind,
                                        Verdict.of(traffic >= 80, faster >= 1.4),
                                        Outcome.number(remote),
                                        Outcome.number(traffic))
                        + " %% less traffic; %s %% with examples alone), %s times faster (published 1.6)"
                                .formatted(Outcome.number(examples), Outcome.number(faster)));
        return List.of(
                Ratio.plain(any.part(), "% fewer features of other nodes", remote),
                Ratio.plain(any.part(), "% fewer bytes between machines", traffic),
                Ratio.plain(any.part(), "% fewer with examples placed alone", examples),
                Ratio.plain(any.part(), "times faster", faster));
    }
}
