package tandem.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.report.Moment;

/// How long do the solvers that go to the optimum take to come within 1e-3 and 1e-4 of it, reading excluded, beside
/// LIBLINEAR? L1 logistic regression, workers as threads of this process.
///
/// Ours are timed from the first look at the objective, which comes when all rows are in memory and have been gone
/// through once; one more round is added for that. LIBLINEAR runs at the loosest tolerance that comes so near, less
/// what it takes at one that stops at once.
record NearOptimum(SolverSettings settings, Workspace work, Peers peers, Notes notes) implements Part {

    private static final double[] NEARS = {1e-3, 1e-4};

    /// Ends within about 1e-7 of the optimum, which is enough to judge 1e-4.
    private static final double REFERENCE = 1e-5;

    private static final String DBPG = "dbpg, %d worker%s";

    /// A way to the optimum: the trial for each of [#NEARS].
    @FunctionalInterface
    private interface Way {
        Trial[] run() throws Exception;
    }

    @Override
    public Findings run() throws Exception {
        Clicks clicks =
                Clicks.DEFAULT.withSeed(settings.seed).withRows(settings.rows).withFeatures(10 * settings.rows);
        Path file = work.clicks("optimum.svm", clicks, notes);
        double l1 = Math.max(1, settings.rows / 1e5);
        notes.progress("optimum: finding the optimum");
        double optimum = L1Task.load(file, l1).steps(REFERENCE).optimum();
        Map<String, Way> ways = ways(file, l1, optimum);
        Map<String, List<Trial[]>> trials = new LinkedHashMap<>();
        long start = System.nanoTime();
        for (int round = 0; round < settings.rounds; round++) {
            if (round > 0 && (System.nanoTime() - start) / 1e9 > settings.budget) {
                break;
            }
            for (var way : ways.entrySet()) {
                notes.progress("optimum: round %d of %d, %s".formatted(round + 1, settings.rounds, way.getKey()));
                trials.computeIfAbsent(way.getKey(), _ -> new ArrayList<>())
                        .add(way.getValue().run());
            }
        }
        return findings(l1, trials);
    }

    private Findings findings(double l1, Map<String, List<Trial[]>> trials) {
        List<Row> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (int n = 0; n < NEARS.length; n++) {
            String part = "optimum: L1 logistic regression to %s, %,d rows, l1 %s"
                    .formatted(Outcome.number(NEARS[n]), settings.rows, Outcome.number(l1));
            Contest contest = new Contest(part, 0, 0, settings.rounds, settings.budget);
            List<Row> found = new ArrayList<>();
            for (var way : trials.entrySet()) {
                int at = n;
                found.add(contest.row(
                        way.getKey(),
                        way.getValue().stream().map(each -> each[at]).toList()));
            }
            rows.addAll(found);
            ratios.addAll(ratios(part, found));
        }
        return new Findings(rows, ratios);
    }

    private static List<Ratio> ratios(String part, List<Row> rows) {
        List<Ratio> ratios = new ArrayList<>();
        Row peer = rows.getLast();
        if (!peer.system().startsWith("liblinear")) {
            return ratios;
        }
        for (Row row : rows.subList(0, rows.size() - 1)) {
            String what = "time of %s against %s".formatted(row.system(), peer.system());
            double value = row.wallSeconds() / peer.wallSeconds();
            ratios.add(
                    row.system().startsWith("dbpg")
                            ? Ratio.atMost(1, part, what, value)
                            : Ratio.plain(part, what, value));
            ratios.add(Ratio.plain(part, "CPU " + what, row.cpuSeconds() / peer.cpuSeconds()));
        }
        return ratios;
    }

    private Map<String, Way> ways(Path file, double l1, double optimum) throws Exception {
        Solver.Blocks blocks = Solver.Blocks.DEFAULT.withTolerance(1e-9);
        ClusterPlan bounded = ClusterPlan.DEFAULT.withConsistency("bounded:4").withFilters("keycache,kkt");
        Map<String, Way> ways = new LinkedHashMap<>();
        for (int threads = 1; threads <= 2; threads++) {
            int own = threads;
            String s = threads == 1 ? "" : "s";
            ways.put("batch, %d thread%s".formatted(threads, s), () -> batch(file, l1, optimum, own));
            ways.put(DBPG.formatted(threads, s), () -> workers(file, l1, optimum, blocks, bounded.withNodes(own, 1)));
        }
        ways.put(
                "lbfgs, 2 workers",
                () -> workers(
                        file,
                        l1,
                        optimum,
                        Solver.Lbfgs.DEFAULT.withTolerance(1e-9),
                        ClusterPlan.DEFAULT.withNodes(2, 1).withConsistency("bsp")));
        if (!settings.alone) {
            addLiblinear(ways, file, l1, optimum);
        }
        return ways;
    }

    private void addLiblinear(Map<String, Way> ways, Path file, double l1, double optimum) throws Exception {
        Liblinear liblinear = new Liblinear(peers.liblinear(), work, new Optimum.Set("", file, l1, false));
        boolean command = peers.liblinear() != null;
        Map<Double, Double> excess = new HashMap<>();
        double[] tolerances = new double[NEARS.length];
        for (int n = 0; n < NEARS.length; n++) {
            notes.progress("optimum: finding the tolerance of LIBLINEAR for " + NEARS[n]);
            tolerances[n] = Ladder.loosest(NEARS[n], tolerance -> {
                if (!excess.containsKey(tolerance)) {
                    Trial trial = command ? liblinear.train(tolerance) : liblinear.trainInJava(tolerance);
                    excess.put(tolerance, trial.objective() / optimum - 1);
                }
                return excess.get(tolerance);
            });
        }
        String name = (command ? "liblinear" : "liblinear-java")
                + " -s 6 -e %s and %s".formatted(Outcome.number(tolerances[0]), Outcome.number(tolerances[1]));
        ways.put(name, () -> {
            Trial[] both = new Trial[NEARS.length];
            for (int n = 0; n < NEARS.length; n++) {
                both[n] = command ? liblinear.trainOnly(tolerances[n]) : liblinear.trainInJava(tolerances[n]);
            }
            return both;
        });
    }

    private Trial[] batch(Path file, double l1, double optimum, int threads) throws Exception {
        return trials(
                Pursuit.run(job(file, l1, new Solver.Batch(1e-9, 10_000), threads), goal(optimum), settings.budget),
                optimum,
                0);
    }

    private Trial[] workers(Path file, double l1, double optimum, Solver solver, ClusterPlan plan) throws Exception {
        return trials(
                Pursuit.run(job(file, l1, solver, 2).withCluster(plan), goal(optimum), settings.budget), optimum, 1);
    }

    private LinearTraining job(Path file, double l1, Solver solver, int threads) {
        Linear settled = Linear.DEFAULT
                .withPenalty(Separable.l1(l1))
                .withIntercept(false)
                .withThreads(threads)
                .withSeed(settings.seed)
                .withSolver(solver);
        return LinearTraining.of(settled, Data.of(file.toString())).withCache(new CacheUse.Auto(work.folder()));
    }

    private static double goal(double optimum) {
        return optimum * (1 + NEARS[NEARS.length - 1]);
    }

    /// What it took from the first look on to each of the objectives; NaN for one that was not reached.
    ///
    /// @param rounds what came before the first look, in rounds that take as long as the others
    private static Trial[] trials(Pursuit.Trail trail, double optimum, int rounds) {
        Trial[] all = new Trial[NEARS.length];
        Moment first = trail.moments().getFirst();
        for (int n = 0; n < NEARS.length; n++) {
            int at = trail.reached(optimum * (1 + NEARS[n]));
            int last = at < 0 ? trail.moments().size() - 1 : at;
            double more = 1 + (double) rounds / Math.max(1, last);
            double wall = (trail.moments().get(last).seconds() - first.seconds()) * more;
            double cpu = (trail.cpuSeconds().get(last) - trail.cpuSeconds().getFirst()) * more;
            all[n] = Trial.of(at < 0 ? Double.NaN : wall, at < 0 ? Double.NaN : cpu)
                    .withObjective(trail.moments().get(last).objective(), -1);
        }
        return all;
    }
}
