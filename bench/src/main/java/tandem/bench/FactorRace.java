package tandem.bench;

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
/// factors a feature, beside other tools where they are installed: time of training, and of whole processes that begin
/// with text. Ours are two threads.
record FactorRace(SolverSettings settings, Workspace work, Peers peers, Notes notes) implements Part {

    private static final int DIMENSION = 4;
    private static final int WORKERS = 2;
    private static final int LIBFM_ITERATIONS = 30;
    private static final int XLEARN_PASSES = 30;
    private static final String LINEAR = "tandem, linear";
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
        notes.remark("factors: the truth itself has a held-out logloss of %s"
                .formatted(Outcome.fixed(4, truth.bayesLogloss())));
        Map<String, Callable<FactorPeers.Timed>> systems = new LinkedHashMap<>();
        addOurs(systems, new FactorRun(work, training, heldOut, new Where.Embedded(), WORKERS));
        addTheirs(
                systems,
                new FactorPeers(peers, work, training, heldOut, Math.toIntExact(clicks.features() + 1), DIMENSION));
        String what = "%,d rows, ids up to %,d, dimension %d".formatted(rows, clicks.features(), DIMENSION);
        return race(systems, what, truth.bayesLogloss());
    }

    private void addOurs(Map<String, Callable<FactorPeers.Timed>> systems, FactorRun run) throws Exception {
        Solver.Factors adaptive = Solver.Factors.ADAPTIVE.withDimension(DIMENSION);
        add(systems, LINEAR, run, adaptive.withDimension(0));
        add(systems, FM, run, Solver.Factors.PLAIN.withDimension(DIMENSION));
        add(systems, DIFACTO, run, adaptive);
    }

    private void add(
            Map<String, Callable<FactorPeers.Timed>> systems, String name, FactorRun run, Solver.Factors solver)
            throws Exception {
        notes.progress("factors: choosing passes of " + name);
        int passes = run.passes(solver, settings.seed);
        systems.put(name, () -> timed(run, solver, passes));
    }

    private void addTheirs(Map<String, Callable<FactorPeers.Timed>> systems, FactorPeers theirs) throws Exception {
        for (FactorTool tool : FactorTool.values()) {
            if (!tool.jars(peers).isEmpty()) {
                notes.progress("factors: choosing settings of " + tool.label());
                FactorChoice choice = theirs.choose(tool);
                systems.put(tool.label() + ", " + choice, () -> theirs.run(tool, choice));
            }
        }
        if (peers.libfm() != null) {
            systems.put("libFM, mcmc, %d iterations".formatted(LIBFM_ITERATIONS), () -> theirs.libfm(LIBFM_ITERATIONS));
        }
        if (peers.xlearn() != null) {
            systems.put("xLearn", () -> theirs.xlearn(XLEARN_PASSES));
        }
    }

    /// Training in this JVM, where code is compiled after a while and the rows are in the cache, and all of it in a
    /// fresh one.
    private FactorPeers.Timed timed(FactorRun run, Solver.Factors solver, int passes) throws Exception {
        Trial training = Trial.of(
                () -> run.judged(solver, passes, settings.seed),
                (all, found) -> Trial.of(found.seconds(), all.cpuSeconds()).withLogloss(found.logloss()));
        return new FactorPeers.Timed(training, FactorRunDriver.run(run, solver, passes, settings.seed));
    }

    private Findings race(Map<String, Callable<FactorPeers.Timed>> systems, String what, double truth)
            throws Exception {
        Map<String, List<Trial>> whole = new LinkedHashMap<>();
        Map<String, Callable<Trial>> training = new LinkedHashMap<>();
        systems.forEach((name, system) -> training.put(name, () -> {
            FactorPeers.Timed timed = system.call();
            whole.computeIfAbsent(name, _ -> new ArrayList<>()).add(timed.whole());
            return timed.training();
        }));
        Contest trained = new Contest("factors: training, " + what, 0, 0, settings.rounds, settings.budget);
        Contest processes = new Contest("factors: whole process, " + what, 0, 0, settings.rounds, settings.budget);
        List<Row> first = trained.run(training, notes);
        List<Row> second = new ArrayList<>();
        whole.forEach((name, trials) -> second.add(processes.row(name, trials)));
        List<Ratio> ratios = new ArrayList<>();
        addLoglosses(ratios, first, truth);
        addTimes(ratios, first);
        addTimes(ratios, second);
        List<Row> rows = new ArrayList<>(first);
        rows.addAll(second);
        return new Findings(rows, ratios);
    }

    private static void addLoglosses(List<Ratio> ratios, List<Row> rows, double truth) {
        double linear = Row.find(rows, LINEAR).logloss();
        for (String machine : List.of(FM, DIFACTO)) {
            Row ours = Row.find(rows, machine);
            for (Row peer : peers(rows)) {
                ratios.add(Ratio.atMost(
                        peer.logloss(),
                        ours.part(),
                        "logloss of %s, that of %s being the most".formatted(machine, peer.system()),
                        ours.logloss()));
            }
            ratios.add(Ratio.plain(
                    ours.part(),
                    "share of the way from the linear model to the truth, " + machine,
                    (linear - ours.logloss()) / (linear - truth)));
        }
    }

    private static void addTimes(List<Ratio> ratios, List<Row> rows) {
        for (String machine : List.of(FM, DIFACTO)) {
            Row ours = Row.find(rows, machine);
            for (Row peer : peers(rows)) {
                String times = "time of %s against %s".formatted(machine, peer.system());
                ratios.add(Ratio.atMost(1, ours.part(), times, ours.wallSeconds() / peer.wallSeconds()));
                ratios.add(Ratio.plain(ours.part(), "CPU " + times, ours.cpuSeconds() / peer.cpuSeconds()));
            }
        }
    }

    private static List<Row> peers(List<Row> rows) {
        return rows.stream().filter(row -> !row.system().startsWith("tandem")).toList();
    }
}
