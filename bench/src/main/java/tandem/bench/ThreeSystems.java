package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.ClusterPlan;
import tandem.Solver;
import tandem.report.Chart;

/// (A) L-BFGS, (B) block proximal gradient block after block without filters, (C) the same with a delay of 8 and
/// filters: time to 1e-3 of the optimum at 1 Gbit/s, and how much of it workers are idle. Published (Li et al. 2014,
/// 1,000 machines): C takes half the time of B, A takes longer than B; idle 32, 53 and less than 2 %.
///
/// With more workers than usual there are as many more rows, and some more servers. A block takes longer as a server
/// has more workers, for B to wait about half of its time still.
record ThreeSystems(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final double NEAR = 1e-3;
    private static final double USUAL_WORKERS = 100;
    private static final int USUAL_SERVERS = 4;
    private static final double ROWS = 20_000;
    private static final double BLOCK_NANOS = 400_000;

    /// Fewer would take long to simulate: every server hears of every block of every worker.
    private static final int WORKERS_A_SERVER = 125;

    private static final int MOST_ROUNDS = 200;
    private static final String SECONDS = "virtual s";
    private static final String IDLE = "idle %";

    /// One of them.
    private record System(String name, Solver solver, String consistency, String filters, String published) {}

    private List<System> systems() {
        Solver.Blocks blockwise = Solver.Blocks.DEFAULT
                .withBlocks(settings.blocks())
                .withMaxPasses(MOST_ROUNDS)
                .withTolerance(1e-9);
        return List.of(
                new System(
                        "A: lbfgs",
                        Solver.Lbfgs.DEFAULT.withTolerance(1e-9).withMaxIterations(MOST_ROUNDS),
                        "bsp",
                        "keycache",
                        "slower than B, idle 32 %"),
                new System("B: dbpg, no delay, no filters", blockwise, "bounded:0", "none", "idle 53 %"),
                new System(
                        "C: dbpg, delay 8, filters",
                        blockwise,
                        "bounded:8",
                        "keycache,kkt,lz4",
                        "half the time of B, idle < 2 %"));
    }

    /// How many times as many workers as usual, if more.
    private double times() {
        return Math.max(1, settings.workers / USUAL_WORKERS);
    }

    private int servers() {
        return Math.max(USUAL_SERVERS, settings.workers / WORKERS_A_SERVER);
    }

    @Override
    public Findings run() throws Exception {
        String part = "systems: time to 1e-3, %,d workers, %d servers, 1 Gbit/s, simulated"
                .formatted(settings.workers, servers());
        List<System> systems = systems();
        List<List<Map<String, Double>>> results = new ArrayList<>();
        systems.forEach(_ -> results.add(new ArrayList<>()));
        List<Chart.Line> lines = new ArrayList<>();
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            Stage stage = Stage.of(work, notes, settings.scaled(Math.round(ROWS * times())), seed);
            for (int s = 0; s < systems.size(); s++) {
                notes.progress("systems: seed %d, %s".formatted(seed, systems.get(s).name));
                Pursuit.Trail trail = run(stage, systems.get(s));
                results.get(s).add(figures(stage, trail));
                if (seed == settings.seed) {
                    lines.add(line(systems.get(s).name, stage, trail));
                }
            }
        }
        settings.draw(
                "solvers-systems",
                Chart.powers("distance from the optimum against time", "virtual seconds", "relative distance", lines));
        List<SeedsRow> rows = new ArrayList<>();
        for (int s = 0; s < systems.size(); s++) {
            rows.add(SeedsRow.of(part, systems.get(s).name, systems.get(s).published, results.get(s)));
        }
        return new Findings(rows, conclude(part, rows));
    }

    private Pursuit.Trail run(Stage stage, System system) throws Exception {
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(settings.workers, servers())
                .withConsistency(system.consistency)
                .withFilters(system.filters);
        double blockNanos = BLOCK_NANOS * times() * USUAL_SERVERS / servers();
        double nanosPerEntry = stage.nanosPerEntry(blockNanos, settings.workers, settings.blocks());
        return Pursuit.run(stage.job(system.solver, plan, nanosPerEntry), stage.near(NEAR));
    }

    private static Map<String, Double> figures(Stage stage, Pursuit.Trail trail) {
        int at = trail.reached(stage.near(NEAR));
        Map<String, Double> found = new LinkedHashMap<>();
        found.put(SECONDS, trail.seconds(stage.near(NEAR)));
        found.put(IDLE, 100 * trail.idle());
        found.put("rounds", trail.passes(stage.near(NEAR)));
        found.put("MB", at < 0 ? Double.NaN : trail.moments().get(at).bytes() / 1e6);
        return found;
    }

    private static Chart.Line line(String name, Stage stage, Pursuit.Trail trail) {
        return new Chart.Line(
                name,
                trail.moments().stream().mapToDouble(now -> now.seconds()).toArray(),
                trail.moments().stream()
                        .mapToDouble(now -> now.objective() / stage.optimum() - 1)
                        .toArray());
    }

    private List<Ratio> conclude(String part, List<SeedsRow> rows) {
        double a = rows.get(0).median(SECONDS);
        double b = rows.get(1).median(SECONDS);
        double c = rows.get(2).median(SECONDS);
        notes.remark("systems: %s: C takes %s of the time of B (published half), A %s times that of B (published more"
                        .formatted(
                                Verdict.of(c <= 0.6 * b, a > b, rows.get(2).median(IDLE) < 5),
                                Outcome.number(c / b),
                                Outcome.number(a / b))
                + " than 1); idle A %s, B %s, C %s %% (published 32, 53, less than 2)"
                        .formatted(
                                Outcome.number(rows.get(0).median(IDLE)),
                                Outcome.number(rows.get(1).median(IDLE)),
                                Outcome.number(rows.get(2).median(IDLE))));
        return List.of(
                Ratio.plain(part, "time of C against B", c / b),
                Ratio.plain(part, "time of A against B", a / b),
                Ratio.plain(
                        part,
                        "bytes of B against C",
                        rows.get(1).median("MB") / rows.get(2).median("MB")));
    }
}
