package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import tandem.Solver;
import tandem.Where;
import tandem.data.ClickSummary;
import tandem.data.Clicks;

/// How good are factorisation machines on rows whose pairs matter much, and how soon? Held-out logloss with four
/// factors a feature, beside libFM and xLearn where they are installed. Ours are two threads, timed without reading;
/// the others with it.
record FactorRace(SolverSettings settings, Workspace work, Peers peers, Notes notes) implements Part {

    private static final int DIMENSION = 4;
    private static final int LIBFM_ITERATIONS = 30;
    private static final int XLEARN_PASSES = 30;
    private static final String FM = "tandem fm";
    private static final String DIFACTO = "tandem difacto";

    @Override
    public Findings run() throws Exception {
        long rows = settings.scaled(100_000);
        Clicks clicks = Clicks.DEFAULT
                .withSeed(settings.seed)
                .withRows(rows)
                .withFeatures(Math.max(1_000, rows * 2 / 5))
                .withInteractions(2.5)
                .withClickRate(0.5);
        Path training = work.file("pairs.svm");
        Path heldOut = work.file("pairs-test.svm");
        clicks.write(training, 2, _ -> {});
        ClickSummary truth = clicks.next(rows / 5).write(heldOut, 2, _ -> {});
        String part = "factors: held-out logloss, %,d rows, ids up to %,d, dimension %d"
                .formatted(rows, clicks.features(), DIMENSION);
        Solver.Factors plain = Solver.Factors.PLAIN.withDimension(DIMENSION);
        Solver.Factors adaptive = Solver.Factors.ADAPTIVE.withDimension(DIMENSION);
        FactorRun ours = new FactorRun(work, training, heldOut, new Where.Embedded(), 2);
        FactorPeers theirs = new FactorPeers(peers, work, training, heldOut, DIMENSION);
        Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
        systems.put("tandem, linear", () -> trial(ours, adaptive.withDimension(0)));
        systems.put(FM, () -> trial(ours, plain));
        systems.put(DIFACTO, () -> trial(ours, adaptive));
        if (peers.libfm() != null) {
            systems.put("libFM, mcmc, %d iterations".formatted(LIBFM_ITERATIONS), () -> theirs.libfm(LIBFM_ITERATIONS));
        }
        if (peers.xlearn() != null) {
            systems.put("xLearn", () -> theirs.xlearn(XLEARN_PASSES));
        }
        List<Row> found = new Contest(part, 0, 0, settings.rounds, settings.budget).run(systems, notes);
        notes.remark("factors: the truth itself has a held-out logloss of %s"
                .formatted(Outcome.fixed(4, truth.bayesLogloss())));
        return new Findings(found, ratios(part, found, truth.bayesLogloss()));
    }

    private Trial trial(FactorRun run, Solver.Factors solver) throws Exception {
        JsonNode[] report = new JsonNode[1];
        Trial all = Trial.of(() -> run.report(solver, settings.seed), (times, found) -> {
            report[0] = found;
            return times;
        });
        return Trial.of(report[0].path("seconds").asDouble(), all.cpuSeconds())
                .withLogloss(report[0].at("/metrics/logloss").asDouble());
    }

    private static List<Ratio> ratios(String part, List<Row> rows, double truth) {
        List<Ratio> ratios = new ArrayList<>();
        Row fm = Row.find(rows, FM);
        Row linear = rows.getFirst();
        for (Row row : rows) {
            if (!row.system().startsWith("tandem")) {
                ratios.add(Ratio.atMost(
                        row.logloss(),
                        part,
                        "logloss of fm, that of " + row.system() + " being the most",
                        fm.logloss()));
                ratios.add(Ratio.atMost(
                        1, part, "time of fm against " + row.system(), fm.wallSeconds() / row.wallSeconds()));
            }
        }
        for (String machine : List.of(FM, DIFACTO)) {
            ratios.add(Ratio.plain(
                    part,
                    "share of the way from the linear model to the truth, " + machine,
                    (linear.logloss() - Row.find(rows, machine).logloss()) / (linear.logloss() - truth)));
        }
        return ratios;
    }
}
