package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.ClusterPlan;
import tandem.Solver;
import tandem.report.Chart;

/// How long does delayed block proximal gradient take to 1e-3 of the optimum, and how long do workers wait, under each
/// delay τ? Published (Li et al. 2014): idle 50 % at τ = 0 and 1.7 % at τ = 16, least time at τ = 8, 1.6 times faster.
///
/// How long a block takes is set so that workers wait about half of their time without delay, as was published; what
/// becomes of that with a delay is measured.
record DelaySweep(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final String NAME = "tau: time to 1e-3 against the delay, 16 workers, 4 servers, simulated";
    private static final int[] DELAYS = {0, 1, 2, 4, 8, 16};
    private static final String[] PUBLISHED = {"idle 50 %", "", "", "", "least time, 1.6 times faster", "idle 1.7 %"};
    private static final double NEAR = 1e-3;
    private static final int WORKERS = 16;
    private static final double BLOCK_NANOS = 400_000;
    private static final int MOST_ROUNDS = 200;

    @Override
    public Findings run() throws Exception {
        List<List<Map<String, Double>>> results = new ArrayList<>();
        for (int d = 0; d < DELAYS.length; d++) {
            results.add(new ArrayList<>());
        }
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            Stage stage = Stage.of(work, notes, settings.scaled(20_000), seed);
            for (int d = 0; d < DELAYS.length; d++) {
                notes.progress("tau: seed %d, delay %d".formatted(seed, DELAYS[d]));
                results.get(d).add(run(stage, DELAYS[d]));
            }
        }
        List<SeedsRow> rows = new ArrayList<>();
        for (int d = 0; d < DELAYS.length; d++) {
            rows.add(SeedsRow.of(NAME, "delay " + DELAYS[d], PUBLISHED[d], results.get(d)));
        }
        draw(rows);
        return new Findings(rows, conclude(rows));
    }

    private Map<String, Double> run(Stage stage, int delay) throws Exception {
        ClusterPlan plan = ClusterPlan.DEFAULT
                .withNodes(WORKERS, 4)
                .withConsistency("bounded:" + delay)
                .withFilters("keycache");
        Solver.Blocks solver = Solver.Blocks.DEFAULT
                .withBlocks(settings.blocks())
                .withMaxPasses(MOST_ROUNDS)
                .withTolerance(1e-9);
        double nanosPerEntry = stage.nanosPerEntry(BLOCK_NANOS, WORKERS, settings.blocks());
        Pursuit.Trail trail = Pursuit.run(stage.job(solver, plan, nanosPerEntry), stage.near(NEAR));
        Map<String, Double> found = new LinkedHashMap<>();
        found.put("virtual s", trail.seconds(stage.near(NEAR)));
        found.put("idle %", 100 * trail.idle());
        found.put("rounds", trail.passes(stage.near(NEAR)));
        return found;
    }

    private List<Ratio> conclude(List<SeedsRow> rows) {
        SeedsRow none = rows.getFirst();
        SeedsRow best = none;
        for (SeedsRow row : rows) {
            if (row.median("virtual s") < best.median("virtual s")) {
                best = row;
            }
        }
        double faster = none.median("virtual s") / best.median("virtual s");
        double idle = rows.getLast().median("idle %");
        notes.remark("tau: %s: idle falls from %s to %s %% (published 50 to 1.7), and %s takes the least time, %s times"
                        .formatted(
                                Verdict.of(
                                        idle < none.median("idle %") / 5,
                                        best != none && best != rows.getLast(),
                                        faster >= 1.4),
                                Outcome.number(none.median("idle %")),
                                Outcome.number(idle),
                                best.system(),
                                Outcome.number(faster))
                + " faster than without (published 8, 1.6)");
        return List.of(
                Ratio.plain(NAME, "times faster with " + best.system() + " than without", faster),
                Ratio.plain(
                        NAME,
                        "times faster with delay 8 than without",
                        none.median("virtual s") / rows.get(4).median("virtual s")));
    }

    private void draw(List<SeedsRow> rows) throws Exception {
        double[] delays = new double[DELAYS.length];
        double[] waiting = new double[DELAYS.length];
        double[] computing = new double[DELAYS.length];
        for (int d = 0; d < DELAYS.length; d++) {
            double seconds = rows.get(d).median("virtual s");
            delays[d] = DELAYS[d];
            waiting[d] = seconds * rows.get(d).median("idle %") / 100;
            computing[d] = seconds - waiting[d];
        }
        settings.draw(
                "solvers-tau",
                new Chart(
                        "time to 1e-3 against the delay",
                        "delay",
                        "virtual seconds",
                        List.of(
                                new Chart.Line("waiting", delays, waiting),
                                new Chart.Line("computing", delays, computing))));
    }
}
