package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.Solver;
import tandem.Where;
import tandem.data.Clicks;
import tandem.report.Chart;

/// What do factors for few features lose against factors for all? Published (Li et al. 2016): DiFacto is about as good
/// as a plain factorisation machine with far less memory.
record FactorMemory(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final String LOSS = "logloss";
    private static final String BYTES = "MB of factors";

    private enum Kind {
        clicks("pairs that matter little", 0.6, 100_000),
        pairs("pairs that matter much", 3, 20_000);

        private final String words;
        private final double interactions;
        private final long features;

        Kind(String words, double interactions, long features) {
            this.words = words;
            this.interactions = interactions;
            this.features = features;
        }
    }

    private enum Machine {
        linear(Solver.Factors.ADAPTIVE.withDimension(0), "worse"),
        fm(Solver.Factors.PLAIN, ""),
        difacto(Solver.Factors.ADAPTIVE, "as good, far less memory");

        private final Solver.Factors solver;
        private final String published;

        Machine(Solver.Factors solver, String published) {
            this.solver = solver;
            this.published = published;
        }
    }

    @Override
    public Findings run() throws Exception {
        List<SeedsRow> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        List<Chart.Line> lines = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            String part = "difacto: held-out logloss and memory, clicks with " + kind.words + ", dimension 8";
            Map<Machine, SeedsRow> found = new LinkedHashMap<>();
            for (Machine machine : Machine.values()) {
                found.put(machine, SeedsRow.of(part, machine.name(), machine.published, results(kind, machine)));
            }
            rows.addAll(found.values());
            lines.add(new Chart.Line(
                    kind.words,
                    found.values().stream()
                            .mapToDouble(row -> row.median(BYTES))
                            .toArray(),
                    found.values().stream().mapToDouble(row -> row.median(LOSS)).toArray()));
            ratios.addAll(conclude(part, kind, found));
        }
        settings.draw(
                "solvers-difacto",
                Chart.around(
                        "linear, fm and difacto: loss against memory", "MB of factors", "held-out logloss", lines));
        return new Findings(rows, ratios);
    }

    private List<Map<String, Double>> results(Kind kind, Machine machine) throws Exception {
        List<Map<String, Double>> results = new ArrayList<>();
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            notes.progress("difacto: %s, seed %d, %s".formatted(kind.words, seed, machine));
            Clicks clicks = Clicks.DEFAULT
                    .withSeed(seed)
                    .withRows(settings.scaled(50_000))
                    .withFeatures(kind.features)
                    .withInteractions(kind.interactions);
            Path training = work.clicks("%s-%d.svm".formatted(kind, seed), clicks, notes);
            Path heldOut = work.clicks("%s-%d-test.svm".formatted(kind, seed), clicks.next(clicks.rows() / 5), notes);
            JsonNode report =
                    new FactorRun(work, training, heldOut, Where.Simulated.DEFAULT, 2).report(machine.solver, seed);
            Map<String, Double> found = new LinkedHashMap<>();
            found.put(LOSS, report.at("/metrics/logloss").asDouble());
            found.put(BYTES, report.at("/factors/bytes").asDouble() / 1e6);
            found.put("features with factors", report.at("/factors/features").asDouble());
            results.add(found);
        }
        return results;
    }

    private List<Ratio> conclude(String part, Kind kind, Map<Machine, SeedsRow> found) {
        double lost =
                found.get(Machine.difacto).median(LOSS) - found.get(Machine.fm).median(LOSS);
        double share =
                found.get(Machine.difacto).median(BYTES) / found.get(Machine.fm).median(BYTES);
        notes.remark("difacto, %s: %s: %s of the memory of a plain machine, and a logloss that is %s %s (published: far"
                        .formatted(
                                kind.words,
                                Verdict.of(lost <= 0.005, share <= 0.5),
                                Outcome.number(share),
                                Outcome.number(Math.abs(lost)),
                                lost > 0 ? "worse" : "better")
                + " less memory, as good)");
        return List.of(
                Ratio.plain(part, "memory of factors, difacto against fm", share),
                Ratio.plain(part, "logloss that difacto loses against fm", lost));
    }
}
