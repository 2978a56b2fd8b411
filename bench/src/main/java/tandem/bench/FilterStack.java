package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.ClusterPlan;
import tandem.Solver;
import tandem.report.Chart;
import tandem.report.Moment;

/// How many bytes do servers and workers send until delayed block proximal gradient is within 1e-3 of the optimum, with
/// one filter after the other? Published (Li et al. 2014) with all: 40 times less from servers, 12 times less from
/// workers, more than 93 % of features left out.
record FilterStack(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final String NAME = "filters: bytes to 1e-3, 8 workers, 2 servers, delay 8, simulated";
    private static final List<String> STACKS = List.of("none", "keycache", "keycache,lz4", "keycache,kkt,lz4");
    private static final List<String> PUBLISHED =
            List.of("", "about half", "", "40 times less from servers, 12 times from workers, 93 % left out");
    private static final double NEAR = 1e-3;
    private static final int WORKERS = 8;
    private static final int MOST_ROUNDS = 200;
    private static final String SERVERS_SEND = "MB from servers";
    private static final String WORKERS_SEND = "MB from workers";
    private static final String LEFT_OUT = "left out %";

    @Override
    public Findings run() throws Exception {
        List<List<Map<String, Double>>> results = new ArrayList<>();
        STACKS.forEach(_ -> results.add(new ArrayList<>()));
        List<Chart.Line> lines = new ArrayList<>();
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            Stage stage = Stage.of(work, notes, settings.scaled(100_000), seed);
            for (int s = 0; s < STACKS.size(); s++) {
                notes.progress("filters: seed %d, %s".formatted(seed, STACKS.get(s)));
                Pursuit.Trail trail = run(stage, STACKS.get(s));
                results.get(s).add(figures(stage, trail));
                if (seed == settings.seed) {
                    lines.add(line(STACKS.get(s), stage, trail));
                }
            }
        }
        settings.draw(
                "solvers-filters",
                Chart.powers("distance from the optimum against bytes", "MB", "relative distance", lines));
        List<SeedsRow> rows = new ArrayList<>();
        for (int s = 0; s < STACKS.size(); s++) {
            rows.add(SeedsRow.of(NAME, STACKS.get(s), PUBLISHED.get(s), results.get(s)));
        }
        return new Findings(rows, conclude(rows));
    }

    private Pursuit.Trail run(Stage stage, String filters) throws Exception {
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(WORKERS, 2)
                .withConsistency("bounded:8")
                .withFilters(filters);
        Solver.Blocks solver = Solver.Blocks.DEFAULT
                .withBlocks(settings.blocks())
                .withMaxPasses(MOST_ROUNDS)
                .withTolerance(1e-9);
        return Pursuit.run(stage.job(solver, plan, 1_000), stage.near(NEAR));
    }

    private static Map<String, Double> figures(Stage stage, Pursuit.Trail trail) {
        int at = trail.reached(stage.near(NEAR));
        Moment then = at < 0 ? null : trail.moments().get(at);
        JsonNode kkt = trail.report().at("/bytes/byFilter/kkt");
        Map<String, Double> found = new LinkedHashMap<>();
        found.put(SERVERS_SEND, then == null ? Double.NaN : then.receivedBytes() / 1e6);
        found.put(WORKERS_SEND, then == null ? Double.NaN : then.sentBytes() / 1e6);
        found.put("rounds", then == null ? Double.NaN : then.passes());
        found.put(
                LEFT_OUT,
                100
                        * (1
                                - kkt.path("after").asDouble()
                                        / Math.max(1, kkt.path("before").asDouble())));
        return found;
    }

    private static Chart.Line line(String name, Stage stage, Pursuit.Trail trail) {
        return new Chart.Line(
                name,
                trail.moments().stream().mapToDouble(now -> now.bytes() / 1e6).toArray(),
                trail.moments().stream()
                        .mapToDouble(now -> now.objective() / stage.optimum() - 1)
                        .toArray());
    }

    private List<Ratio> conclude(List<SeedsRow> rows) {
        SeedsRow none = rows.getFirst();
        SeedsRow all = rows.getLast();
        double servers = none.median(SERVERS_SEND) / all.median(SERVERS_SEND);
        double workers = none.median(WORKERS_SEND) / all.median(WORKERS_SEND);
        notes.remark("filters: %s: all filters together leave %s times less from servers and %s times less from"
                        .formatted(
                                Verdict.of(servers >= 20, workers >= 6, all.median(LEFT_OUT) > 90),
                                Outcome.number(servers),
                                Outcome.number(workers))
                + " workers (published 40 and 12), and leave out %s %% of features (published more than 93)"
                        .formatted(Outcome.number(all.median(LEFT_OUT))));
        return List.of(
                Ratio.plain(NAME, "times less from servers with all filters", servers),
                Ratio.plain(NAME, "times less from workers with all filters", workers));
    }
}
